"""Measured weights and file sizes beside ours: the rows of tests/data/measured_weights.csv.

Used by the tests of engine.weights and by tests.accuracy, which publishes them.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine import models
from engine.formats import weight_format
from engine.weights import weight_bytes

TABLE = Path(__file__).parent / "data" / "measured_weights.csv"

RESERVED = "reserved by torch after load and LoRA creation: holds the adapter, load spikes and blocks kept in 16 bit"
REASONS = {
    "W023": "an unpacked layout: zero points and scales in 16 bit for groups of 64, 5.5 bits a weight",
    "W030": RESERVED,
    "W031": f"{RESERVED}; at 1.2 B these are a third of it",
    "W032": RESERVED,
    "W039": RESERVED,
    "W048": f"{RESERVED}; the 256k-row embedding was held twice while loading",
    "W050": RESERVED,
    "W056": f"{RESERVED}; a 4.1 GB load of the same model by another run is 4.85",
    "W058": f"{RESERVED}; the same shape measured 4.85 GB in W056, so 2 GB of this are spikes",
    "W059": f"{RESERVED}; at 1.1 B these are a fifth of it",
}
"""Why a row is off by more than 10 %."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: GB that was measured over all GPUs, and ours."""

    id: str
    kind: str
    model: str
    weight_format: str
    measured_gb: float
    our_gb: float
    source: str

    @property
    def error(self) -> float:
        """Relative error of ours; 0.1 is 10 % too much."""
        return self.our_gb / self.measured_gb - 1


def all_rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def compared() -> Iterator[Measured]:
    """Every row that names a model of the registry and a format of ours."""
    for row in all_rows():
        if row["left_out"]:
            continue
        shape = models.shape(row["model_id"])
        ours = weight_bytes(shape, weight_format(row["our_format"]), guide=False)
        if row["part"] == "without-embedding":
            ours -= 2 * shape.vocab_size * shape.hidden_size
        yield Measured(
            row["id"],
            row["kind"],
            row["model"],
            row["our_format"],
            float(row["value_gb"]) * int(row["gpus"]),
            ours / 10**9,
            row["source"],
        )

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

RESERVED = (
    "what torch had reserved after load and LoRA creation: an upper bound that keeps the adapter and spikes of the "
    "load; some of these checkpoints keep blocks in 16 bit"
)
REASONS = {
    "W023": "torchao's own layout of this format: the figure itself says 5.2 bits a weight where groups of 64 take 4.3",
    **dict.fromkeys(("W030", "W031", "W032", "W039", "W048", "W050", "W056", "W058", "W059"), RESERVED),
}
"""Why a row is off by more than 10 %."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: GB that was measured over all GPUs, and ours. An upper bound holds more than weights."""

    id: str
    kind: str
    model: str
    weight_format: str
    measured_gb: float
    our_gb: float
    is_upper_bound: bool

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
            row["details"].startswith("reserved"),
        )

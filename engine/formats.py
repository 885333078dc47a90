"""Weight formats and KV formats: real bits, the guide's bytes, and every word that names one.

Rows are in data/formats.csv; each says what it rests on.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal

from engine.answer import Basis
from engine.tables import checked, packaged_rows
from engine.values import Value

GUIDE_BYTES: Final[Mapping[str, float]] = MappingProxyType(
    {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "nf4": 0.5}
)
"""Bytes a parameter as the sizing guide counts them. Source: sizing guide, precisions."""


class WeightFormat(Value):
    """How weights are stored.

    `bits_linear` counts block scales; `bits_embedding` is that of embeddings, head and vision tower;
    `whole_model_bits` is the average over the whole file of a GGUF type. `needs` are the architectures
    whose hardware runs it; empty: any.
    """

    name: str
    kind: Literal["weights", "gguf"]
    bits_linear: float | None
    bits_embedding: float | None
    whole_model_bits: float | None
    needs: tuple[str, ...]
    basis: str
    note: str

    @property
    def guide_bytes(self) -> float | None:
        """Bytes a parameter by the sizing guide; None where it does not speak of this format."""
        return GUIDE_BYTES.get(self.name)

    @property
    def term_basis(self) -> Basis:
        """How a weight figure in this format is known."""
        return "exact" if self.basis == "exact" else "measured" if self.basis == "measured" else "assumed"


class KvFormat(Value):
    """How the KV cache is stored: bits an element, block scales counted."""

    name: str
    bits: float


@cache
def _tables() -> tuple[dict[str, WeightFormat], dict[str, KvFormat], dict[str, str], dict[str, str]]:
    weights: dict[str, WeightFormat] = {}
    kv: dict[str, KvFormat] = {}
    weight_words: dict[str, str] = {}
    kv_words: dict[str, str] = {}
    for place, row in packaged_rows("formats.csv"):
        name, aliases = row["format"], row["aliases"].split()
        if row["kind"] == "kv":
            name = name.removeprefix("kv-")
            kv[name] = checked(KvFormat, {"name": name, "bits": row["bits_linear"]}, place)
            kv_words.update(dict.fromkeys([name, *(alias.removeprefix("kv=") for alias in aliases)], name))
            continue
        cells = {
            "name": name,
            "kind": row["kind"],
            "bits_linear": row["bits_linear"] or None,
            "bits_embedding": row["bits_embedding"] or None,
            "whole_model_bits": row["whole_model_bpw"] or None,
            "needs": () if row["needs"] == "any" else tuple(row["needs"].split()),
            "basis": row["basis"],
            "note": row["note"],
        }
        weights[name] = checked(WeightFormat, cells, place)
        weight_words.update(dict.fromkeys([name, *aliases], name))
    weights["fp16"] = weights["bf16"].model_copy(update={"name": "fp16"})
    weight_words.update(fp16="fp16", f16="fp16", float16="fp16", half="fp16")
    return weights, kv, weight_words, kv_words


def weight_format(name: str) -> WeightFormat:
    """The weight format of a canonical name; KeyError otherwise.

    >>> weight_format("q4_k_m").whole_model_bits
    4.86
    """
    return _tables()[0][name]


def kv_format(name: str) -> KvFormat:
    """The KV format of a canonical name; KeyError otherwise.

    >>> kv_format("q8_0").bits
    8.5
    """
    return _tables()[1][name]


def weight_words() -> Mapping[str, str]:
    """Every written form of a weight format, lower case, with its canonical name."""
    return MappingProxyType(_tables()[2])


def kv_words() -> Mapping[str, str]:
    """Every written form of a KV format as it stands after `kv=`, with its canonical name."""
    return MappingProxyType(_tables()[3])

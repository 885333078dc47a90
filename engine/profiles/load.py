"""What a run takes, as a sum of named parts, with the interval in which measured runs fell."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.answer import Basis, Layout, TermName
from engine.units import GB


@dataclass(frozen=True, slots=True)
class Part:
    """One named part of a run, GB over all its GPUs."""

    name: TermName
    gb: float
    formula: str
    basis: Basis = "measured"


class Share(NamedTuple):
    """One named part on one GPU, bytes."""

    name: TermName
    size_bytes: float
    formula: str


@dataclass(frozen=True, slots=True)
class Load:
    """A run: its parts over all GPUs, how they lie on the GPUs, and how far off measured runs were.

    `own_runs` are the ratios of a team's own measured runs, where the range is theirs.
    The allocator's slack is elastic on a full GPU: it counts in the need and its upper end, not in the lower one.
    `floor_gb` is what no run can do without: the lower end never lies below it.
    """

    parts: tuple[Part, ...]
    gpus: int
    layout: Layout
    low_factor: float
    high_factor: float
    evidence: str
    own_runs: tuple[float, ...] = ()
    floor_gb: float = 0.0

    @property
    def total_gb(self) -> float:
        return sum(part.gb for part in self.parts)

    @property
    def per_gpu_gb(self) -> float:
        return self.total_gb / self.gpus

    @property
    def low_gb(self) -> float:
        slack_gb = sum(part.gb for part in self.parts if part.name == "slack")
        return max(self.floor_gb, self.low_factor * (self.total_gb - slack_gb))

    @property
    def high_gb(self) -> float:
        return self.high_factor * self.total_gb


def parts_on(gpus: int, each: Iterable[Share], basis: Basis = "measured") -> tuple[Part, ...]:
    """Parts over all GPUs from those on each, what takes nothing left out."""
    return tuple(Part(one.name, one.size_bytes / GB * gpus, one.formula, basis) for one in each if one.size_bytes)


def layout_of(gpus: int, several: Layout) -> Layout:
    """The layout, `single` on one GPU."""
    return several if gpus > 1 else "single"

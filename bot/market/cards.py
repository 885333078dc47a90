"""What the templates of the market show: figures already rounded, worded and marked."""

from dataclasses import dataclass

from bot.cards import Card, Line

BEST: str = "*"
"""Stands behind the best figure of a column or row."""


@dataclass(frozen=True, slots=True)
class GpuRow:
    """One GPU of the catalog."""

    name: str
    memory: str
    bandwidth: str
    fp8: str
    link: str
    month: str
    hour: str
    usd_gb: str
    bandwidth_usd: str
    provider: str


@dataclass(frozen=True, slots=True)
class GpusCard(Card):
    """The catalog as a table.

    Attributes:
        several_providers: whose each price is stands in the table.
    """

    template = "gpus"

    title: str
    rows: tuple[GpuRow, ...]
    several_providers: bool
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One thing that the sets are held against each other in: a cell a set."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompareTable:
    """As many sets as stand side by side.

    Attributes:
        names: of the sets, whole.
        headings: the same in lines that a column holds, a cell a set.
    """

    names: tuple[str, ...]
    headings: tuple[tuple[str, ...], ...]
    rows: tuple[CompareRow, ...]


@dataclass(frozen=True, slots=True)
class CompareCard(Card):
    """Sets side by side.

    Attributes:
        notes: what has to be said beside the table.
        conclusion: which for what, and why.
    """

    template = "compare"

    title: str
    tables: tuple[CompareTable, ...]
    notes: tuple[str, ...]
    conclusion: str


@dataclass(frozen=True, slots=True)
class SheetCard(Card):
    """Labelled lines: one GPU, a cost, an advice, a plan, a catalog.

    Attributes:
        commands: to be typed as they stand, each in the parts that stay on a line.
        notes: what has to be said beside them.
    """

    template = "sheet"

    title: str
    lines: tuple[Line, ...]
    commands: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]

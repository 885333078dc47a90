"""What the templates show: one frozen dataclass a template, every number already rounded and worded.

The names of a card's fields are the variables of its template, on every platform.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


class Card:
    """Anything with a template of its own name."""

    template: ClassVar[str]


class WebPage:
    """Anything that is a web page, with a template of its own name."""

    template: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its label."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """How much of a capacity is taken: cells by term, in the order of the terms, then free ones."""

    cells: tuple[int, ...]
    free: int
    capacity: str


@dataclass(frozen=True, slots=True)
class AnswerCard(Card):
    """One answer.

    Attributes:
        need: the total, with its range where that is wide.
        sets: a line a set that the question named; its label is the verdict.
        picks: the cheapest offer (or why there is none), then at most two other ways.
    """

    template = "answer"

    title: str
    need: str
    bar: Bar | None
    terms: tuple[str, ...]
    sets: tuple[Line, ...]
    picks: tuple[Line, ...]
    ceiling: str
    warnings: tuple[str, ...]
    assumed: str
    catalog: str


@dataclass(frozen=True, slots=True)
class TermLine:
    name: str
    gb: str
    gib: str
    formula: str
    basis: str


@dataclass(frozen=True, slots=True)
class ArithmeticCard(Card):
    """How every figure of an answer comes about."""

    template = "arithmetic"

    terms: tuple[TermLine, ...]
    total: TermLine
    kv: str
    ceiling: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One reading of an ambiguous question; `ask` is the text that picks it."""

    label: str
    need: str
    ask: str


@dataclass(frozen=True, slots=True)
class ChoiceCard(Card):
    template = "choice"

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class RefusalCard(Card):
    template = "refusal"

    title: str
    problem: str


@dataclass(frozen=True, slots=True)
class HelpLine:
    usage: str
    help: str


@dataclass(frozen=True, slots=True)
class HelpCard(Card):
    template = "help"

    question: HelpLine
    examples: tuple[str, ...]
    commands: tuple[HelpLine, ...]


@dataclass(frozen=True, slots=True)
class LogRow:
    """One query in a list."""

    number: str
    asked_at: datetime
    user: str
    text: str
    result: str


@dataclass(frozen=True, slots=True)
class LogCard(Card):
    template = "log"

    title: str
    rows: tuple[LogRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class DecidedRow:
    """One decision in a list."""

    number: str
    at: datetime
    by: str
    text: str
    result: str
    note: str


@dataclass(frozen=True, slots=True)
class DecisionsCard(Card):
    template = "decisions"

    title: str
    rows: tuple[DecidedRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was asked; `private` says why others do not see it, where they do not."""

    platform: str
    channel: str
    private: str


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision on a query; `end` says what became of it, where it stands no longer."""

    by: str
    at: datetime
    note: str
    end: str


@dataclass(frozen=True, slots=True)
class ShownCard(Card):
    """What stands above a query that is shown again.

    Attributes:
        made_with: catalog and engine of the answer.
        measured: what a run really took, beside what was predicted.
    """

    template = "shown"

    number: str
    asked_at: datetime
    user: str
    where: Place
    text: str
    made_with: str
    decisions: tuple[DecisionLine, ...]
    measured: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharedCard(Card):
    """What stands above an answer that somebody shows to the channel."""

    template = "shared"

    by: str


@dataclass(frozen=True, slots=True)
class PinnedCard(Card):
    """That a query is a decision now."""

    template = "pinned"

    number: str
    by: str
    at: datetime
    note: str
    supersedes: str


@dataclass(frozen=True, slots=True)
class LoggedCard(Card):
    """What became of the query: its number, or why it has none yet; `lost` where it will never have one."""

    template = "logged"

    number: str
    reason: str
    lost: bool


@dataclass(frozen=True, slots=True)
class FailedCard(Card):
    """Something that the bot needs is away."""

    template = "failed"

    problem: str

"""The cards of the log's commands."""

from dataclasses import dataclass
from datetime import datetime

from bot.cards import Card, LogRow


@dataclass(frozen=True, slots=True)
class SaidCard(Card):
    """One line about what was done."""

    template = "said"

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One thing of an answer, then and now; `difference` is empty where nothing changed."""

    what: str
    then: str
    now: str
    difference: str


@dataclass(frozen=True, slots=True)
class AgainCard(Card):
    """A question asked again.

    Attributes:
        title: whether the answer is the same today.
        asked_at: when it was asked first.
    """

    template = "again"

    title: str
    number: str
    asked_at: datetime
    changes: tuple[ChangeLine, ...]


@dataclass(frozen=True, slots=True)
class StaleRow:
    """A decision that would be another one today, and why."""

    number: str
    at: datetime
    by: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class StaleCard(Card):
    template = "stale"

    title: str
    rows: tuple[StaleRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class MeasuredCard(Card):
    """Runs beside their predictions; a row's result says both."""

    template = "measured"

    title: str
    mean: str
    rows: tuple[LogRow, ...]
    more: str

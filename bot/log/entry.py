"""The values that go into the log and come out of it. Cheap to import: no SQLAlchemy."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

Visibility = Literal["public", "private-channel", "direct", "asker"]
Kind = Literal["answer", "choice", "refusal"]
CENT = Decimal("0.01")


class LogAway(Exception):
    """The log cannot be read or written now. `reason` is plain words, without address or password."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WrongDatabase(LogAway):
    """The setting names a database that can never be used: nothing waits for it, the setting has to be corrected."""

    def __init__(self, why: str) -> None:
        super().__init__(f"VRAM_DATABASE_URL cannot be used: {why}")


class NotLogged(LogAway):
    """A question could not be stored now. It stands in the spool, unless `lost` says that it is not kept at all."""

    def __init__(self, reason: str, *, lost: bool = False) -> None:
        super().__init__(reason)
        self.lost = lost


@dataclass(frozen=True, slots=True, kw_only=True)
class NewQuery:
    """One question with its outcome, before it has a number.

    Attributes:
        public_id: 10 characters, known before storage; button tokens and links carry it.
        event_key: unique per delivery of the platform; a second delivery with the same key makes no second row.
        asked_at: aware, in any zone; stored as UTC.
        channel: the platform's id of the channel; None in the terminal and in direct messages.
        text: as typed, capped by the caller.
        question_json: the engine's Question; None where the text could not be read.
        outcome_json: the answer, choice or refusal, as `--json` prints it.
        catalog: fingerprint of the catalog asked; `catalog_name` for people.
    """

    public_id: str
    event_key: str
    asked_at: datetime
    platform: str
    team: str
    channel: str | None
    user: str
    user_name: str
    visibility: Visibility
    text: str
    kind: Kind
    question_json: str | None
    outcome_json: str
    model: str | None
    workload: str | None
    need_gb: float | None
    gpu: str | None
    count: int | None
    usd_month: Decimal | None
    verdict: str | None
    catalog: str
    catalog_name: str
    engine_version: str
    milliseconds: float

    def __post_init__(self) -> None:
        if self.asked_at.tzinfo is None:
            raise ValueError("asked_at has no time zone; give an aware time, such as datetime.now(UTC)")


@dataclass(frozen=True, slots=True)
class Decision:
    """That somebody pinned a query, with a note."""

    note: str
    by: str
    by_name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PastDecision(Decision):
    """A decision with its end. `superseded_by`: the number of the query in its place, its own if pinned again."""

    until: datetime | None
    until_by: str | None
    superseded_by: int | None


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run of the query really took."""

    gb: float
    tokens_per_second: float | None
    note: str
    by: str
    by_name: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredQuery(NewQuery):
    """A row of the log. `number` is `#17` in the team."""

    number: int
    decision: Decision | None = None
    measured: Measured | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who reads, and where.

    Attributes:
        channel: the channel the reader is in, whose private rows may be shown there; None outside any channel.
        is_admin: may unpin and delete anybody's; sees no more than others.
        shown_to_channel: the result will be read by the whole channel, so rows for one person alone are left out.
    """

    team: str
    user: str
    channel: str | None = None
    is_admin: bool = False
    shown_to_channel: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a list is narrowed to; all given ones hold at once.

    Attributes:
        words: plain words, each found in the text, the model or the note of the decision (words.py says how).
        user: id of the asker; `user_name` is the name, upper or lower case.
        since: from this moment on.
        until: before this moment.
    """

    words: tuple[str, ...] = ()
    model: str | None = None
    gpu: str | None = None
    user: str | None = None
    user_name: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    verdict: str | None = None
    workload: str | None = None
    kind: Kind | None = None
    decided: bool | None = None
    measured: bool | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, newest first; `next` goes into the call for the page after, `previous` before; None at either end."""

    rows: tuple[StoredQuery, ...]
    next: str | None = None
    previous: str | None = None


def row_json(row: StoredQuery) -> dict[str, object]:
    """A row as `vram log --json` prints it: design's field names, numbers not rounded, money with two decimals."""
    return {
        "id": row.number,
        "asked_at": row.asked_at.isoformat(),
        "platform": row.platform,
        "team": row.team,
        "channel": row.channel,
        "user": row.user,
        "visibility": row.visibility,
        "text": row.text,
        "kind": row.kind,
        "model": row.model,
        "workload": row.workload,
        "need_gb": row.need_gb,
        "gpu": row.gpu,
        "count": row.count,
        "usd_month": None if row.usd_month is None else float(row.usd_month.quantize(CENT, ROUND_HALF_UP)),
        "verdict": row.verdict,
        "catalog": row.catalog,
        "decision": _decision_json(row.decision),
        "measured": _measured_json(row.measured),
        "milliseconds": row.milliseconds,
    }


def _decision_json(decision: Decision | None) -> Mapping[str, object] | None:
    if decision is None:
        return None
    return {"note": decision.note, "by": decision.by, "at": decision.at.isoformat()}


def _measured_json(measured: Measured | None) -> Mapping[str, object] | None:
    if measured is None:
        return None
    return {
        "gb": measured.gb,
        "tokens_per_second": measured.tokens_per_second,
        "note": measured.note,
        "by": measured.by,
        "at": measured.at.isoformat(),
    }

"""The log as people read it: a page of queries, one query shown again."""

from dataclasses import replace
from typing import Final

from pydantic import TypeAdapter

from bot.cards import LogCard, LogRow, ShownCard
from bot.log.entry import Filters, Page, StoredQuery
from bot.refusals import shown
from bot.reply import Action
from bot.wording import gpu_name, gpus, moment, total_gb, usd
from engine.answer import Answer, Choice, LogMark, Outcome, Refusal

RESULTS: Final = {"choice": "asked back", "refusal": "refused"}


def filters(words: str) -> Filters:
    """The filters that were typed behind `log`."""
    return Filters(words=tuple(words.split()))


def log_card(page: Page, words: str) -> LogCard:
    kind = f"with {shown(words, 40)}" if words else "in the log"
    if not page.rows:
        return LogCard(title=f"No questions {kind}", rows=(), more="")
    return LogCard(
        title=f"The latest questions {kind}",
        rows=tuple(_row(row) for row in page.rows),
        more="There are older ones." if page.next else "",
    )


def page_actions(page: Page, words: str) -> tuple[Action, ...]:
    """What may be done next with a page: its rows shown and pinned, the pages beside it."""
    own = tuple(
        action
        for row in page.rows
        for action in (
            Action("show", f"Show #{row.number}", row.public_id, part="rows"),
            Action("pin", f"Pin #{row.number}", row.public_id, part="rows"),
        )
        if action.code == "show" or (row.kind == "answer" and row.decision is None)
    )
    pages = (("Newer", page.previous), ("Older", page.next))
    return own + tuple(Action("next", label, argument=f"{cursor} {words}".strip()) for label, cursor in pages if cursor)


def decided_card(page: Page) -> LogCard:
    """The latest decisions, each with its note."""
    if not page.rows:
        return LogCard(title="No decisions yet", rows=(), more="")
    rows = tuple(replace(_row(row), result=_decided(row)) for row in page.rows)
    return LogCard(title="The latest decisions", rows=rows, more="")


def _decided(row: StoredQuery) -> str:
    note = shown(row.decision.note) if row.decision else ""
    return " · ".join(filter(None, (_result(row), note)))


def _row(row: StoredQuery) -> LogRow:
    return LogRow(
        number=f"#{row.number}",
        asked_at=moment(row.asked_at),
        user=row.user_name,
        text=shown(row.text),
        result=_result(row),
    )


def _result(row: StoredQuery) -> str:
    if row.need_gb is None:
        return RESULTS[row.kind]
    need = total_gb(row.need_gb, None)
    if row.gpu is None or row.usd_month is None:
        return need
    return f"{need} · {gpus(gpu_name(row.gpu), row.count or 1)} {usd(row.usd_month)}"


def shown_card(row: StoredQuery) -> ShownCard:
    return ShownCard(
        number=f"#{row.number}", asked_at=f"{moment(row.asked_at)} UTC", user=row.user_name, text=shown(row.text)
    )


def stored_outcome(row: StoredQuery) -> Answer | Choice | Refusal:
    """The outcome of a row, with its number."""
    outcome: Answer | Choice | Refusal = _outcomes().validate_json(row.outcome_json)
    return outcome.model_copy(update={"log": LogMark(id=row.number)})


def _outcomes() -> TypeAdapter[Answer | Choice | Refusal]:
    return TypeAdapter(Outcome)

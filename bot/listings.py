"""The log as people read it: pages of queries, and the outcome that is stored with one."""

from typing import Final

from pydantic import TypeAdapter

from bot.cards import DecidedRow, DecisionsCard, LogCard, LogRow
from bot.log.entry import Decision, Page, StoredQuery
from bot.refusals import shown
from bot.reply import Action
from bot.wording import gpu_name, gpus, total_gb, usd
from engine.answer import Answer, Choice, LogMark, Outcome, Refusal

RESULTS: Final = {"choice": "asked back", "refusal": "refused"}


def log_card(page: Page, words: str) -> LogCard:
    kind = f"with {shown(words, 40)}" if words else "in the log"
    if not page.rows:
        return LogCard(title=f"No questions {kind}", rows=(), more="")
    return LogCard(
        title=f"The latest questions {kind}",
        rows=tuple(log_row(row) for row in page.rows),
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


def decided_card(page: Page, words: str = "") -> DecisionsCard:
    """The latest decisions, each with its note."""
    others = " ".join(word for word in words.split() if not word.lower().startswith("decided"))
    kind = f" with {shown(others, 40)}" if others else ""
    if not page.rows:
        return DecisionsCard(title=f"No decisions{kind or ' yet'}", rows=(), more="")
    rows = tuple(_decided(row, row.decision) for row in page.rows if row.decision)
    more = "There are older ones." if page.next else ""
    return DecisionsCard(title=f"The latest decisions{kind}", rows=rows, more=more)


def _decided(row: StoredQuery, decision: Decision) -> DecidedRow:
    return DecidedRow(
        number=f"#{row.number}",
        at=decision.at,
        by=decision.by_name,
        text=shown(row.text, 40),
        result=_result(row),
        note=shown(decision.note, 200),
    )


def log_row(row: StoredQuery) -> LogRow:
    """One line of a list."""
    return LogRow(
        number=f"#{row.number}",
        asked_at=row.asked_at,
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


def stored_outcome(row: StoredQuery) -> Answer | Choice | Refusal:
    """The outcome of a row, with its number."""
    outcome: Answer | Choice | Refusal = _outcomes().validate_json(row.outcome_json)
    return outcome.model_copy(update={"log": LogMark(id=row.number)})


def _outcomes() -> TypeAdapter[Answer | Choice | Refusal]:
    return TypeAdapter(Outcome)

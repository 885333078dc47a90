"""Request and outcome -> the row of the log."""

from datetime import datetime
from typing import Final

from bot.log.entry import NewQuery, Visibility
from bot.reply import Request
from engine import ENGINE_VERSION
from engine.answer import Answer, CatalogMark, Choice, Refusal, SetVerdict
from engine.question import Question

MOST_CHARACTERS: Final = 500
"""A question is never longer (design: the language of questions); of longer texts the log keeps so much."""


def new_query(
    request: Request,
    outcome: Answer | Choice | Refusal,
    question: Question | None,
    *,
    public_id: str,
    asked_at: datetime,
    catalog: CatalogMark,
    milliseconds: float,
) -> NewQuery:
    answer = outcome if isinstance(outcome, Answer) else None
    verdict = answer.verdicts[0] if answer and answer.verdicts else None
    pick = answer.pick if answer else None
    private = question is not None and question.private
    visibility: Visibility = "asker" if private else request.visibility
    return NewQuery(
        public_id=public_id,
        event_key=request.event_key,
        asked_at=asked_at,
        platform=request.platform,
        team=request.team,
        channel=request.channel,
        user=request.user,
        user_name=request.user_name,
        visibility=visibility,
        text=request.text[:MOST_CHARACTERS],
        kind=outcome.kind,
        question_json=question.model_dump_json() if question else None,
        outcome_json=outcome.model_dump_json(by_alias=True),
        model=answer.question.model if answer else None,
        workload=answer.question.workload if answer else None,
        need_gb=answer.need.total_gb if answer else None,
        gpu=pick.gpu if pick else None,
        count=pick.count if pick else None,
        usd_month=pick.usd_month if pick else None,
        verdict=_verdict(answer, verdict),
        catalog=catalog.fingerprint,
        catalog_name=catalog.name,
        engine_version=ENGINE_VERSION,
        milliseconds=milliseconds,
    )


def _verdict(answer: Answer | None, named: SetVerdict | None) -> str | None:
    """The verdict on the first named set, else on the pick; `no` where there is neither."""
    if answer is None:
        return None
    if named:
        return named.verdict
    return answer.pick.verdict if answer.pick else "no"

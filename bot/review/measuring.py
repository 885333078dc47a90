"""`measured N 31.2GB [42tok/s] [note]`: what a run really took, kept beside what was predicted."""

from bot.commands import Called
from bot.listings import stored_outcome
from bot.log.entry import Measured, StoredQuery
from bot.refusals import capital
from bot.reply import Reply, Request
from bot.review.errors_of_runs import measured_lines
from bot.review.pinning import MOST_NOTE_CHARACTERS, asked_for, said
from bot.review.run_words import SURE, Run, doubts, run_of
from bot.review.viewers import viewer_of
from bot.tools import Tools
from engine.answer import Answer
from engine.errors import ImpossibleValue, NoSuchQuery


async def measured(tools: Tools, call: Called, request: Request) -> Reply:
    """Records a run; a figure that looks wrong is asked back first."""
    viewer = viewer_of(tools, request)
    row = await asked_for(tools, viewer, call)
    if row.need_gb is None:
        raise ImpossibleValue(f"measured {row.number}", reason="it has no answer that a run could be held against")
    run = run_of(call.words)
    if not run.is_sure and (asked := _doubts(run, row)):
        raise ImpossibleValue(reason=". ".join((*map(capital, asked), _sure(row, call.words, run))))
    kept = await tools.log.measured(
        viewer,
        row.number,
        Measured(
            gb=run.gb,
            tokens_per_second=run.tokens_per_second,
            note=run.note[:MOST_NOTE_CHARACTERS],
            by=request.user,
            by_name=request.user_name,
            at=tools.clock.now(),
        ),
    )
    if kept is None:
        raise NoSuchQuery(f"#{row.number}")
    return said(tools, "Measured", " · ".join((f"#{kept.number}", *measured_lines(kept))))


def _doubts(run: Run, row: StoredQuery) -> tuple[str, ...]:
    outcome = stored_outcome(row)
    if not isinstance(outcome, Answer):
        return ()
    gpus = outcome.verdicts[0].count if outcome.verdicts else row.count or 1
    return doubts(run, row.need_gb, _ceiling(outcome), row.number, gpus)


def _ceiling(answer: Answer) -> float | None:
    """Tokens/s of one stream at most, on the GPUs that were named or picked; None where it is about no one stream."""
    asked = answer.question
    if asked.workload != "infer" or asked.batch != 1 or (asked.users or 1) != 1:
        return None
    if answer.verdicts:
        speeds = [one.tokens_per_second_tensor_parallel or one.tokens_per_second for one in answer.verdicts]
        return max(filter(None, speeds), default=None)
    return answer.ceiling.tokens_per_second if answer.ceiling else None


def _sure(row: StoredQuery, words: str, run: Run) -> str:
    figures = words[: len(words) - len(run.note)].strip() if run.note else words.strip()
    return f"If it is right as it stands, write measured {' '.join((str(row.number), figures, SURE, run.note)).strip()}"

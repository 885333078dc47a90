"""A stored question sized with today's engine and catalog."""

from pydantic import ValidationError

from bot.choices import settled
from bot.grammar import read
from bot.listings import stored_outcome
from bot.log.entry import StoredQuery
from bot.own_runs import own_runs
from bot.refusals import refusal
from bot.review.changes import Changes
from bot.tools import Tools
from engine.answer import Answer, Choice, Refusal
from engine.errors import EngineError
from engine.question import Question
from engine.size import size


class OwnRuns:
    """The measured runs of one team, by engine; each engine is asked for once."""

    def __init__(self, tools: Tools, team: str) -> None:
        self._tools = tools
        self._team = team
        self._known: dict[str | None, tuple[float, ...]] = {}

    async def of(self, question: Question | None) -> tuple[float, ...]:
        engine = question.engine if question else None
        if engine not in self._known:
            self._known[engine] = await own_runs(self._tools.log, self._team, engine)
        return self._known[engine]


async def sized_again(
    tools: Tools, row: StoredQuery, runs: OwnRuns
) -> tuple[Answer | Choice | Refusal, Question | None]:
    """The outcome today, and the question as it was stored."""
    question = stored_question(row)
    today = tools.clock.now().date()
    try:
        if question is not None:
            return size(question, tools.catalog, today=today, own_runs=await runs.of(question)), question
        return settled(row.text, read(row.text), lambda one: size(one, tools.catalog, today=today))
    except EngineError as error:
        return refusal(row.text, error), question


async def changes_of(tools: Tools, row: StoredQuery, runs: OwnRuns) -> Changes | Refusal | Choice | None:
    """What would be different; the outcome itself where it is no answer today, None where it never was one."""
    then = stored_outcome(row)
    if not isinstance(then, Answer):
        return None
    now, _ = await sized_again(tools, row, runs)
    return Changes(then, now) if isinstance(now, Answer) else now


def stored_question(row: StoredQuery) -> Question | None:
    """The question of a row; None where it could not be read, or a newer release wrote it."""
    if row.question_json is None:
        return None
    try:
        return Question.model_validate_json(row.question_json)
    except ValidationError:
        return None

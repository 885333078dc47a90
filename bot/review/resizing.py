"""A stored question sized with today's engine and catalog."""

from pydantic import ValidationError

from bot.choices import settled
from bot.grammar import read
from bot.listings import stored_outcome
from bot.log.entry import StoredQuery
from bot.refusals import refusal
from bot.review.changes import Changes
from bot.tools import Tools
from engine.answer import Answer, Choice, Refusal
from engine.errors import EngineError
from engine.question import Question
from engine.size import size


def sized_again(tools: Tools, row: StoredQuery) -> tuple[Answer | Choice | Refusal, Question | None]:
    """The outcome today, and the question as it was stored."""
    question = stored_question(row)
    today = tools.clock.now().date()
    try:
        if question is not None:
            return size(question, tools.catalog, today=today), question
        return settled(row.text, read(row.text), lambda one: size(one, tools.catalog, today=today))
    except EngineError as error:
        return refusal(row.text, error), question


def changes_of(tools: Tools, row: StoredQuery) -> Changes | Refusal | Choice | None:
    """What would be different; the outcome itself where it is no answer today, None where it never was one."""
    then = stored_outcome(row)
    if not isinstance(then, Answer):
        return None
    now, _ = sized_again(tools, row)
    return Changes(then, now) if isinstance(now, Answer) else now


def stored_question(row: StoredQuery) -> Question | None:
    """The question of a row; None where it could not be read, or a newer release wrote it."""
    if row.question_json is None:
        return None
    try:
        return Question.model_validate_json(row.question_json)
    except ValidationError:
        return None

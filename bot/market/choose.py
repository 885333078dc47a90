"""A question that has several readings, asked back with the command's own words before each."""

from collections.abc import Iterable

from bot.choices import choice_card
from bot.grammar import LabelledQuestion
from bot.reply import Reply
from bot.tools import Tools
from engine import size
from engine.answer import Choice, ChoiceOption
from engine.errors import EngineError


def back_with(tools: Tools, text: str, options: Iterable[LabelledQuestion], words: str) -> Reply:
    """The reply that asks which reading is meant; `words` stand before each one's own.

    It has no buttons: they would need a logged query to come back to.
    """
    choices = tuple(
        ChoiceOption(label=option.label, ask=f"{words} {option.ask}", need_gb=_need_gb(tools, option))
        for option in options
    )
    outcome = Choice(text=text, choices=choices)
    return Reply("choice", "asker", tools.renderer.parts(choice_card(outcome)), outcome=outcome)


def _need_gb(tools: Tools, option: LabelledQuestion) -> float | None:
    try:
        return size(option.question, tools.catalog).need.total_gb
    except EngineError:
        return None

"""Which function answers which command. Imported when it is called: a question's card never waits for a command's code.

A use case raises EngineError for what cannot be; the service words it.
"""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Final, cast

from bot.commands import Called
from bot.reply import Reply, Request
from bot.tools import Tools

UseCase = Callable[[Tools, Called, Request], Reply]
LogUseCase = Callable[[Tools, Called, Request], Awaitable[Reply]]


_CALCULATED: Final = {
    "accuracy": "bot.accuracy:accuracy",
    "advise": "bot.market.advise:advise",
    "catalog": "bot.market.catalog:catalog",
    "compare": "bot.market.compare:compare",
    "cost": "bot.market.cost:cost",
    "gpus": "bot.market.gpus:gpus",
    "help": "bot.help_card:help_",
    "models": "bot.model_list:models",
    "plan": "bot.market.plan:plan",
}
"""Commands that need no log: module and function."""

_LOGGED: Final = {
    "again": "bot.review.again:again",
    "compare": "bot.market.compare_measured:compare_measured",
    "forget": "bot.review.forgetting:forget",
    "log": "bot.review.listing:log",
    "measured": "bot.review.measuring:measured",
    "pin": "bot.review.pinning:pin",
    "show": "bot.review.showing:show",
    "unpin": "bot.review.pinning:unpin",
}
"""Commands that need the log."""


def calculated(word: str) -> UseCase:
    """The use case of a command that needs no log."""
    return cast("UseCase", _imported(_CALCULATED[word]))


def logged(word: str) -> LogUseCase:
    """The use case of a command that needs the log."""
    return cast("LogUseCase", _imported(_LOGGED[word]))


def _imported(place: str) -> object:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)

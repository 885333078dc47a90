"""Which function answers which command. Imported when it is called: a question's card never waits for a command's code.

A use case raises EngineError for what cannot be; the service words it.
"""

from collections.abc import Awaitable, Callable

from bot.commands import Called
from bot.reply import Reply, Request
from bot.tools import Tools

UseCase = Callable[[Tools, Called, Request], Reply]
LogUseCase = Callable[[Tools, Called, Request], Awaitable[Reply]]


def calculated(word: str) -> UseCase:
    """The use case of a command that needs no log."""
    match word:
        case "accuracy":
            from bot.accuracy import accuracy as found
        case "models":
            from bot.model_list import models as found
        case _:
            from bot.help_card import help_ as found
    return found

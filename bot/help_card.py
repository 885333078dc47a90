"""The table of commands -> help."""

from collections.abc import Mapping

from bot.cards import HelpCard, HelpLine
from bot.commands import COMMANDS, QUESTION_EXAMPLES, QUESTION_HELP, QUESTION_USAGE, Called, Command, Surface
from bot.reply import Reply, Request
from bot.tools import Tools


def _on(surface: Surface) -> tuple[Command, ...]:
    return tuple(command for command in COMMANDS if surface in command.surfaces)


def help_card(surface: Surface) -> HelpCard:
    return HelpCard(
        question=HelpLine(QUESTION_USAGE, QUESTION_HELP),
        examples=QUESTION_EXAMPLES,
        commands=tuple(HelpLine(command.usage, command.help) for command in _on(surface)),
    )


def help_rows(surface: Surface) -> tuple[Mapping[str, object], ...]:
    """Help as JSON has it."""
    return tuple(
        {"word": command.word, "usage": command.usage, "help": command.help, "example": command.example}
        for command in _on(surface)
    )


def help_(tools: Tools, _call: Called, _request: Request) -> Reply:
    """What can be asked and called here."""
    parts = tools.renderer.parts(help_card(tools.surface))
    return Reply("list", "asker", parts, rows=help_rows(tools.surface))

"""The table of commands -> help."""

from collections.abc import Mapping

from bot.cards import HelpCard, HelpLine
from bot.commands import COMMANDS, QUESTION_EXAMPLES, QUESTION_HELP, QUESTION_USAGE, Command, Surface


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

"""The table of commands as Discord's: `/vram` with the fields of the form, `/vram-log` and so on a row each.

Discord sorts and completes commands by name and shows only the options of one, so every command word is a command of
its own: one with options cannot have subcommands.
"""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from typing import Any, Final, cast

import discord
from discord import app_commands

from adapters.discord import limits
from bot.autocomplete import Suggestion
from bot.commands import COMMANDS, QUESTION_HELP, Command
from bot.form import FIELDS, QUESTION, QUESTION_FIELD_HELP, Field

Interaction = discord.Interaction[Any]
Given = Mapping[str, str | int | bool]
Asked = Callable[[Interaction, Given], Awaitable[None]]
Callback = Callable[..., Coroutine[Any, Any, None]]

NAME: Final = "vram"
NUMBER: Final = "number"
WORDS: Final = "words"
TYPES: Final[Mapping[str, Any]] = {"words": str, "number": int, "flag": bool}
"""Discord sees to the type. What a number may be is the grammar's to say, in a sentence."""

EVERYWHERE: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
BOTH_INSTALLS: Final = app_commands.AppInstallationType(guild=True, user=True)


def commands(question: Asked, called: Callable[[Command], Asked]) -> list[app_commands.Command[Any, ..., None]]:
    """All commands.

    Args:
        question: what `/vram` does.
        called: what the command of a row does.
    """
    free_text = Field(QUESTION, QUESTION_FIELD_HELP, frozenset())
    made = [_command(NAME, QUESTION_HELP, (free_text, *FIELDS), question)]
    rows = (row for row in COMMANDS if "chat" in row.surfaces)
    return made + [_command(f"{NAME}-{row.word}", row.help, tuple(_fields(row)), called(row)) for row in rows]


def text_of(row: Command, given: Given) -> str:
    """The words that call a command.

    >>> from bot.commands import BY_WORD
    >>> text_of(BY_WORD["show"], {"number": 17})
    'show 17'
    """
    return " ".join((row.word, *(str(given[name]).strip() for name in (NUMBER, WORDS) if name in given)))


def completed(command: str, option: str, typed: str) -> tuple[Suggestion, ...]:
    """What may be meant by the beginning of an option's value."""
    field = next((one for one in FIELDS if command == NAME and one.name == option), None)
    return field.complete(typed)[: limits.CHOICES] if field and field.complete else ()


def choices(suggestions: tuple[Suggestion, ...]) -> list[app_commands.Choice[str]]:
    """Suggestions as Discord takes them; a value that is too long would be another one when cut, so it is left out."""
    return [
        app_commands.Choice(name=limits.cut(one.label, limits.CHOICE), value=one.value)
        for one in suggestions
        if len(one.value) <= limits.CHOICE
    ][: limits.CHOICES]


def _fields(row: Command) -> Iterator[Field]:
    """The options of a row, from its form and its usage."""
    usage = f"{row.usage} · {row.example}"
    words = row.usage.split()[1:]
    if row.form == "number":
        yield Field(NUMBER, usage, frozenset(), kind="number", required=True)
        words = words[1:]
    if words and row.form != "alone":
        yield Field(WORDS, usage, frozenset(), required=not words[0].startswith(("[", "…")))


def _command(
    name: str, description: str, fields: tuple[Field, ...], run: Asked
) -> app_commands.Command[Any, ..., None]:
    return app_commands.Command(
        name=name[: limits.COMMAND_NAME],
        description=limits.cut(description, limits.COMMAND_DESCRIPTION),
        callback=_callback(fields, run),
        allowed_contexts=EVERYWHERE,
        allowed_installs=BOTH_INSTALLS,
        auto_locale_strings=False,
    )


def _callback(fields: tuple[Field, ...], run: Asked) -> Callback:
    """A callback whose signature has an argument a field: that is where discord.py reads options from."""

    async def callback(interaction: Interaction, **options: str | int | bool | None) -> None:
        await run(interaction, {name: value for name, value in options.items() if value is not None})

    described = cast("Any", callback)
    described.__signature__ = inspect.Signature([_parameter("interaction", Interaction), *map(_option, fields)])
    app_commands.describe(**{field.name: limits.cut(field.help, limits.COMMAND_DESCRIPTION) for field in fields})(
        described
    )
    app_commands.choices(**{field.name: choices(field.choices) for field in fields if field.choices})(described)
    app_commands.autocomplete(**{field.name: _complete for field in fields if field.complete})(described)
    return callback


def _option(field: Field) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.required else None
    return _parameter(field.name, TYPES[field.kind] if field.required else TYPES[field.kind] | None, default)


def _parameter(name: str, annotation: object, default: object = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation, default=default)


async def _complete(_interaction: Interaction, _typed: str) -> list[app_commands.Choice[str]]:
    """Marks an option as one that completes. The tree answers by itself (connection.py), since it may be too late."""
    return []

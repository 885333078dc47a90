"""`vram`: the words are the question.

The card is printed before the query is stored, so that nobody waits for a database; only then is asyncio, and with it
the database's client, imported.
"""

import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from adapters.terminal.output import is_utf8, prepare, show, to_nowhere
from bot.documents import json_text
from bot.log.entry import Viewer
from bot.reply import Recorded, Reply, Request, bug_text
from bot.service import Service

if TYPE_CHECKING:
    from adapters.terminal.keeping import Keeper

EXPORT: Final = "export"
KEEPING: Final = (EXPORT, "prune")
MOST_CONFIG_CHARACTERS: Final = 1_000_000
FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
HELP_FLAGS: Final = ("--help", "-h", "-?")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Desk:
    """What the terminal needs, made by the composition root.

    Attributes:
        new_key: unique for each question.
        close: closes the log where it was opened.
        keeper: what export and prune need.
    """

    service: Service
    team: str
    user: str
    new_key: Callable[[], str]
    close: Callable[[], Awaitable[None]]
    keeper: "Callable[[], Keeper]"


@dataclass(frozen=True, slots=True)
class Manner:
    """How the reply is wanted."""

    as_json: bool = False
    arithmetic: bool = False
    mention: bool = False
    plain: bool = False


SetUp = Callable[[Manner], Desk]


def run(arguments: Sequence[str], set_up: SetUp, version: str, report_bug: Callable[[Exception], str]) -> int:
    """Asks, prints, stores. Returns the exit status.

    Args:
        arguments: of the command line, without the command.
        set_up: makes the desk, once it is known how the reply is wanted.
        version: what `--version` prints.
        report_bug: keeps the traceback of a bug and says what it is quoted by.
    """
    prepare((sys.stdout, sys.stderr))
    try:
        done: int = vram.main(list(arguments), "vram", standalone_mode=False, obj=(set_up, version))
    except click.ClickException as error:
        show(error.format_message(), sys.stderr)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the one handler of bugs: kept, and said in one sentence
        show(bug_text(report_bug(error)), sys.stderr)
        return FAILED
    return done


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.option("--json", "as_json", is_flag=True)
@click.option("--arithmetic", is_flag=True)
@click.option("--mention", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--version", "wants_version", is_flag=True)
@click.option("--config", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def vram(
    given: tuple[SetUp, str], /, words: tuple[str, ...], *, wants_version: bool, config: Path | None, **manner: bool
) -> int:
    """The command. Words that begin with a dash and are no option of ours belong to the question."""
    set_up, version = given
    if wants_version:
        show(f"vram {version}", sys.stdout)
        return 0
    if (not words and config is None) or (len(words) == 1 and words[0] in HELP_FLAGS):
        words = ("help",)
    wanted = Manner(**manner)
    desk = set_up(wanted)
    if words and (words[0].lower() in KEEPING and (len(words) == 1 or words[0].lower() == EXPORT)):
        return _kept(desk, words)
    return _ask(desk, _request(desk, " ".join(words), config, wanted), wanted)


def _kept(desk: Desk, words: tuple[str, ...]) -> int:
    """What only the terminal does with the log."""
    from adapters.terminal.keeping import export, prune  # noqa: PLC0415 - not before a card

    viewer = Viewer(team=desk.team, user=desk.user)
    work = export(desk.keeper(), viewer, words[1:]) if words[0].lower() == EXPORT else prune(desk.keeper())
    try:
        return _run(_closing(desk, work))
    except BrokenPipeError:
        to_nowhere(sys.stdout)  # whoever read has enough
        return 0


def _request(desk: Desk, text: str, config: Path | None, manner: Manner) -> Request:
    return Request(
        text=text,
        platform="terminal",
        team=desk.team,
        user=desk.user,
        user_name=desk.user,
        event_key=desk.new_key(),
        mention=manner.mention,
        config=_config(config) if config else None,
        config_name=_config_name(config) if config else "",
        arithmetic=manner.arithmetic,
    )


def _config(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(MOST_CONFIG_CHARACTERS)
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}.", param_hint="--config") from error


def _config_name(path: Path) -> str:
    """A model's folder says its name, where the file has the usual one."""
    return path.resolve().parent.name if path.name == "config.json" else path.stem


def _ask(desk: Desk, request: Request, manner: Manner) -> int:
    if desk.service.reads_log(request.text):
        reply = _run(_closing(desk, desk.service.handle(request)))
        _print(reply, None, manner)
        if not manner.as_json:
            _print_page(reply)
        return reply.exit_status
    own_runs = _run(_closing(desk, desk.service.own_runs(request))) if desk.service.engine_of(request) else ()
    reply = desk.service.answer(request, own_runs)
    if not manner.as_json:
        _print(reply, None, manner)
    recorded = _run(_closing(desk, desk.service.record(reply))) if reply.entry else Recorded(None, "", "")
    if manner.as_json:
        _print(reply, recorded.number, manner)
    unlogged = manner.as_json and recorded.number is None
    if unlogged or not manner.as_json:
        show(recorded.text, sys.stderr if unlogged else sys.stdout)
    return reply.exit_status


def _print(reply: Reply, number: int | None, manner: Manner) -> None:
    text = json_text(reply, number, ascii_only=not is_utf8(sys.stdout)) if manner.as_json else reply.text
    show(text, sys.stdout)


def _print_page(reply: Reply) -> None:
    """Where the same can be seen in a browser."""
    for action in reply.actions:
        if action.code == "open":
            show(f"Page      {action.argument}", sys.stdout)


async def _closing(desk: Desk, work: Coroutine[object, object, Result]) -> Result:
    try:
        return await work
    finally:
        await desk.close()


def _run(work: Coroutine[object, object, Result]) -> Result:
    import asyncio  # noqa: PLC0415 - not before the card is on the screen

    return asyncio.run(work)

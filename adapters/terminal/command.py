"""`vram`: the words are the question.

The card is printed before the query is stored, so that nobody waits for a database; only then is asyncio, and with it
the database's client, imported.
"""

import json
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from adapters.terminal.output import NotWritten, complain, is_utf8, prepare, show
from bot.commands import BY_WORD, called
from bot.documents import json_text
from bot.grammar import normalise
from bot.log.entry import Viewer
from bot.refusals import refusal
from bot.reply import Recorded, Reply, Request, bug_text
from bot.service import Service
from engine.errors import ImpossibleValue

if TYPE_CHECKING:
    from adapters.terminal.keeping import Keeper

EXPORT: Final = "export"
KEEPING: Final = (EXPORT, "prune")
MOST_CONFIG_BYTES: Final = 1_000_000
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
        _show_usage(error, as_json="--json" in arguments)
        return USAGE
    except NotWritten as error:
        complain(str(error))
        return FAILED
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the one handler of bugs: kept, and said in one sentence
        complain(bug_text(report_bug(error)))
        return FAILED
    return done


def _show_usage(error: click.ClickException, *, as_json: bool) -> None:
    """What is wrong with the command line itself; as JSON it is a refusal like any other."""
    said = error.format_message().rstrip(".")
    complain(f"{said}.")
    if as_json:
        outcome = refusal("", ImpossibleValue(reason=said))
        show(json_text(Reply("refusal", "asker", {}, outcome=outcome), None), sys.stdout)


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.option("--json", "as_json", is_flag=True)
@click.option("--arithmetic", is_flag=True)
@click.option("--mention", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--version", "wants_version", is_flag=True)
@click.option("--config")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def vram(
    given: tuple[SetUp, str], /, words: tuple[str, ...], *, wants_version: bool, config: str | None, **manner: bool
) -> int:
    """The command. Words that begin with a dash and are no option of ours belong to the question."""
    set_up, version = given
    if wants_version:
        show(f"vram {version}", sys.stdout)
        return 0
    if (not words and config is None) or _wants_help(words):
        words = ("help",)
    wanted = Manner(**manner)
    desk = set_up(wanted)
    text = " ".join(words)
    call = called(normalise(text), "terminal")
    if call is not None and call.command.word in KEEPING:
        return _kept(desk, call.command.word, text.split()[1:])
    return _ask(desk, _request(desk, text, config, wanted), wanted)


def _wants_help(words: Sequence[str]) -> bool:
    """A flag of help before anything, or behind a command alone: `log --help`."""
    first, *rest = normalise(" ".join(words)).split() or [""]
    return first in HELP_FLAGS or (first.lower() in BY_WORD and len(rest) == 1 and rest[0] in HELP_FLAGS)


def _kept(desk: Desk, word: str, words: Sequence[str]) -> int:
    """What only the terminal does with the log."""
    from adapters.terminal.keeping import export, prune  # noqa: PLC0415 - not before a card

    viewer = Viewer(team=desk.team, user=desk.user)
    keeper = desk.keeper()
    try:
        return _run(_closing(desk, lambda: export(keeper, viewer, words) if word == EXPORT else prune(keeper)))
    except BrokenPipeError:
        return 0  # whoever read has enough


def _request(desk: Desk, text: str, config: str | None, manner: Manner) -> Request:
    if config == "":
        raise click.BadParameter("it names no file; a model's config.json is meant", param_hint="--config")
    return Request(
        text=text,
        platform="terminal",
        team=desk.team,
        user=desk.user,
        user_name=desk.user,
        event_key=desk.new_key(),
        mention=manner.mention,
        config=_config(Path(config)) if config else None,
        config_name=_config_name(Path(config)) if config else "",
        arithmetic=manner.arithmetic,
    )


def _config(path: Path) -> str:
    try:
        with path.open("rb") as file:
            held = file.read(MOST_CONFIG_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "that is no name of a file"
        raise click.BadParameter(f"{path}: {reason}.", param_hint="--config") from None
    if len(held) > MOST_CONFIG_BYTES:
        too_large = "it is larger than 1 MB, and a model's config.json never is"
        raise click.BadParameter(f"{path}: {too_large}.", param_hint="--config")
    return held.decode(json.detect_encoding(held), errors="replace")


def _config_name(path: Path) -> str:
    """A model's folder says its name, where the file has the usual one."""
    return path.resolve().parent.name if path.name == "config.json" else path.stem


def _ask(desk: Desk, request: Request, manner: Manner) -> int:
    if desk.service.reads_log(request.text):
        reply = _run(_closing(desk, lambda: desk.service.handle(request)))
        _print(reply, None, manner)
        if not manner.as_json:
            _print_page(reply)
        return reply.exit_status
    own_runs = _run(_closing(desk, lambda: desk.service.own_runs(request))) if desk.service.engine_of(request) else ()
    reply = desk.service.answer(request, own_runs)
    if manner.as_json:
        recorded = _recorded(desk, reply)
        _print(reply, recorded.number, manner)
        if recorded.number is None:
            complain(recorded.text)
        return reply.exit_status
    try:
        _print(reply, None, manner)
    finally:  # what was asked is logged, also where its answer cannot be shown
        recorded = _recorded(desk, reply)
    show(recorded.text, sys.stdout)
    return reply.exit_status


def _recorded(desk: Desk, reply: Reply) -> Recorded:
    return _run(_closing(desk, lambda: desk.service.record(reply))) if reply.entry else Recorded(None, "", "")


def _print(reply: Reply, number: int | None, manner: Manner) -> None:
    text = json_text(reply, number, ascii_only=not is_utf8(sys.stdout)) if manner.as_json else reply.text
    show(text, sys.stdout)


def _print_page(reply: Reply) -> None:
    """Where the same can be seen in a browser."""
    for action in reply.actions:
        if action.code == "open":
            show(f"Page      {action.argument}", sys.stdout)


async def _closing(desk: Desk, work: Callable[[], Awaitable[Result]]) -> Result:
    try:
        return await work()
    finally:
        await desk.close()


def _run(work: Coroutine[object, object, Result]) -> Result:
    try:
        import asyncio  # noqa: PLC0415 - not before the card is on the screen

        return asyncio.run(work)
    finally:
        work.close()  # where Ctrl-C came before it began

"""Composition root and process entry: puts the parts together, imported by nothing.

What a question does not need is not imported before its card is on the screen: chat SDKs never, the database's client
after it. Hence imports stand where they are needed here (check: tests/adapters/test_cold_start.py). Nothing that has to
be loaded is imported before `main`, so that Ctrl-C is caught from the first moment.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final, NoReturn

    from adapters.catalogs import FilesOnDisk
    from adapters.settings import Settings
    from adapters.terminal.command import Desk, Manner
    from adapters.terminal.keeping import Keeper
    from bot.ports import Clock, Links
    from engine import Catalog

LOCAL_TEAM: Final = "local"
LOG_FILE: Final = "vram.log"
TERMINAL_PAGE_ROWS: Final = 20
FLAGS: Final = frozenset({"--", "--json", "--arithmetic", "--mention", "--plain"})
FAILED: Final = 1
INTERRUPTED: Final = 130


def main() -> NoReturn:
    gc.disable()  # imports make many objects and hardly any garbage: looking for it takes 7% of a question's time
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # there are none, and looking for them takes 20 ms
    try:
        load()
        sys.exit(terminal())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def load() -> None:
    """Imports what every question needs. Ctrl-C just ends the process meanwhile: compiled code takes no exception."""
    import signal

    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    import adapters.settings
    import adapters.terminal.command  # noqa: F401 - for those who import a part of it

    signal.signal(signal.SIGINT, usual)


def terminal() -> int:
    """The words of the command line, asked. Returns the exit status."""
    from adapters import VERSION
    from adapters.settings import SettingsError, settings
    from adapters.storage import check_spool
    from adapters.terminal.command import run
    from adapters.terminal.output import complain

    try:
        known = settings(os.environ)
        check_spool(known)
    except SettingsError as error:
        complain(str(error))
        return FAILED
    words = words_of(sys.argv[1:])
    command = command_of(words)
    if command == "serve":
        from adapters.serve import serve

        return serve(known)
    if command == "discord-sync":
        from adapters.sync_discord import discord_sync

        return discord_sync(known, words[1:])
    try:
        checks = command == "catalog" and words[1:2] == ["check"]
        catalog = chosen_catalog(() if checks else known.catalogs)
    except SettingsError as error:
        complain(str(error))
        return FAILED
    files = files_on_disk() if command == "catalog" else None
    return run(sys.argv[1:], lambda manner: terminal_desk(known, manner, catalog, files), VERSION, report_bug)


def words_of(arguments: Sequence[str]) -> list[str]:
    """The words of a command line, without the options that say how the reply is wanted."""
    rest = iter(arguments)
    kept = []
    for argument in rest:
        if argument == "--config":
            next(rest, "")
        elif argument not in FLAGS and not argument.startswith("--config="):
            kept.append(argument)
    return " ".join(kept).split()


def command_of(words: Sequence[str]) -> str:
    """The command that the words call; empty where they are a question."""
    from bot.commands import called
    from bot.grammar import normalise

    call = called(normalise(" ".join(words)), "terminal")
    return call.command.word if call else ""


def terminal_desk(known: Settings, manner: Manner, catalog: Catalog, files: FilesOnDisk | None = None) -> Desk:
    """Everything that the terminal needs; nothing is opened yet."""
    from adapters.storage import LogOnDemand
    from adapters.system import RandomId, SystemClock
    from adapters.terminal.command import Desk
    from adapters.terminal.output import caller, has_blocks, wants_colour
    from bot.rendering import Renderer
    from bot.service import Service

    log, ids, clock = LogOnDemand(known, keep_diagnosis), RandomId(), SystemClock()
    colour = wants_colour(sys.stdout, plain=manner.plain, no_color=known.no_color, terminal=os.environ.get("TERM", ""))
    service = Service(
        catalog=catalog,
        clock=clock,
        new_id=ids,
        renderer=Renderer("terminal", colour=colour, blocks=has_blocks(sys.stdout)),
        log=log,
        surface="terminal",
        page_rows=TERMINAL_PAGE_ROWS,
        files=files,
        admins=known.admins,
        links=links_of(known, clock),
    )

    def keeper() -> Keeper:
        from adapters.terminal.keeping import Keeper

        return Keeper(log, clock, known.log_days)

    return Desk(
        service=service,
        team=known.team or LOCAL_TEAM,
        user=caller(os.environ),
        new_key=lambda: f"terminal-{ids.new()}",
        close=log.close,
        keeper=keeper,
    )


def links_of(known: Settings, clock: Clock) -> Links | None:
    """What makes links to the web pages, where the settings have all that it takes."""
    if known.secret is None or known.web == "off":
        return None
    from adapters.web_access import web_links

    return web_links(known, clock)


def files_on_disk() -> FilesOnDisk:
    """Opens files of offers, with a bar where somebody waits."""
    from adapters.catalogs import FilesOnDisk
    from adapters.terminal.progress import watched

    return FilesOnDisk(watched)


def chosen_catalog(names: Sequence[str]) -> Catalog:
    """The catalog of the names and files that the settings give, our own where they give none.

    Raises:
        SettingsError: it cannot be used; the text says why.
    """
    if not names:
        from engine import packaged_catalog

        return packaged_catalog()
    from adapters.catalogs import catalog_in

    return catalog_in(names, files_on_disk())


def keep_diagnosis() -> None:
    """From now on what goes wrong is written to a file beside the database; the terminal belongs to the cards."""
    import logging

    from adapters.diagnosis import LateFile
    from adapters.storage import data_folder

    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(LateFile(lambda: data_folder() / LOG_FILE))


def report_bug(error: Exception) -> str:
    """Keeps the traceback of a bug; returns the reference that it can be found by."""
    import logging

    from adapters.system import RandomId

    keep_diagnosis()
    reference = RandomId().new()
    logging.getLogger(__name__).error("bug reference=%s", reference, exc_info=error)
    return reference


if __name__ == "__main__":
    main()

"""Composition root and process entry: puts the parts together, imported by nothing."""

import logging
import os
import sys
from typing import Final, NoReturn

from adapters import VERSION
from adapters.diagnosis import LateFile
from adapters.settings import Settings, SettingsError, settings
from adapters.storage import LogOnDemand, data_folder
from adapters.system import RandomId, SystemClock
from adapters.terminal.command import Desk, Manner, run
from adapters.terminal.output import caller, show, wants_colour
from bot.rendering import Renderer
from bot.service import Service
from engine import packaged_catalog

LOCAL_TEAM: Final = "local"
LOG_FILE: Final = "vram.log"
TERMINAL_PAGE_ROWS: Final = 20


def main() -> NoReturn:
    try:
        known = settings(os.environ)
    except SettingsError as error:
        show(str(error), sys.stderr)
        sys.exit(1)
    logging.getLogger().addHandler(LateFile(lambda: data_folder() / LOG_FILE))
    sys.exit(run(sys.argv[1:], lambda manner: terminal_desk(known, manner), VERSION, RandomId().new))


def terminal_desk(known: Settings, manner: Manner) -> Desk:
    """Everything that the terminal needs; nothing is opened yet."""
    log, ids = LogOnDemand(known), RandomId()
    colour = wants_colour(sys.stdout, plain=manner.plain, no_color=known.no_color, terminal=os.environ.get("TERM", ""))
    service = Service(
        catalog=packaged_catalog(),
        clock=SystemClock(),
        new_id=ids,
        renderer=Renderer("terminal", colour=colour),
        log=log,
        surface="terminal",
        page_rows=TERMINAL_PAGE_ROWS,
    )
    return Desk(
        service=service,
        team=known.team or LOCAL_TEAM,
        user=caller(os.environ),
        new_key=lambda: f"terminal-{ids.new()}",
        close=log.close,
    )


if __name__ == "__main__":
    main()

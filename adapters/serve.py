"""`vram serve`: every platform whose tokens are set, in one process, until SIGTERM or SIGINT.

Everything is opened in one stack and closed in reverse: first nothing new comes in, then the answers under way are
finished and logged, then the database is closed.
"""

import asyncio
import contextlib
import gc
import logging
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Final

from adapters import serve_discord, serve_slack
from adapters.catalogs import FilesOnDisk, catalog_in
from adapters.discord.connection import DiscordAway
from adapters.metrics import CONTENT_TYPE, MeteredLog, Metrics
from adapters.pruning import pruning_daily
from adapters.redaction import RedactingFormatter
from adapters.settings import Settings, SettingsError
from adapters.slack.connection import SlackUnreachable
from adapters.storage import database_url, spool_path
from adapters.surface import StartRefused
from adapters.system import SystemClock
from adapters.web import figures, front, health
from adapters.web.health import Check
from adapters.web.pages import Pages
from adapters.web.server import AddressInUse, Server
from adapters.web_access import web_links
from bot.log.entry import LogAway, WrongDatabase
from bot.log.query_log import QueryLog
from engine import Catalog

logger = logging.getLogger(__name__)

REPLAY_SECONDS: Final = 2.0
"""How often the log is asked whether what waits in the spool can be stored."""

WORDY: Final = ("aiosqlite", "alembic", "sqlalchemy", "aiohttp", "asyncio")
"""Below warnings these write statements with what people asked, or nothing of use."""

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

FAILED: Final = 1
WRONG_DATABASE: Final = 2
"""Exit statuses: what may succeed the next time, and what has to be corrected first."""


def serve(settings: Settings) -> int:
    """Runs until it is told to stop. Returns the exit status."""
    gc.enable()
    log_to_stderr(settings)
    try:
        asyncio.run(_serve(settings))
    except (StartRefused, SlackUnreachable, DiscordAway, AddressInUse) as error:
        print(error, file=sys.stderr)  # noqa: T201 - why the start failed, for who started it
        return FAILED
    except WrongDatabase as wrong:
        print(f"{wrong.reason}.", file=sys.stderr)  # noqa: T201 - as above
        return WRONG_DATABASE
    return 0


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    check(settings)
    async with contextlib.AsyncExitStack() as stack:
        log = await stack.enter_async_context(await MeteredLog.open(database_url(settings), spool_path(settings)))
        log.metrics = metrics = Metrics()
        metrics.watch_spool(log.waiting)
        await _replay(log)
        await stack.enter_async_context(pruning_daily(log, SystemClock(), settings.log_days))
        await stack.enter_async_context(_replaying(log))
        server = Server(settings.http_host, settings.http_port)
        checks = await _open_platforms(stack, settings, log, server, metrics)
        gc.freeze()  # tables and templates stay for ever: looking through them again and again delays answers
        front.add_route(server.application)
        health.add_routes(server.application, checks, log.waiting)
        figures.add_route(server.application, metrics.text, CONTENT_TYPE)
        _add_pages(server, settings, log)
        stack.push_async_callback(server.close)
        port = await server.start()
        logger.info("serving platforms=%s http=%s:%d", ",".join(checks), settings.http_host, port)
        await stop.wait()
        logger.info("stopping")


def check(settings: Settings) -> None:
    """Raises StartRefused where no platform, or only half of one, is set up."""
    if not serve_slack.wanted(settings) and not serve_discord.wanted(settings) and settings.web == "off":
        raise StartRefused(
            "Nothing to serve: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN for Slack, or DISCORD_TOKEN for Discord, "
            "or VRAM_WEB=on and VRAM_SECRET for the log's pages alone."
        )
    if settings.web == "on" and web_links(settings, SystemClock()) is None:
        raise StartRefused("VRAM_SECRET is not set: with VRAM_WEB=on it signs the links to the log's pages.")
    if serve_slack.wanted(settings):
        serve_slack.check(settings)


async def _open_platforms(
    stack: contextlib.AsyncExitStack, settings: Settings, log: QueryLog, server: Server, metrics: Metrics
) -> dict[str, Check]:
    catalog = _catalog(settings)
    checks: dict[str, Check] = {}
    if serve_slack.wanted(settings):
        checks["slack"] = await serve_slack.open_slack(
            stack, settings, catalog=catalog, log=log, server=server, connected=partial(metrics.connected, "slack")
        )
    if serve_discord.wanted(settings):
        checks["discord"] = await serve_discord.open_discord(
            stack, settings, catalog, log, partial(metrics.connected, "discord")
        )
    return checks


def _add_pages(server: Server, settings: Settings, log: QueryLog) -> None:
    clock = SystemClock()
    if (links := web_links(settings, clock)) is not None:
        Pages(log, links, clock).add_routes(server.application)


def _catalog(settings: Settings) -> Catalog:
    """Raises StartRefused where the catalog of the settings cannot be used."""
    try:
        return catalog_in(settings.catalogs, FilesOnDisk())
    except SettingsError as error:
        raise StartRefused(str(error)) from error


async def _replay(log: QueryLog) -> None:
    """Stores what waits in the spool, if the database is there; the first time it also makes or migrates the tables.

    Raises:
        WrongDatabase: it never will be there.
    """
    try:
        if stored := await log.replay():
            logger.info("log: %d question%s stored that had waited", stored, "" if stored == 1 else "s")
    except WrongDatabase:
        raise
    except LogAway as away:
        logger.info("log: away (%s)", away.reason)
    except OSError as error:
        logger.warning("log: the spool cannot be read (%s)", error.strerror)


@contextlib.asynccontextmanager
async def _replaying(log: QueryLog) -> AsyncIterator[None]:
    """While it is entered, what waits in the spool is stored as soon as the database is back."""

    async def replay() -> None:
        while True:
            await asyncio.sleep(REPLAY_SECONDS)
            if log.waiting():
                try:
                    await _replay(log)
                except WrongDatabase as wrong:  # it was away at the start, so that nobody could know
                    logger.error("log: %s", wrong.reason)  # noqa: TRY400 - a setting, no bug

    replaying = asyncio.create_task(replay())
    try:
        yield
    finally:
        replaying.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await replaying


def log_to_stderr(settings: Settings) -> None:
    """Every line goes through the formatter that hides secrets."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter(_secrets(settings)))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(settings.log_level.upper())
    for name in WORDY:
        logging.getLogger(name).setLevel(logging.WARNING)


def _secrets(settings: Settings) -> Iterator[str]:
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if hasattr(value, "get_secret_value"):
            yield value.get_secret_value()

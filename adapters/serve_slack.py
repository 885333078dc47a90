"""Slack's part of `vram serve`: what the settings lack, and the parts put together."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import aiohttp
from pydantic import SecretStr
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore

from adapters.settings import Settings
from adapters.slack import connection
from adapters.slack.home import HomeTab
from adapters.slack.installations import STATE_SECONDS, Installations
from adapters.slack.listeners import Desk, Listeners
from adapters.slack.payloads import Payloads
from adapters.slack.people import People
from adapters.slack.posting import Poster
from adapters.slack.sealed import Seal, SealedStore
from adapters.slack.workspaces import InstalledWorkspaces, OneWorkspace, Workspaces, web_client
from adapters.storage import database_url
from adapters.surface import StartRefused, Surface, surface
from adapters.tasks import Tasks, Turns
from adapters.web.health import Check
from adapters.web.server import Server
from bot.deliveries import Deliveries
from bot.log.database import make_engine
from bot.log.entry import LogAway
from bot.log.patient import in_plain_words
from bot.log.query_log import PATIENCE_SECONDS, QueryLog
from engine import Catalog

BEGINS: Final = {"SLACK_BOT_TOKEN": "xoxb-", "SLACK_APP_TOKEN": "xapp-"}
PAGES: Final = {
    "SLACK_BOT_TOKEN": "the app's page under OAuth & Permissions",
    "SLACK_APP_TOKEN": "the app's page under Basic Information, App-Level Tokens",
}
"""How each kind of token begins, and where it stands. Source: docs.slack.dev, tokens."""

POST_SECONDS: Final = 10.0
POSTS_AT_ONCE: Final = 200
KEEP_ALIVE_SECONDS: Final = 5.0
"""How long an idle connection is used again: shorter than servers keep it, so that no message is lost on a dead one."""


def wanted(settings: Settings) -> bool:
    """Whether the settings ask for Slack at all."""
    given = (
        settings.slack_bot_token,
        settings.slack_app_token,
        settings.slack_signing_secret,
        settings.slack_client_id,
        settings.slack_client_secret,
    )
    return any(given)


def check(settings: Settings) -> None:
    """Raises StartRefused where something is missing, named."""
    if settings.slack_client_id or settings.slack_client_secret:
        _check_installations(settings)
    elif settings.slack_bot_token is None:
        raise StartRefused("SLACK_BOT_TOKEN is not set: the bot's token begins with xoxb- and answers questions.")
    if settings.slack_app_token is None and settings.slack_signing_secret is None:
        raise StartRefused(
            "SLACK_APP_TOKEN is not set: it begins with xapp- and opens Socket Mode; "
            "or set SLACK_SIGNING_SECRET for signed HTTP."
        )
    _check_kinds(settings)


def _check_kinds(settings: Settings) -> None:
    """Slack's tokens stand on different pages and are easily swapped; Slack itself would only say `invalid_auth`."""
    given = {"SLACK_BOT_TOKEN": settings.slack_bot_token, "SLACK_APP_TOKEN": settings.slack_app_token}
    for name, token in given.items():
        value, begins = _secret(token), BEGINS[name]
        if not value or value.startswith(begins):
            continue
        other = next((other for other, start in BEGINS.items() if value.startswith(start)), None)
        is_other = f", and this one is meant for {other}" if other else ""
        raise StartRefused(f"{name} cannot be used: it must begin with {begins}{is_other}. Take it from {PAGES[name]}.")


def _check_installations(settings: Settings) -> None:
    needed = {
        "SLACK_CLIENT_ID": settings.slack_client_id,
        "SLACK_CLIENT_SECRET": settings.slack_client_secret,
        "SLACK_SIGNING_SECRET": settings.slack_signing_secret,
    }
    if missing := next((name for name, value in needed.items() if not value), None):
        raise StartRefused(
            f"{missing} is not set: workspaces can install the app only with all of {', '.join(needed)}."
        )


async def open_slack(
    stack: contextlib.AsyncExitStack,
    settings: Settings,
    *,
    catalog: Catalog,
    log: QueryLog,
    server: Server,
    connected: Callable[[], None],
) -> Check:
    """Connects; returns whether it is connected. Closed with the stack, before the tasks are waited for."""
    parts = surface("slack", settings, catalog, log, _platform_secret(settings))
    tasks = Tasks()
    sdk_logger = connection.sdk_logger()
    client = web_client(_secret(settings.slack_bot_token) or None, settings.slack_api_url, sdk_logger)
    installations = await _installations(stack, settings)
    workspaces: Workspaces
    if installations is None:
        identity = await connection.identity(client)
        workspaces = OneWorkspace(client)
    else:
        identity = None
        workspaces = InstalledWorkspaces(installations.store, settings.slack_api_url, sdk_logger)
    app = connection.bolt_app(
        client,
        signing_secret=_secret(settings.slack_signing_secret),
        identity=identity,
        oauth_flow=installations.flow(client, sdk_logger) if installations else None,
    )
    session = await stack.enter_async_context(
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=POSTS_AT_ONCE, keepalive_timeout=KEEP_ALIVE_SECONDS),
            timeout=aiohttp.ClientTimeout(total=POST_SECONDS),
        )
    )
    stack.push_async_callback(tasks.drain)
    desk = _desk(parts, log, workspaces, Poster(session, workspaces), tasks=tasks, team=settings.team)
    Listeners(desk).register(app)
    if settings.slack_signing_secret is not None:
        connection.add_routes(app, server.application)
    if settings.slack_app_token is None:
        return _always
    socket = connection.SocketMode(app, _secret(settings.slack_app_token), connected)
    stack.push_async_callback(socket.close)
    await socket.connect()
    return socket.is_connected


def _desk(
    parts: Surface, log: QueryLog, workspaces: Workspaces, poster: Poster, *, tasks: Tasks, team: str | None
) -> Desk:
    payloads = Payloads(parts.tokens)
    return Desk(
        service=parts.service,
        clicks=parts.clicks,
        tokens=parts.tokens,
        deliveries=Deliveries(log, parts.clock),
        payloads=payloads,
        poster=poster,
        workspaces=workspaces,
        people=People(),
        home=HomeTab(log=log, renderer=parts.renderer, payloads=payloads, workspaces=workspaces),
        tasks=tasks,
        turns=Turns(),
        ids=parts.ids,
        team=team,
    )


async def _installations(stack: contextlib.AsyncExitStack, settings: Settings) -> Installations | None:
    if settings.slack_client_id is None or settings.slack_client_secret is None:
        return None
    engine = make_engine(database_url(settings), PATIENCE_SECONDS)
    stack.push_async_callback(engine.dispose)
    quiet = connection.sdk_logger()
    store = AsyncSQLAlchemyInstallationStore(settings.slack_client_id, engine, logger=quiet)
    states = AsyncSQLAlchemyOAuthStateStore(STATE_SECONDS, engine, logger=quiet)
    try:
        await in_plain_words(partial(_make_tables, store, states))
    except LogAway as away:
        raise StartRefused(f"VRAM_DATABASE_URL is needed for the installations: {away.reason}.") from None
    client_secret = _secret(settings.slack_client_secret)
    sealed = SealedStore(store, Seal(_secret(settings.secret) or client_secret))
    return Installations(settings.slack_client_id, client_secret, sealed, states)


async def _make_tables(*stores: Any) -> None:  # noqa: ANN401 - the SDK leaves this method without types
    for store in stores:
        await store.create_tables()


def _platform_secret(settings: Settings) -> str:
    candidates = (settings.slack_bot_token, settings.slack_client_secret, settings.slack_signing_secret)
    return next(filter(None, map(_secret, candidates)), "")


def _secret(value: SecretStr | None) -> str:
    return value.get_secret_value() if value else ""


async def _always() -> bool:
    return True

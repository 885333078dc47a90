"""Discord's part of `vram serve`."""

import contextlib
import logging
from collections.abc import Callable

from adapters.discord import connection
from adapters.discord.client import Bot
from adapters.discord.listeners import Listeners
from adapters.settings import Settings
from adapters.surface import surface
from adapters.system import RandomId
from adapters.web.health import Check
from bot.log.query_log import QueryLog
from engine import Catalog

logger = logging.getLogger(__name__)


def wanted(settings: Settings) -> bool:
    return settings.discord_token is not None


async def open_discord(
    stack: contextlib.AsyncExitStack, settings: Settings, catalog: Catalog, log: QueryLog, connected: Callable[[], None]
) -> Check:
    """Connects; returns whether it is connected. Closed with the stack."""
    token = settings.discord_token.get_secret_value() if settings.discord_token else ""
    parts = surface("discord", settings, catalog, log, token)
    connection.point_at(settings.discord_api_url, settings.discord_gateway_url)
    listeners = Listeners(parts.service, parts.clicks, parts.tokens, settings.team, _report_bug)
    made = await stack.enter_async_context(connection.connected(lambda: Bot(listeners, connected), token))

    async def is_connected() -> bool:
        return made.is_ready

    return is_connected


def _report_bug(error: Exception) -> str:
    reference = RandomId().new()
    logger.error("bug reference=%s", reference, exc_info=error)
    return reference

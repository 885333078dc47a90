"""The connection to Discord: a client for all shards, made anew where it ended, stopped with the process.

discord.py reconnects and resumes by itself. What ends it all the same (an event that it cannot read, a token that was
reset) is one line in the log, and after a while a new client tries again, so that the bot needs nobody to come back.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.client import Bot

logger = logging.getLogger(__name__)

DRAIN_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 5.0
"""Our choice: together below the 30 s after which Kubernetes and Docker kill."""
AGAIN_SECONDS: Final = 15.0
"""How long an ended client is left alone. Discord counts 1,000 logins a day, which this reaches in four hours."""


class DiscordAway(Exception):
    """Discord cannot be reached, or does not let the bot in. Its text is a plain sentence without the token."""


class Connection:
    """A client that is there as long as the process is.

    Args:
        make: makes a client; one that ended cannot be used again.
    """

    def __init__(self, make: Callable[[], Bot], token: str, again_seconds: float = AGAIN_SECONDS) -> None:
        self._make = make
        self._token = token
        self._again_seconds = again_seconds
        self._bot = make()

    @property
    def is_ready(self) -> bool:
        return self._bot.is_ready() and not self._bot.is_closed()

    async def open(self) -> None:
        """Raises DiscordAway where the bot is not let in."""
        try:
            await logged_in(self._bot, self._token)
        except DiscordAway:
            await self._bot.close()
            raise

    async def stay(self) -> None:
        """Connected until it is cancelled."""
        while True:
            try:
                await self._bot.connect()
            except Exception as error:  # noqa: BLE001 - whatever ended it, it comes back
                logger.warning("discord: the connection ended: %s %s", type(error).__name__, error)
            await self._bot.close()
            while self._bot.is_closed():
                await asyncio.sleep(self._again_seconds)
                self._bot = self._make()
                try:
                    await self.open()
                except DiscordAway as away:
                    logger.warning("discord: %s", away)

    async def close(self) -> None:
        """First what is under way is answered, then nothing more comes in."""
        await self._bot.listeners.finished(DRAIN_SECONDS)
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._bot.close()
        except TimeoutError:
            logger.warning("discord: the connection did not close within %.0f s", CLOSE_SECONDS)


@asynccontextmanager
async def connected(
    make: Callable[[], Bot], token: str, *, again_seconds: float = AGAIN_SECONDS
) -> AsyncIterator[Connection]:
    """The bot, connected.

    Raises:
        DiscordAway: it could not log in.
    """
    connection = Connection(make, token, again_seconds)
    await connection.open()
    staying = asyncio.create_task(connection.stay(), name="discord")
    try:
        yield connection
    finally:
        await connection.close()
        staying.cancel()
        with suppress(asyncio.CancelledError):
            await staying


async def logged_in(client: discord.Client, token: str) -> None:
    """Logs in over HTTP alone."""
    try:
        await client.login(token)
    except discord.LoginFailure:
        raise DiscordAway("Discord does not accept DISCORD_TOKEN. Take the bot's token from its page.") from None
    except discord.HTTPException as error:
        raise DiscordAway(f"Discord answered {error.status} at login. Try again later.") from None
    except (OSError, aiohttp.ClientError) as error:
        raise DiscordAway(f"Discord cannot be reached ({type(error).__name__}).") from None


def point_at(api_url: str | None, gateway_url: str | None) -> None:
    """Where Discord is, where it is not at its own address (tests, proxies)."""
    if api_url is not None:
        Route.BASE = api_url.rstrip("/")
    if gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)

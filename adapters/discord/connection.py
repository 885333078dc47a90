"""The connection to Discord: one client for all shards, started and stopped with the process.

No privileged intent: interactions bring what they are about; `guilds` alone tells which channels everyone may see.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.commands import Interaction, commands
from adapters.discord.listeners import Listeners
from adapters.discord.payloads import ClickButton
from bot import autocomplete

logger = logging.getLogger(__name__)

DRAIN_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 5.0
"""Our choice: together below the 30 s after which Kubernetes and Docker kill."""


class DiscordAway(Exception):
    """Discord cannot be reached, or does not let the bot in. Its text is a plain sentence without the token."""


class Tree(app_commands.CommandTree["Bot"]):
    """The commands. Completing is answered here and not by the library, which logs a traceback when it is late."""

    async def interaction_check(self, interaction: discord.Interaction["Bot"], /) -> bool:
        if interaction.type is not discord.InteractionType.autocomplete:
            return True
        await self.client.listeners.typing(interaction)
        return False

    async def on_error(self, interaction: discord.Interaction["Bot"], error: app_commands.AppCommandError, /) -> None:
        await self.client.listeners.failed(interaction, error)


discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody hears from this bot


def _nothing() -> None:
    """Nobody counts."""


class Bot(discord.AutoShardedClient):
    """Hands every interaction to the listeners."""

    def __init__(
        self, listeners: Listeners, connected: Callable[[], None] = _nothing, *, shard_count: int | None = None
    ) -> None:
        """`connected` is told each time that Discord lets us in, or goes on with an old session."""
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            shard_count=shard_count,
        )
        self.listeners = listeners
        self._let_in = connected
        self.tree = Tree(self)
        for command in commands(listeners.asked, listeners.called):
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(ClickButton)
        await asyncio.to_thread(autocomplete.warm)

    async def on_ready(self) -> None:
        self._let_in()

    async def on_resumed(self) -> None:
        self._let_in()

    async def clicked(self, interaction: Interaction, token: str) -> None:
        await self.listeners.clicked(interaction, token)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Notes come here: a modal that another process opened, or this one before a restart, is known to no view."""
        if interaction.type is discord.InteractionType.modal_submit:
            data: Any = interaction.data or {}
            await self.listeners.noted(interaction, str(data.get("custom_id", "")))


def point_at(api_url: str | None, gateway_url: str | None) -> None:
    """Where Discord is, where it is not at its own address (tests, proxies)."""
    if api_url is not None:
        Route.BASE = api_url.rstrip("/")
    if gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


@asynccontextmanager
async def connected(bot: Bot, token: str) -> AsyncIterator[asyncio.Task[None]]:
    """The bot while it is connected. The task that is given ends only when Discord shut the bot out for good.

    Raises:
        DiscordAway: it could not log in.
    """
    async with bot:
        await logged_in(bot, token)
        connecting = asyncio.create_task(bot.connect(), name="discord")
        connecting.add_done_callback(_ended)
        try:
            yield connecting
        finally:
            await _stopped(bot, connecting)


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


def _ended(connecting: asyncio.Task[None]) -> None:
    if not connecting.cancelled() and (error := connecting.exception()) is not None:
        logger.error("discord: the connection ended for good: %s", error)


async def _stopped(bot: Bot, connecting: asyncio.Task[None]) -> None:
    """First what is under way is answered, then nothing more comes in."""
    await bot.listeners.finished(DRAIN_SECONDS)
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await bot.close()
    except TimeoutError:
        logger.warning("discord: the connection did not close within %.0f s", CLOSE_SECONDS)
    connecting.cancel()
    with suppress(asyncio.CancelledError, discord.DiscordException):
        await connecting

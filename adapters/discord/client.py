"""The client: discord.py's machinery with our commands, buttons and listeners in it.

No privileged intent: interactions bring what they are about; `guilds` alone tells which channels everyone may see.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from adapters.discord.commands import Interaction, commands
from adapters.discord.listeners import Listeners
from adapters.discord.payloads import ClickButton
from bot import autocomplete


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

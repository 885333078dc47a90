"""Interaction -> request: who asks, and behind which wall.

The team is the server. Without one (a direct message, also of an account that installed the bot for itself) it is the
asker alone. A channel that everyone in the server may see is public; one that cannot be looked up counts as private,
one of a kind that is not known as the asker's alone.
"""

from typing import Any, Final

import discord

from bot.event_ids import public_id
from bot.reply import Request, Visibility

PLATFORM: Final = "discord"
DIRECT: Final = "direct"


def request(interaction: discord.Interaction[Any], text: str, team: str | None) -> Request:
    """The request that an interaction makes; `team` is the name that joins all servers, where there is one.

    Who manages a server administers its team; nobody's server is the joined team's.
    """
    visibility = _visibility(interaction)
    user, key = interaction.user, str(interaction.id)
    return Request(
        text=text,
        platform=PLATFORM,
        team=team or team_of(interaction),
        user=str(user.id),
        user_name=user.display_name,
        event_key=key,
        channel=None if visibility == "direct" else str(interaction.channel_id),
        visibility=visibility,
        public_id=public_id(PLATFORM, key),
        is_admin=team is None and interaction.guild_id is not None and interaction.permissions.manage_guild,
    )


def team_of(interaction: discord.Interaction[Any]) -> str:
    return str(interaction.guild_id) if interaction.guild_id else f"{DIRECT}-{interaction.user.id}"


def _visibility(interaction: discord.Interaction[Any]) -> Visibility:
    channel, guild = interaction.channel, interaction.guild
    if interaction.guild_id is None or channel is None:
        return "direct"
    if isinstance(channel, discord.Thread):
        if channel.is_private():
            return "private-channel"
        channel = channel.parent
    known = guild is not None and channel is not None and guild.get_channel(channel.id) is not None
    if not known or not isinstance(channel, discord.abc.GuildChannel):
        return "private-channel"
    everyone = channel.guild.default_role
    return "public" if channel.permissions_for(everyone).view_channel else "private-channel"

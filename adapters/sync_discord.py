"""`vram discord-sync`: what the settings and the command line say, handed to the sync."""

import asyncio
import sys
from collections.abc import Sequence

import click
import discord

from adapters.discord.connection import DiscordAway, logged_in, point_at
from adapters.discord.sync import EVERYWHERE, Scope, sync
from adapters.settings import Settings

HELP = """Makes Discord's commands ours: shows the difference and changes only what differs.

Without --guild they stand in every server, and in direct messages. A server's own copies are at once there, which is
good for trying; shown beside the others they stand twice, so --clear takes the others away.
"""


def discord_sync(settings: Settings, arguments: Sequence[str]) -> int:
    """Syncs; returns the exit status."""
    try:
        done: int = _command.main(list(arguments), "vram discord-sync", standalone_mode=False, obj=settings)
    except (click.ClickException, DiscordAway) as error:
        print(error.format_message() if isinstance(error, click.ClickException) else error, file=sys.stderr)  # noqa: T201
        return 2 if isinstance(error, click.ClickException) else 1
    return done


@click.command(help=HELP)
@click.option("--guild", "guilds", type=click.IntRange(min=1), multiple=True, help="Id of a server; more than once.")
@click.option("--clear", is_flag=True, help="Take the commands away where they do not belong then.")
@click.pass_obj
def _command(settings: Settings, /, guilds: tuple[int, ...], *, clear: bool) -> int:
    if settings.discord_token is None:
        raise DiscordAway("DISCORD_TOKEN is not set: the bot's token is on its page under Bot.")
    point_at(settings.discord_api_url, settings.discord_gateway_url)
    scopes = [Scope(guild) for guild in guilds] or [EVERYWHERE]
    return asyncio.run(_sync(settings.discord_token.get_secret_value(), scopes, clear=clear))


async def _sync(token: str, scopes: list[Scope], *, clear: bool) -> int:
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await logged_in(client, token)
        return 0 if await sync(client, scopes, clear=clear, say=click.echo) else 1

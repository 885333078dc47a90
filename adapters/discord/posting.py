"""Messages out to Discord: one response to an interaction, or what was promised for it.

Nothing is sent twice: the response goes to one interaction and Discord takes one only, a promise is filled by an edit.
"""

import logging
from collections.abc import Awaitable
from typing import Any, Final

import aiohttp
import discord

from adapters.discord.payloads import Message, view
from bot.reply import Audience

logger = logging.getLogger(__name__)

DEAD: Final = frozenset({10015, 10062, 40060, 50027})
"""Unknown webhook, unknown interaction, already acknowledged, invalid webhook token: too late, or another process was
quicker. Source: discord-api-docs, topics/opcodes-and-status-codes."""


async def send(
    interaction: discord.Interaction[Any], message: Message, promised_to: Audience, *, in_place: bool
) -> None:
    """Sends a message as the response, or in place of the promise that `promised_to` sees.

    A message that is sent in place takes the place of the one whose button was clicked.
    """
    response, nobody = interaction.response, discord.AllowedMentions.none()
    shown: dict[str, Any] = {"embed": message.embed, "view": view(message.buttons), "allowed_mentions": nobody}
    if not response.is_done():
        if in_place:
            await response.edit_message(**shown)
        else:
            await response.send_message(**shown, ephemeral=message.is_private)
    elif response.type is discord.InteractionResponseType.deferred_message_update and not in_place:
        await interaction.followup.send(**shown, ephemeral=message.is_private)
    elif message.is_private and promised_to == "channel":
        await interaction.delete_original_response()
        await interaction.followup.send(**shown, ephemeral=True)
    else:
        await interaction.edit_original_response(**shown)


async def promise(interaction: discord.Interaction[Any], to: Audience) -> bool:
    """Says that a reply will come. That of a command shows whom it will be for; a click's shows nothing."""
    return await taken(interaction, interaction.response.defer(ephemeral=to == "asker"))


async def taken(interaction: discord.Interaction[Any], response: Awaitable[object]) -> bool:
    """Whether Discord took a response. A dead token is one line in the log; nobody is there to be told."""
    try:
        await response
    except (OSError, aiohttp.ClientError) as error:
        logger.warning("discord: interaction=%s not answered: %s", interaction.id, type(error).__name__)
        return False
    except discord.HTTPException as error:
        log = logger.info if error.code in DEAD else logger.error
        log("discord: interaction=%s not answered status=%s code=%s", interaction.id, error.status, error.code)
        return False
    return True

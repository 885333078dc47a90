"""What comes from Discord: commands, clicks, notes, beginnings of words. Each is translated and makes one call.

Discord gives three seconds for the first response. What is ready in `PATIENCE_SECONDS` is the response itself; what
waits for a database longer is promised first and follows. A command's promise is private unless its reply is for the
channel; a click is promised without a message, so that its reply may be either.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord

from adapters.discord import payloads
from adapters.discord.commands import Asked, Given, Interaction, choices, completed, text_of
from adapters.discord.requests import request, team_of
from bot.chat import recorded, replied
from bot.clicks import Clicks
from bot.commands import Command
from bot.form import NOTE, QUESTION, question_text
from bot.reply import Action, Audience, Reply, bug_text
from bot.service import Service
from bot.tokens import Tokens, TokenTooLong

logger = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 0.8
"""How long a reply may take before it is promised. Our choice: under a second, with two to spare for the network."""

DEAD: Final = frozenset({10015, 10062, 40060, 50027})
"""Unknown webhook, unknown interaction, already acknowledged, invalid webhook token: too late, or another process was
quicker. Source: discord-api-docs, topics/opcodes-and-status-codes."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """The listeners of one bot.

    Attributes:
        team: the name that joins all servers; each is its own without it.
        report_bug: keeps the traceback of a bug; returns the reference that it can be found by.
    """

    service: Service
    clicks: Clicks
    tokens: Tokens
    team: str | None
    report_bug: Callable[[Exception], str]

    async def asked(self, interaction: Interaction, given: Given) -> None:
        """`/vram`."""
        text = question_text(str(given.get(QUESTION, "")), given)
        await self._answer(interaction, replied(self.service, request(interaction, text, self.team)), "asker")

    def called(self, row: Command) -> Asked:
        """What the command of a row does."""

        async def run(interaction: Interaction, given: Given) -> None:
            asked = request(interaction, text_of(row, given), self.team)
            await self._answer(interaction, replied(self.service, asked), row.answers)

        return run

    async def clicked(self, interaction: Interaction, token: str) -> None:
        """A button. One that needs a note opens its modal, and acts when that comes back."""
        asked = request(interaction, "", self.team)
        click = self.tokens.verify(token, asked.team)
        if click is not None and click.code == "pin":
            await self._respond(interaction, interaction.response.send_modal(payloads.note_modal(token)))
            return
        work = self._handled(token, interaction, "")
        await self._answer(interaction, work, "asker", in_place=click is not None and click.code == "next")

    async def noted(self, interaction: Interaction, token: str) -> None:
        """The modal of a note."""
        await self._answer(interaction, self._handled(token, interaction, _entered(interaction)), "asker")

    async def typing(self, interaction: Interaction) -> None:
        """The beginning of an option's value. What comes too late is not wanted any more."""
        command, option, typed = _focused(interaction)
        try:
            await interaction.response.autocomplete(choices(completed(command, option, typed)))
        except discord.HTTPException as error:
            if error.code not in DEAD:
                logger.warning("discord: completing %s of %s failed: %s", option, command, error.code)

    async def failed(self, interaction: Interaction, error: Exception) -> None:
        """A bug, or a command that is no longer ours: a sentence with a reference."""
        await self._respond(interaction, self._send(interaction, self._bug(error), "asker", in_place=False))

    async def _handled(self, token: str, interaction: Interaction, text: str) -> Reply:
        asked = request(interaction, text, self.team)
        reply = await self.clicks.handle(self.tokens.verify(token, asked.team), asked)
        return await recorded(self.service, reply)

    async def _answer(
        self,
        interaction: Interaction,
        work: Coroutine[Any, Any, Reply],
        promised_to: Audience,
        *,
        in_place: bool = False,
    ) -> None:
        """The reply as the one response, promised first where it takes long."""
        began = asyncio.get_running_loop().time()
        working = asyncio.create_task(work)
        done, _ = await asyncio.wait({working}, timeout=PATIENCE_SECONDS)
        wanted = bool(done) or await self._respond(
            interaction, interaction.response.defer(ephemeral=promised_to == "asker")
        )
        try:
            reply = await working
        except Exception as error:  # noqa: BLE001 - the one handler of bugs: kept, and said in one sentence
            reply = self._bug(error)
        if wanted and await self._respond(interaction, self._send(interaction, reply, promised_to, in_place=in_place)):
            milliseconds = 1000 * (asyncio.get_running_loop().time() - began)
            query = reply.entry.public_id if reply.entry else "-"
            logger.info(
                "discord: interaction=%s kind=%s query=%s promised=%s milliseconds=%.0f",
                *(interaction.id, reply.kind, query, not done, milliseconds),
            )

    async def _send(self, interaction: Interaction, reply: Reply, promised_to: Audience, *, in_place: bool) -> None:
        made = payloads.message(reply, lambda action: self._token(action, interaction))
        response, view = interaction.response, payloads.view(made.buttons)
        in_place = in_place and reply.kind == "list"
        if not response.is_done():
            if in_place:
                await response.edit_message(embed=made.embed, view=view)
            else:
                await response.send_message(embed=made.embed, view=view, ephemeral=made.is_private)
        elif response.type is discord.InteractionResponseType.deferred_message_update and not in_place:
            await interaction.followup.send(embed=made.embed, view=view, ephemeral=made.is_private)
        elif made.is_private and promised_to == "channel":
            await interaction.delete_original_response()
            await interaction.followup.send(embed=made.embed, view=view, ephemeral=True)
        else:
            await interaction.edit_original_response(embed=made.embed, view=view)

    async def _respond(self, interaction: Interaction, response: Awaitable[object]) -> bool:
        """Whether Discord took a response. A dead token is one line in the log; nobody is there to be told."""
        try:
            await response
        except discord.HTTPException as error:
            log = logger.info if error.code in DEAD else logger.error
            log("discord: interaction=%s was not answered: %s %s", interaction.id, error.status, error.code)
            return False
        return True

    def _token(self, action: Action, interaction: Interaction) -> str | None:
        try:
            return self.tokens.sign(action, self.team or team_of(interaction))
        except TokenTooLong:
            return None

    def _bug(self, error: Exception) -> Reply:
        return Reply("failed", "asker", {"problem": bug_text(self.report_bug(error))})


def _focused(interaction: Interaction) -> tuple[str, str, str]:
    """Command, option and what is typed so far."""
    data: Any = interaction.data or {}
    option: Mapping[str, Any] = next((one for one in data.get("options", ()) if one.get("focused")), {})
    return str(data.get("name", "")), str(option.get("name", "")), str(option.get("value", ""))


def _entered(interaction: Interaction) -> str:
    """The note in a modal, in whichever kind of row its field stands."""
    data: Any = interaction.data or {}
    rows = (row.get("components") or (row.get("component", {}),) for row in data.get("components", ()))
    return next((str(field.get("value", "")) for row in rows for field in row if field.get("custom_id") == NOTE), "")

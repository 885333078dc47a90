"""What comes from Discord: commands, clicks, notes, beginnings of words. Each is translated and makes one call.

Discord gives three seconds for the first response. What is ready in `PATIENCE_SECONDS` is the response itself; what
waits for a database longer is promised first and follows. A command's promise is private unless its reply is for the
channel; a click is promised without a message, so that its reply may be either.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import discord
from discord import app_commands

from adapters.discord.commands import Asked, Given, Interaction, choices, completed, text_of
from adapters.discord.origin import request, team_of
from adapters.discord.payloads import message
from adapters.discord.posting import DEAD, promise, send, taken
from adapters.discord.views import entered, note_modal
from bot.chat import recorded, replied
from bot.clicks import Clicks
from bot.commands import Command
from bot.form import QUESTION, question_text
from bot.reply import Action, Audience, Reply, bug_text
from bot.service import Service
from bot.tokens import Tokens, TokenTooLong

logger = logging.getLogger(__name__)

HELP: Final = "help"
PATIENCE_SECONDS: Final = 0.8
"""How long a reply may take before it is promised. Our choice: under a second, with two to spare for the network."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """The listeners of one bot.

    Attributes:
        team: the name that joins all servers; each is its own without it.
        report_bug: keeps the traceback of a bug; returns the reference that it can be found by.
        under_way: answers that are not out yet.
    """

    service: Service
    clicks: Clicks
    tokens: Tokens
    team: str | None
    report_bug: Callable[[Exception], str]
    under_way: set[asyncio.Task[Any] | None] = field(default_factory=set)

    async def asked(self, interaction: Interaction, given: Given) -> None:
        """`/vram`."""
        text = question_text(str(given.get(QUESTION, "")), given)
        await self._answer(interaction, replied(self.service, request(interaction, text, self.team)))

    def called(self, row: Command) -> Asked:
        """What the command of a row does."""

        async def run(interaction: Interaction, given: Given) -> None:
            asked = request(interaction, text_of(row, given), self.team)
            await self._answer(interaction, replied(self.service, asked), row.answers)

        return run

    async def clicked(self, interaction: Interaction, token: str) -> None:
        """A button. One that needs a note opens its modal, and acts when that comes back."""
        click = self.tokens.verify(token, request(interaction, "", self.team).team)
        code = "" if click is None else click.code
        if code == "pin":
            await taken(interaction, interaction.response.send_modal(note_modal(token)))
        elif code != "share" or await promise(interaction, "channel"):
            # two processes may get one click: the one whose promise Discord takes shares, and acts as the first
            await self._answer(interaction, self._handled(token, interaction, ""), in_place=code == "next")

    async def noted(self, interaction: Interaction, token: str) -> None:
        """The modal of a note."""
        note = " ".join(entered(interaction).values())
        await self._answer(interaction, self._handled(token, interaction, note))

    async def typing(self, interaction: Interaction) -> None:
        """The beginning of an option's value. What comes too late is not wanted any more."""
        command, option, typed = _focused(interaction)
        try:
            await interaction.response.autocomplete(choices(completed(command, option, typed)))
        except discord.HTTPException as error:
            if error.code not in DEAD:
                logger.warning("discord: completing %s of %s failed: %s", option, command, error.code)

    async def failed(self, interaction: Interaction, error: Exception) -> None:
        """A bug: a sentence with a reference. A command that is no longer ours: help."""
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            logger.warning("discord: interaction=%s, run `vram discord-sync`: %s", interaction.id, error)
            await self._send(interaction, self.service.answer(request(interaction, HELP, self.team)))
        else:
            await self._send(interaction, self._bug(error))

    async def finished(self, seconds: float) -> None:
        """Waits for the answers under way."""
        if answering := [task for task in self.under_way if task is not None]:
            await asyncio.wait(answering, timeout=seconds)

    async def _handled(self, token: str, interaction: Interaction, text: str) -> Reply:
        asked = request(interaction, text, self.team)
        reply = await self.clicks.handle(self.tokens.verify(token, asked.team), asked)
        return await recorded(self.service, reply)

    async def _answer(
        self,
        interaction: Interaction,
        work: Coroutine[Any, Any, Reply],
        promised_to: Audience = "asker",
        *,
        in_place: bool = False,
    ) -> None:
        """The reply as the one response, promised first where it takes long."""
        began = asyncio.get_running_loop().time()
        working = asyncio.create_task(self._without_bugs(work))
        answering = asyncio.current_task()
        self.under_way.add(answering)
        try:
            done, _ = await asyncio.wait({working}, timeout=PATIENCE_SECONDS)
            is_wanted = bool(done) or interaction.response.is_done() or await promise(interaction, promised_to)
            reply = await working
            if is_wanted and await self._send(interaction, reply, promised_to, in_place=in_place):
                milliseconds = 1000 * (asyncio.get_running_loop().time() - began)
                query = reply.entry.public_id if reply.entry else "-"
                said = (interaction.id, reply.kind, query, milliseconds)
                logger.info("discord: interaction=%s kind=%s query=%s milliseconds=%.0f", *said)
        finally:
            self.under_way.discard(answering)

    async def _without_bugs(self, work: Coroutine[Any, Any, Reply]) -> Reply:
        try:
            return await work
        except Exception as error:  # noqa: BLE001 - the one handler of bugs: kept, and said in one sentence
            return self._bug(error)

    async def _send(
        self, interaction: Interaction, reply: Reply, promised_to: Audience = "asker", *, in_place: bool = False
    ) -> bool:
        made = message(reply, lambda action: self._token(action, interaction))
        sending = send(interaction, made, promised_to, in_place=in_place and reply.kind == "list")
        return await taken(interaction, sending)

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

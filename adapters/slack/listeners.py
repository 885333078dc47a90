"""Slack payload -> request, one call, reply -> messages.

Each listener acknowledges, then starts a task: an exception or a slow database in it can no longer undo the
acknowledgement. Nothing is read from the database before.
"""

import logging
import re
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError

from adapters.slack import limits
from adapters.slack.home import HomeTab
from adapters.slack.origin import Origin, Payload
from adapters.slack.payloads import ACTION_PREFIX, LINK_PREFIX, Payloads
from adapters.slack.people import People
from adapters.slack.posting import PLAIN, Manner, Poster
from adapters.slack.views import NOTE, QUESTION, dialog_view, given_in, kept_in
from adapters.slack.workspaces import Workspaces
from adapters.tasks import Tasks, Turns
from bot.chat import recorded, replied
from bot.clicks import Clicks
from bot.deliveries import Deliveries
from bot.dialogs import blamed, dialog_text, field_problems, note_dialog, question_dialog
from bot.event_ids import public_id
from bot.ports import NewId
from bot.reply import Reply, Request, bug_text
from bot.service import Service
from bot.tokens import Tokens
from engine.answer import Refusal

logger = logging.getLogger(__name__)

COMMAND: Final = re.compile(r"^/")
HELP: Final = "help"
TYPED: Final = frozenset({None, "file_share", "thread_broadcast"})
"""Subtypes of messages that a person typed."""

_MENTION: Final = re.compile(r"<@[UW][A-Z0-9]+(?:\|[^>]*)?>")


@dataclass(frozen=True, slots=True)
class Desk:
    """What the listeners need; made by the composition root.

    Attributes:
        team: one name for all workspaces, where the deployment has one.
    """

    service: Service
    clicks: Clicks
    tokens: Tokens
    deliveries: Deliveries
    payloads: Payloads
    poster: Poster
    workspaces: Workspaces
    people: People
    home: HomeTab
    tasks: Tasks
    turns: Turns
    ids: NewId
    team: str | None

    def team_of(self, origin: Origin) -> str:
        return self.team or origin.team_id or origin.enterprise_id


class Listeners:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def register(self, app: AsyncApp) -> None:
        app.command(COMMAND)(self.on_command)
        app.event("app_mention")(self.on_mention)
        app.event("message")(self.on_message)
        app.event("app_home_opened")(self.on_home)
        app.action(re.compile(rf"^{ACTION_PREFIX}\."))(self.on_click)
        app.view(QUESTION)(self.on_question)
        app.view(NOTE)(self.on_note)
        app.error(self.on_error)

    async def on_command(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        await ack()
        origin = Origin.of_command(body)
        text = (body.get("text") or "").strip()
        self._start(origin, self._commanded(origin, text) if text else self._open_question(origin))

    async def on_mention(self, body: dict[str, Any]) -> None:
        event = body["event"]
        if not event["channel"].startswith("D"):
            self._said(body, event.get("thread_ts") or event["ts"])

    async def on_message(self, body: dict[str, Any]) -> None:
        event = body["event"]
        if event.get("channel_type") == "im" and event.get("subtype") in TYPED:
            self._said(body, event.get("thread_ts") or "")

    async def on_home(self, body: dict[str, Any]) -> None:
        event = body["event"]
        if event.get("tab", "home") == "home":
            origin = _of_event(body, event, "")
            self._start(origin, self._desk.home.publish(origin, self._desk.team_of(origin)))

    async def on_click(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        await ack()
        action = body["actions"][0]
        if not action["action_id"].startswith(LINK_PREFIX):  # a link is opened by the browser
            origin = Origin.of_click(body)
            self._start(origin, self._clicked(origin, action.get("value") or ""))

    async def on_question(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """The form: what is wrong is said at its field, at once; an answer is posted where it was asked for."""
        origin, given = Origin.of_form(body, kept_in(body["view"])), given_in(body["view"])
        problems = field_problems(given)
        reply = None if problems else self._desk.service.answer(self._request(origin, dialog_text(given)))
        if reply is not None and isinstance(reply.outcome, Refusal):
            problems = {blamed(reply.outcome.problem, given): reply.outcome.problem.text}
        if reply is None or problems:
            errors = {name: limits.shortened(text, limits.FIELD_ERROR) for name, text in problems.items()}
            await ack(response_action="errors", errors=errors)
            return
        await ack()
        self._start(origin, self._record_and_send(origin, reply))

    async def on_note(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        await ack()
        kept = kept_in(body["view"])
        origin = Origin.of_form(body, kept)
        self._start(origin, self._decide(origin, kept["token"], given_in(body["view"]).get("note", "")))

    async def on_error(self, error: Exception) -> None:
        """A bug before the acknowledgement; the person sees Slack's own sentence."""
        logger.error("bug reference=%s", self._desk.ids.new(), exc_info=error)

    def _said(self, body: Payload, thread_ts: str) -> None:
        """A sentence to the bot; what bots say, this one too, is left alone."""
        event = body["event"]
        if event.get("bot_id") or event.get("bot_profile") or not event.get("user"):
            return
        if self._desk.deliveries.is_new(body["event_id"]):
            origin = _of_event(body, event, thread_ts)
            self._start(origin, self._mentioned(origin, body))

    async def _commanded(self, origin: Origin, text: str) -> None:
        request = await self._with_rights(origin, self._request(origin, text))
        await self._desk.turns.mine()
        await self._send(origin, await replied(self._desk.service, request))

    async def _with_rights(self, origin: Origin, request: Request) -> Request:
        """The rights of the asker are looked up for the few commands that they matter for."""
        desk = self._desk
        if not desk.service.needs_rights(request.text):
            return request
        client = await desk.workspaces.client(origin.team_id, origin.enterprise_id)
        return replace(request, is_admin=client is not None and await desk.people.is_admin(client, origin.user))

    async def _mentioned(self, origin: Origin, body: Payload) -> None:
        desk, event = self._desk, body["event"]
        client = await desk.workspaces.client(origin.team_id, origin.enterprise_id)
        if client is None:
            logger.warning("slack: not installed in team=%s, a message is left alone", origin.team_id)
            return
        origin = replace(
            origin,
            user_name=await desk.people.name(client, origin.team_id, origin.user),
            visibility=await desk.people.visibility(client, origin.team_id, origin.channel),
        )
        text = _without_bot(event.get("text") or "", body)
        event_id = body["event_id"]
        request = replace(
            self._request(origin, text or HELP),
            event_key=f"slack-{event_id}",
            public_id=public_id("slack", event_id),
            mention=True,
        )
        request = await self._with_rights(origin, request)
        await desk.turns.mine()
        reply = await replied(desk.service, request)
        if reply.entry is None or "logged" not in reply.parts or await desk.deliveries.is_ours(reply.entry):
            await self._send(origin, reply)

    async def _record_and_send(self, origin: Origin, reply: Reply) -> None:
        await self._send(origin, await recorded(self._desk.service, reply))

    async def _clicked(self, origin: Origin, token: str) -> None:
        click = self._desk.tokens.verify(token, self._desk.team_of(origin))
        if click is not None and click.code == "pin":
            await self._open(origin, NOTE, {"token": token})
            return
        reply = await self._desk.clicks.handle(click, self._request(origin, ""))
        reply = await recorded(self._desk.service, reply)
        code = "" if click is None else click.code
        moves = code == "choose" or (code == "share" and reply.audience == "channel")
        await self._send(origin, reply, Manner(replaces=code == "next", removes=moves))

    async def _decide(self, origin: Origin, token: str, note: str) -> None:
        click = self._desk.tokens.verify(token, self._desk.team_of(origin))
        await self._send(origin, await self._desk.clicks.handle(click, self._request(origin, note)))

    async def _open_question(self, origin: Origin) -> None:
        if not await self._open(origin, QUESTION, {}):
            await self._commanded(origin, HELP)

    async def _open(self, origin: Origin, callback_id: str, kept: dict[str, str]) -> bool:
        client = await self._desk.workspaces.client(origin.team_id, origin.enterprise_id)
        if client is None:
            logger.warning("slack: not installed in team=%s, no form is opened", origin.team_id)
            return False
        dialog = question_dialog() if callback_id == QUESTION else note_dialog()
        view = dialog_view(dialog, callback_id, origin.kept() | kept)
        try:
            await client.views_open(trigger_id=origin.trigger_id, view=view)
        except SlackApiError as error:
            logger.warning("slack: a form cannot be opened error=%s", error.response.get("error"))
            return False
        return True

    def _request(self, origin: Origin, text: str) -> Request:
        return Request(
            text=text,
            platform="slack",
            team=self._desk.team_of(origin),
            user=origin.user,
            user_name=origin.user_name,
            event_key=origin.key,
            channel=None if origin.visibility == "direct" else origin.channel,
            visibility=origin.visibility,
        )

    async def _send(self, origin: Origin, reply: Reply, manner: Manner = PLAIN) -> None:
        await self._desk.turns.mine()
        messages = self._desk.payloads.messages(reply, self._desk.team_of(origin))
        query = reply.entry.public_id if reply.entry else ""
        logger.info("slack: reply kind=%s to=%s query=%s", reply.kind, reply.audience, query)
        await self._desk.poster.send(origin, messages, reply.audience, manner)

    def _start(self, origin: Origin, work: Coroutine[object, object, None]) -> None:
        self._desk.tasks.start(self._guarded(origin, work))

    async def _guarded(self, origin: Origin, work: Awaitable[None]) -> None:
        """The one handler of bugs: kept with a reference, which the person reads."""
        try:
            await work
        except Exception:
            reference = self._desk.ids.new()
            logger.exception("bug reference=%s", reference)
            reply = Reply("failed", "asker", {"problem": bug_text(reference)})
            await self._desk.poster.send(origin, self._desk.payloads.messages(reply, ""), "asker")


def _of_event(body: Payload, event: Payload, thread_ts: str) -> Origin:
    return Origin(
        team_id=body.get("team_id") or "",
        enterprise_id=body.get("enterprise_id") or "",
        channel=event.get("channel") or "",
        user=event["user"],
        user_name=event["user"],
        visibility="direct" if event.get("channel_type") == "im" else "private-channel",
        thread_ts=thread_ts,
    )


def _without_bot(text: str, body: Payload) -> str:
    """The text without the mention of the bot itself; without the first mention where the bot's id is not told."""
    own = {known.get("user_id") for known in body.get("authorizations") or ()}
    mentions = [found for found in _MENTION.findall(text) if found[2:].partition("|")[0].rstrip(">") in own]
    for mention in mentions or _MENTION.findall(text)[:1]:
        text = text.replace(mention, " ")
    return text.strip()

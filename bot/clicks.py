"""What a click on a button does, on every platform: a verified token and who clicked where come in, a reply goes out.

Everything is read through the log's wall, so a click shows nobody what they may not see. A token that was forged,
comes from another team or speaks of a query that is gone reads like one that never was.

Share, pin, what-if and choose act once a query, action and person (the log's acts keep that, also between two
processes); a second click shows the result again, to the one who clicked.
"""

import hashlib
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from bot.arithmetic_card import arithmetic_card
from bot.cards import FailedCard, SharedCard
from bot.event_ids import public_id
from bot.listings import stored_outcome
from bot.log.entry import LogAway, StoredQuery, Viewer
from bot.outcomes import actions_of
from bot.ports import Clock, Log
from bot.rendering import Renderer
from bot.reply import Reply, Request
from bot.review.pinning import MOST_NOTE_CHARACTERS, pinned_card
from bot.service import Service
from bot.tokens import Click
from bot.what_if import changed
from engine.answer import Answer, Choice
from engine.errors import NoSuchQuery
from engine.question import Question


class DecidingLog(Log, Protocol):
    """What clicks need of `bot.log`."""

    async def first_act(self, viewer: Viewer, number: int | str, action: str, *, at: datetime) -> bool | None: ...


class Clicks:
    """The clicks of one surface. Its service and its renderer are the surface's own."""

    def __init__(self, *, service: Service, log: DecidingLog, clock: Clock, renderer: Renderer) -> None:
        self._service = service
        self._log = log
        self._clock = clock
        self._renderer = renderer

    async def handle(self, click: Click | None, request: Request) -> Reply:
        """The reply to a click; an entry in it is still to be recorded.

        Args:
            click: what the token says; None where it is not genuine.
            request: who clicked, where; its text is the note of a decision.
        """
        if click is None:
            return self._nothing()
        try:
            if click.code == "next":
                cursor, _, words = click.argument.partition(" ")
                return await self._service.log(_viewer(request), words, cursor)
            row = await self._log.show(_viewer(request), click.target)
            return self._nothing() if row is None else await self._done(click, request, row)
        except LogAway as away:
            problem = FailedCard(f"The log cannot be read: {away.reason}")
            return Reply("failed", "asker", self._renderer.parts(problem))

    async def _done(self, click: Click, request: Request, row: StoredQuery) -> Reply:
        match click.code:
            case "share":
                return await self._share(click, request, row)
            case "arithmetic":
                return self._arithmetic(row)
            case "pin":
                return await self._pin(click, request, row)
            case "what-if":
                return await self._what_if(click, request, row)
            case "choose":
                return await self._choose(click, request, row)
            case _:
                return await self._service.show(_viewer(request), row.public_id)

    def _nothing(self) -> Reply:
        return self._service.refused("", NoSuchQuery())

    async def _first(self, click: Click, request: Request) -> bool:
        """Whether this person does this to this query for the first time."""
        action = f"{click.code} {click.argument}".strip()
        return bool(await self._log.first_act(_viewer(request), click.target, action, at=self._clock.now()))

    async def _share(self, click: Click, request: Request, row: StoredQuery) -> Reply:
        outcome = stored_outcome(row)
        if not isinstance(outcome, Answer):
            return self._nothing()
        first = await self._first(click, request)
        parts = self._renderer.parts(SharedCard(by=request.user_name)) | self._service.parts(outcome)
        for_all = actions_of(outcome, row.public_id, shared=True) if _is_seen_here_by_all(row) else ()
        return Reply("answer", "channel" if first else "asker", parts, for_all, outcome=outcome)

    def _arithmetic(self, row: StoredQuery) -> Reply:
        outcome = stored_outcome(row)
        if not isinstance(outcome, Answer):
            return self._nothing()
        return Reply("done", "asker", self._renderer.parts(arithmetic_card(outcome)), outcome=outcome)

    async def _pin(self, click: Click, request: Request, row: StoredQuery) -> Reply:
        viewer, note = _viewer(request), request.text.strip()[:MOST_NOTE_CHARACTERS]
        if await self._first(click, request) or row.decision is None:
            pinned = await self._log.pin(viewer, click.target, note, by_name=request.user_name, at=self._clock.now())
        else:
            pinned = row
        if pinned is None or pinned.decision is None:
            return self._nothing()
        older = await self._log.superseded(viewer, pinned.number)
        return Reply("done", "asker", self._renderer.parts(pinned_card(pinned, older)))

    async def _what_if(self, click: Click, request: Request, row: StoredQuery) -> Reply:
        if row.question_json is None:
            return self._nothing()
        question = changed(Question.model_validate_json(row.question_json), click.argument)
        return await self._asked(click, replace(request, text=question.text, question=question))

    async def _choose(self, click: Click, request: Request, row: StoredQuery) -> Reply:
        outcome = stored_outcome(row)
        place = int(click.argument)
        if not isinstance(outcome, Choice) or place >= len(outcome.choices):
            return self._nothing()
        return await self._asked(click, replace(request, text=outcome.choices[place].ask))

    async def _asked(self, click: Click, request: Request) -> Reply:
        """A new question that a click asks: its key and its id are the same each time."""
        key, new_id = _names(click, request)
        if not await self._first(click, request):
            again = await self._service.show(_viewer(request), new_id)
            if again.kind != "refusal":
                return again
        asked = replace(request, event_key=key, public_id=new_id)
        return self._service.answer(asked, await self._service.own_runs(asked))


def _viewer(request: Request) -> Viewer:
    return Viewer(team=request.team, user=request.user, channel=request.channel)


def _is_seen_here_by_all(row: StoredQuery) -> bool:
    """Whether who reads a shared answer may also click on it: not where the query is one person's."""
    return row.visibility in {"public", "private-channel"}


def _names(click: Click, request: Request) -> tuple[str, str]:
    """Event key and public id of the question that a click asks, the same for the same click."""
    said = ("click", request.team, request.user, click.target, click.code, click.argument)
    digest = hashlib.sha256("\0".join(said).encode("utf-8", "replace"))
    return f"click-{digest.hexdigest()}", public_id(*said)

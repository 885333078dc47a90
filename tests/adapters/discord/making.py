"""The bot with a log in memory, for tests without sockets."""

import asyncio
import logging
from dataclasses import replace
from datetime import datetime

import discord

from adapters.discord.client import Bot
from adapters.discord.connection import logged_in, point_at
from adapters.discord.listeners import Listeners
from adapters.discord.sync import Scope, sync
from bot.clicks import Clicks
from bot.log.entry import Decision, NewQuery, StoredQuery, Viewer
from bot.rendering import Renderer
from bot.service import Service
from bot.tokens import Tokens
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog

SECRET = "a secret of the tests"


class DecidingLog(MemoryLog):
    """Keeps decisions and acts too, and the wall of the team and of direct messages; may be slow."""

    def __init__(self, away: str = "", seconds: float = 0.0) -> None:
        super().__init__(away)
        self.seconds = seconds
        self.acts: set[tuple[str, str, str]] = set()

    async def append(self, entry: NewQuery) -> int:
        await asyncio.sleep(self.seconds)
        return await super().append(entry)

    async def page(self, viewer, filters, after, limit):
        await asyncio.sleep(self.seconds)
        everything, self.rows = self.rows, [row for row in self.rows if seen(row, viewer)]
        try:
            return await super().page(viewer, filters, after, limit)
        finally:
            self.rows = everything

    async def show(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        await asyncio.sleep(self.seconds)
        row = await super().show(viewer, number)
        return row if row is not None and seen(row, viewer) else None

    async def pin(
        self, viewer: Viewer, number: int | str, note: str, *, by_name: str, at: datetime
    ) -> StoredQuery | None:
        row = await self.show(viewer, number)
        if row is None:
            return None
        pinned = replace(row, decision=Decision(note, viewer.user, by_name, at))
        self.rows[self.rows.index(row)] = pinned
        return pinned

    async def forget(self, viewer: Viewer, number: int | str) -> StoredQuery | None:
        return await self.show(viewer, number)

    async def superseded(self, *_of: object) -> tuple[int, ...]:
        return ()

    async def first_act(self, viewer: Viewer, number: int | str, action: str, **_when: datetime) -> bool | None:
        act = (str(number), viewer.user, action)
        is_first = act not in self.acts
        self.acts.add(act)
        return is_first


def seen(row: StoredQuery, viewer: Viewer) -> bool:
    if row.team != viewer.team:
        return False
    if row.visibility in {"direct", "asker"}:
        return row.user == viewer.user
    return row.visibility == "public" or row.channel == viewer.channel


def report_bug(error: Exception) -> str:
    logging.getLogger("tests").error("bug reference=REFERENCE", exc_info=error)
    return "REFERENCE"


def listeners(log: DecidingLog, *, team: str | None = None, answers_to: str = "channel") -> Listeners:
    clock, renderer = FixedClock(), Renderer("discord")
    service = Service(
        catalog=packaged_catalog(),
        clock=clock,
        new_id=CountedIds(),
        renderer=renderer,
        log=log,
        surface="chat",
        answers_to=answers_to,
    )
    clicks = Clicks(service=service, log=log, clock=clock, renderer=renderer)
    return Listeners(service=service, clicks=clicks, tokens=Tokens(SECRET), team=team, report_bug=report_bug)


def bot(log: DecidingLog, *, shards: int | None = 1, **settings: str) -> Bot:
    return Bot(listeners(log, **settings), shard_count=shards)


async def synced(fake, *scopes: Scope, clear: bool = False) -> list[str]:
    """Syncs over the sockets of a fake Discord; returns what was said."""
    said: list[str] = []
    point_at(fake.api_url, None)
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await logged_in(client, fake.token)
        worked = await sync(client, scopes or (Scope(),), clear=clear, say=said.append)
    return [*said, "worked" if worked else "failed"]

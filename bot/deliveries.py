"""A message that a platform delivers more than once is answered once.

In one process a key that was seen is not taken again. Between processes the row decides: it exists once, and who first
says "answered" on it answers; the others find that said. Where the log is away or slow, the answer goes out: people
may then read it twice, and the row still exists once.
"""

import asyncio
from collections import OrderedDict
from datetime import datetime
from typing import Final, Protocol

from bot.log.entry import LogAway, NewQuery, Viewer
from bot.ports import Clock

REMEMBERED: Final = 10_000
"""Keys kept in memory. Our choice: an hour of a busy workspace; the platforms give up after minutes."""

CLAIM_SECONDS: Final = 0.3
ANSWERED: Final = "answered"


class Acts(Protocol):
    """What this needs of `bot.log`."""

    async def first_act(self, viewer: Viewer, number: int | str, action: str, *, at: datetime) -> bool | None: ...


class Deliveries:
    """What was delivered to this process."""

    def __init__(self, log: Acts, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._claiming: set[asyncio.Task[bool]] = set()

    def is_new(self, key: str) -> bool:
        """Whether this process sees the key for the first time."""
        if key in self._seen:
            return False
        self._seen[key] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return True

    async def is_ours(self, entry: NewQuery) -> bool:
        """Whether this process is to answer a query that has just been stored."""
        claiming = asyncio.create_task(self._claim(entry))
        self._claiming.add(claiming)
        claiming.add_done_callback(self._claiming.discard)
        done, _ = await asyncio.wait({claiming}, timeout=CLAIM_SECONDS)
        return claiming.result() if done else True

    async def _claim(self, entry: NewQuery) -> bool:
        viewer = Viewer(team=entry.team, user=entry.user, channel=entry.channel)
        try:
            first = await self._log.first_act(viewer, entry.public_id, ANSWERED, at=self._clock.now())
        except LogAway:
            return True
        return first is not False

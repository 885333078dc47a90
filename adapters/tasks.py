"""Work that goes on after its request was acknowledged, and is finished before the process ends."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Final

logger = logging.getLogger(__name__)


DRAIN_SECONDS: Final = 8.0
"""How long answers under way may still take at the end. Our choice: below the 10 s after which Docker kills."""


class Tasks:
    """Keeps hold of the tasks it started."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task failed", exc_info=error)

    async def drain(self, seconds: float = DRAIN_SECONDS) -> None:
        """Waits until all is done, also what is started meanwhile; what takes longer is given up."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while self._running and (left := end - loop.time()) > 0:
            await asyncio.wait(self._running, timeout=left)
        for task in self._running:
            logger.warning("shutdown: an answer took longer than %.0f s and is given up", seconds)
            task.cancel()


class Turns:
    """Lets calculations go one by one, with the loop's other work in between.

    A burst of questions, or of numbers that a slow disk gave out at once, would else be worked off in one go, while
    nothing is read or acknowledged.
    """

    def __init__(self) -> None:
        self._taken = asyncio.Lock()

    async def mine(self) -> None:
        """Returns when it is one's turn to calculate, at once and to the end."""
        async with self._taken:
            await asyncio.sleep(0)

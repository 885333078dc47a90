"""A request in a chat: the card goes out with its number if that comes soon, without it otherwise.

Decision: the question is stored while the reply waits at most 300 ms for its number (design: the card). A slower
database costs the number on the card, not the answer; the row is stored all the same. Kept by tests/bot/test_chat.py.
"""

import asyncio
from dataclasses import replace
from typing import Final

from bot.reply import Reply, Request
from bot.service import Service

NUMBER_SECONDS: Final = 0.3

_storing: set[asyncio.Task[object]] = set()
"""Tasks that nobody waits for any more; asyncio itself keeps no hold of them."""


async def replied(service: Service, request: Request) -> Reply:
    """The reply to a request, its entry handed to the log."""
    if service.reads_log(request.text):
        return await service.handle(request)
    return await recorded(service, service.answer(request, await service.own_runs(request)))


async def recorded(service: Service, reply: Reply) -> Reply:
    """The reply with what became of its entry, if that is known soon."""
    if reply.entry is None:
        return reply
    storing = asyncio.create_task(service.record(reply))
    _storing.add(storing)
    storing.add_done_callback(_storing.discard)
    done, _ = await asyncio.wait({storing}, timeout=NUMBER_SECONDS)
    return replace(reply, parts={**reply.parts, "logged": storing.result().text}) if done else reply

"""The card waits at most 300 ms for its number."""

import asyncio

import pytest

from bot.chat import recorded, replied
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog


class SlowLog(MemoryLog):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    async def append(self, entry):
        await asyncio.sleep(self.seconds)
        return await super().append(entry)


def service(log):
    return Service(
        catalog=packaged_catalog(),
        clock=FixedClock(),
        new_id=CountedIds(),
        renderer=Renderer("discord"),
        log=log,
        surface="chat",
    )


def request(text):
    return Request(text, "discord", "1", "2", "ann", event_key=text)


async def test_a_quick_log_gives_the_number():
    reply = await replied(service(MemoryLog()), request("13b lora"))
    assert list(reply.parts)[-1] == "logged"
    assert "#1" in reply.parts["logged"]


async def test_a_slow_log_costs_the_number_and_stores_all_the_same():
    log = SlowLog(0.5)
    began = asyncio.get_running_loop().time()
    reply = await replied(service(log), request("13b lora"))
    assert 0.25 < asyncio.get_running_loop().time() - began < 0.45
    assert "logged" not in reply.parts
    await asyncio.sleep(0.4)
    assert [row.text for row in log.rows] == ["13b lora"]


async def test_a_log_that_is_away_is_said():
    reply = await replied(service(MemoryLog("the database does not answer")), request("13b lora"))
    assert "the database does not answer" in reply.parts["logged"]


@pytest.mark.parametrize("text", ["help", "log"])
async def test_commands_are_not_logged(text):
    log = MemoryLog()
    made = service(log)
    reply = await replied(made, request(text))
    assert await recorded(made, reply) is reply
    assert log.rows == []

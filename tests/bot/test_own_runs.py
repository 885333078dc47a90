"""A team's measured runs reach its own answers, and nobody else's."""

import asyncio

import pytest

from bot.own_runs import own_runs
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog

QUESTION = "llama-3.1-8b qlora ctx=8192 hf"


def service(log):
    return Service(
        catalog=packaged_catalog(),
        clock=FixedClock(),
        new_id=CountedIds(),
        renderer=Renderer("terminal"),
        log=log,
        surface="terminal",
    )


def request(team, text=QUESTION):
    return Request(text=text, platform="terminal", team=team, user="u", user_name="u", event_key="k")


def measured():
    """Three runs of one team that took 2%, 4% and 6% more than was said."""
    log = MemoryLog()
    log.runs["ours", "hf"] = [(30.0, 30.6), (25.0, 26.0), (20.0, 21.2)]
    return log


async def test_a_card_says_your_runs():
    asked = service(measured())
    reply = asked.answer(request("ours"), await asked.own_runs(request("ours")))
    need = reply.outcome.need
    assert need.high_gb == pytest.approx(1.06 * need.total_gb)
    assert "your runs: +4%, n = 3" in " ".join(reply.text.split())


async def test_another_team_sees_the_profile():
    asked = service(measured())
    assert await asked.own_runs(request("theirs")) == ()


@pytest.mark.parametrize("text", ["13b lora", "llama-3.1-8b qlora", "log 13b", "13b lroa"])
async def test_without_an_engine_nothing_is_read(text):
    log = measured()
    log.away = "it is away"
    assert await service(log).own_runs(request("ours", text)) == ()
    assert log.viewers == []


async def test_a_log_that_is_away_costs_nothing():
    log = measured()
    log.away = "it is away"
    assert await service(log).own_runs(request("ours")) == ()


class SlowLog(MemoryLog):
    async def team_runs(self, team, engine):
        await asyncio.sleep(5)
        return await super().team_runs(team, engine)


async def test_a_slow_log_is_not_waited_for():
    assert await own_runs(SlowLog(), "ours", "hf", wait_seconds=0.01) == ()

"""The log is pruned at the start and again after a day; a database that is away is tried again."""

import asyncio
from datetime import timedelta

from adapters.pruning import prune, pruning_daily
from bot.log.entry import LogAway
from bot.log.query_log import QueryLog
from tests.bot.log.making import NOON, SARA, a_query
from tests.fakes import FixedClock


class CountingLog:
    def __init__(self, away_times=0):
        self.befores = []
        self._away_times = away_times

    async def prune(self, before):
        self.befores.append(before)
        if len(self.befores) <= self._away_times:
            raise LogAway("the database cannot be reached")
        return 3


async def test_days_are_counted_back_from_now():
    log = CountingLog()
    assert await prune(log, FixedClock(NOON), 30) == 3
    assert log.befores == [NOON - timedelta(days=30)]


async def test_it_is_done_again_and_again_also_when_the_database_was_away():
    log = CountingLog(away_times=1)
    async with pruning_daily(log, FixedClock(NOON), 1, every_seconds=0.01):
        await asyncio.sleep(0.2)
    done = len(log.befores)
    assert done >= 3
    await asyncio.sleep(0.05)
    assert len(log.befores) == done


async def test_nothing_is_pruned_without_a_number_of_days():
    log = CountingLog()
    async with pruning_daily(log, FixedClock(NOON), None, every_seconds=0.01):
        await asyncio.sleep(0.05)
    assert log.befores == []


async def test_decisions_stay(tmp_path):
    async with await QueryLog.open(f"sqlite:///{tmp_path}/log.db", tmp_path / "spool") as log:
        for days in (1, 10, 20):
            await log.append(a_query(asked_at=NOON - timedelta(days=days)))
        await log.pin(SARA, 3, "why", by_name="Sara", at=NOON)
        assert await prune(log, FixedClock(NOON), 5) == 1
        assert [row.number for row in (await log.page(SARA)).rows] == [1, 3]

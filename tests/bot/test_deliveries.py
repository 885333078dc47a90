"""Once in a process, once between processes, and never silent because of the log."""

from dataclasses import replace

from bot.deliveries import Deliveries
from bot.log.entry import LogAway
from bot.log.query_log import QueryLog
from tests.bot.log.making import a_query
from tests.fakes import FixedClock


class AwayActs:
    async def first_act(self, *asked, **how):
        raise LogAway(f"the database does not answer {asked} {how}")


def test_a_key_is_new_once():
    deliveries = Deliveries(AwayActs(), FixedClock())
    assert [deliveries.is_new(key) for key in ("a", "b", "a", "a")] == [True, True, False, False]


def test_old_keys_are_forgotten():
    deliveries = Deliveries(AwayActs(), FixedClock())
    for number in range(10_001):
        deliveries.is_new(str(number))
    assert deliveries.is_new("0")
    assert not deliveries.is_new("10000")


async def test_one_of_two_processes_answers(tmp_path):
    address = f"sqlite:///{tmp_path}/log.db"
    async with await QueryLog.open(address, tmp_path / "a") as one, await QueryLog.open(address, tmp_path / "b") as two:
        first = a_query()
        second = replace(first, milliseconds=2.0)
        assert await one.append(first) == await two.append(second)
        mine, other = Deliveries(one, FixedClock()), Deliveries(two, FixedClock())
        assert sorted([await mine.is_ours(first), await other.is_ours(second)]) == [False, True]


async def test_without_the_log_the_answer_goes_out():
    assert await Deliveries(AwayActs(), FixedClock()).is_ours(a_query())

"""Storing: numbers, exactly once, what is stored comes back, many at once."""

import asyncio
import subprocess
import sys
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from bot.log import Filters, NewQuery, Viewer
from bot.log.query_log import QueryLog
from tests.bot.log.making import SARA, a_query


async def test_numbers_count_up_in_each_team(log):
    blue = [await log.append(a_query()) for _ in range(3)]
    red = [await log.append(a_query(team="red")) for _ in range(2)]
    assert (blue, red) == ([1, 2, 3], [1, 2])


async def test_the_same_event_twice_is_one_row_with_the_first_number(log):
    entry = a_query()
    first = await log.append(entry)
    await log.append(a_query())
    again = await log.append(replace(entry, public_id="another-id", text="13b qlora"))
    assert (first, again) == (1, 1)
    assert len((await log.page(SARA)).rows) == 2
    assert (await log.show(SARA, 1)).text == "13b lora ctx=4k"


async def test_the_same_event_many_times_at_once_is_one_row(address, spool_path):
    entry = a_query()
    async with (
        await QueryLog.open(address, spool_path) as one,
        await QueryLog.open(address, spool_path) as other,
    ):
        numbers = await asyncio.gather(*[log.append(entry) for log in (one, other) * 10])
        assert set(numbers) == {numbers[0]}
        assert len((await one.page(SARA)).rows) == 1


async def test_everything_of_a_question_comes_back(log):
    entry = a_query(channel="c1", visibility="public", usd_month=Decimal("1234567.89"), need_gb=0.1 + 0.2, count=40)
    number = await log.append(entry)
    row = await log.show(SARA, number)
    assert {name: getattr(row, name) for name in names()} == {name: getattr(entry, name) for name in names()}
    assert (row.number, row.decision, row.measured) == (1, None, None)


def names():
    return [field.name for field in fields(NewQuery)]


async def test_what_a_refusal_has_not_comes_back_as_none(log):
    absent = ("question_json", "model", "workload", "need_gb", "gpu", "count", "usd_month", "verdict")
    number = await log.append(a_query(kind="refusal", **dict.fromkeys(absent)))
    row = await log.show(SARA, number)
    assert [getattr(row, name) for name in absent] == [None] * 8


async def test_a_time_in_another_zone_is_the_same_moment_in_utc(log):
    half_past_eleven = datetime(2026, 3, 29, 23, 30, tzinfo=timezone(timedelta(hours=2)))
    row = await log.show(SARA, await log.append(a_query(asked_at=half_past_eleven)))
    assert row.asked_at.isoformat() == "2026-03-29T21:30:00+00:00"
    day = Filters(since=datetime(2026, 3, 29, tzinfo=UTC), until=datetime(2026, 3, 30, tzinfo=UTC))
    assert len((await log.page(SARA, day)).rows) == 1


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="no time zone"):
        a_query(asked_at=datetime(2026, 11, 30, 12, 0))  # noqa: DTZ001 - the naive time is what is refused


@pytest.mark.parametrize(
    "typed", ["13b\x00lora", "13b \udcff", "\ud83d", "'; DROP TABLE queries; --", "١٣b لورا", "é" * 500]
)
async def test_whatever_is_typed_is_stored(log, typed):
    number = await log.append(a_query(text=typed, user_name=typed, outcome_json=typed))
    kept = "".join("\ufffd" if letter == "\x00" or "\ud800" <= letter <= "\udfff" else letter for letter in typed)
    assert (await log.show(SARA, number)).text == kept


async def test_a_fraction_of_a_cent_rounds_half_up(log):
    row = await log.show(SARA, await log.append(a_query(usd_month=Decimal("239.995"))))
    assert str(row.usd_month) == "240.00"


async def test_numbers_follow_the_order_of_asking(log):
    entries = [a_query(text=f"{turn}b") for turn in range(1, 101)]
    assert await asyncio.gather(*[log.append(entry) for entry in entries]) == list(range(1, 101))


async def test_a_caller_that_stops_waiting_stops_nothing(address, spool_path):
    async with await QueryLog.open(address, spool_path) as log:
        for _ in range(20):
            waiting = asyncio.create_task(log.append(a_query()))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
    async with await QueryLog.open(address, spool_path) as log:
        assert len((await log.page(SARA, limit=100)).rows) == 20


ASKER = """
import asyncio, sys
from pathlib import Path
from bot.log.query_log import QueryLog
from tests.bot.log.making import a_query

async def main(address, spool, count):
    async with await QueryLog.open(address, Path(spool), patience_seconds=60) as log:
        for _ in range(int(count)):
            print(await log.append(a_query(user=f"user-{sys.argv[4]}")))

asyncio.run(main(*sys.argv[1:4]))
"""


def test_ten_processes_ask_fifty_questions_each(empty_address, spool_path):
    """Ten come first at once: they also make the tables together. Patient, so that a busy machine is no refusal."""
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", ASKER, empty_address, str(spool_path), "50", str(process)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for process in range(10)
    ]
    ended = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0] * 10, [error for _, error in ended]
    numbers = sorted(int(line) for out, _ in ended for line in out.split())
    assert len(numbers) == len(set(numbers)) == 500

    async def stored():
        async with await QueryLog.open(empty_address, spool_path) as log:
            return await log.count(Viewer(team="blue", user="nobody")), log.waiting()

    assert asyncio.run(stored()) == (500, 0)


async def test_a_burst_is_numbered_in_its_order_and_a_double_in_it_is_one_row(log):
    burst = [a_query() for _ in range(120)]
    burst[70] = replace(burst[3], public_id=burst[70].public_id)
    numbers = await asyncio.gather(*(log.append(entry) for entry in burst))
    assert numbers[70] == numbers[3]
    others = numbers[:70] + numbers[71:]
    assert others == sorted(set(others))
    assert len((await log.page(SARA, limit=500)).rows) == 119

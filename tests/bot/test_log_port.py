"""The fake log and the real one behave alike, as far as the use cases can see."""

from datetime import UTC, datetime

import pytest

from bot.log.entry import Filters, LogAway, NewQuery, NotLogged, Viewer
from bot.log.query_log import QueryLog
from tests.fakes import MemoryLog


def entry(n):
    return NewQuery(
        public_id=f"id{n:08d}",
        event_key=f"key{n}",
        asked_at=datetime(2026, 11, 30, 12, n, tzinfo=UTC),
        platform="terminal",
        team="local",
        channel=None,
        user="ada",
        user_name="ada",
        visibility="public",
        text=f"{n}b",
        kind="refusal",
        question_json=None,
        outcome_json="{}",
        model=None,
        workload=None,
        need_gb=None,
        gpu=None,
        count=None,
        usd_month=None,
        verdict=None,
        catalog="0123",
        catalog_name="gpu-rent-hub",
        engine_version="1",
        milliseconds=2.0,
    )


@pytest.fixture(params=["real", "fake"])
async def log(request, tmp_path):
    if request.param == "fake":
        yield MemoryLog()
        return
    async with await QueryLog.open(f"sqlite:///{tmp_path}/log.sqlite3", tmp_path / "log.spool") as real:
        yield real


@pytest.fixture(params=["real", "fake"])
async def log_away(request, tmp_path):
    if request.param == "fake":
        yield MemoryLog(away="the database is away")
        return
    async with await QueryLog.open("mysql://no-such-kind/log", tmp_path / "log.spool") as real:
        yield real


VIEWER = Viewer(team="local", user="ada")


async def test_numbers_count_up_and_pages_run_from_the_newest(log):
    assert [await log.append(entry(n)) for n in (1, 2, 3)] == [1, 2, 3]
    first = await log.page(VIEWER, Filters(), None, 2)
    assert [row.number for row in first.rows] == [3, 2]
    second = await log.page(VIEWER, Filters(), first.next, 2)
    assert [row.number for row in second.rows] == [1]
    assert second.next is None


async def test_the_same_event_is_the_same_row(log):
    assert [await log.append(entry(1)), await log.append(entry(1))] == [1, 1]


async def test_one_query_by_number_or_public_id(log):
    await log.append(entry(1))
    by_number, by_id = await log.show(VIEWER, 1), await log.show(VIEWER, "id00000001")
    assert by_number == by_id
    assert by_number.text == "1b"
    assert await log.show(VIEWER, 2) is None


async def test_what_cannot_be_stored_now_is_said(log_away):
    with pytest.raises(NotLogged) as away:
        await log_away.append(entry(1))
    assert away.value.reason


async def test_what_cannot_be_read_now_is_said(log_away):
    with pytest.raises(LogAway) as away:
        await log_away.page(VIEWER, Filters(), None, 2)
    assert away.value.reason

"""People keep getting answers while the database is away, and the log has every question once afterwards."""

import asyncio
import time
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

import pytest

from bot.chat import replied
from bot.log.entry import Viewer
from bot.log.query_log import QueryLog
from tests.bot.log.conftest import migrated_database, postgres, server  # noqa: F401 - fixtures
from tests.bot.log.test_faults import Line
from tests.bot.review.office import ADA, Office

QUESTIONS = 600
EVERY_SECONDS = 0.005  # 200 a second
CHANNELS = ("C1", "C2", "C3")


@pytest.fixture
async def line(postgres):  # noqa: F811 - the fixture
    parts = urlsplit(postgres)
    made = Line(parts.hostname, parts.port or 5432)
    await made.mend()
    user = f"{parts.username}@" if parts.username else ""
    made.address = urlunsplit(parts._replace(netloc=f"{user}127.0.0.1:{made.port}"))
    yield made
    await made.cut()


async def test_a_database_cut_off_in_the_middle_of_200_questions_a_second_costs_no_answer(line, tmp_path):
    async with await QueryLog.open(line.address, tmp_path / "spool", patience_seconds=1.0) as log:
        office = Office(log)
        asking = []
        for turn in range(QUESTIONS):
            asking.append(asyncio.create_task(asked(office, turn)))
            await asyncio.sleep(EVERY_SECONDS)
            if turn == QUESTIONS // 3:
                await line.cut()
            if turn == 2 * QUESTIONS // 3:
                await line.mend()
        replies = await asyncio.gather(*asking)
        assert {reply.kind for reply, _ in replies} == {"answer"}
        assert max(seconds for _, seconds in replies) < 5
        await asyncio.sleep(1.1)
        await log.replay()
        await asyncio.sleep(0.5)
        rows = [row async for row in log.export(Viewer(team="T1", user="U0ADA"))]
    for channel in CHANNELS:
        in_order = sorted((row for row in rows if row.channel == channel), key=lambda row: row.number)
        expected = [text_of(turn) for turn in range(QUESTIONS) if CHANNELS[turn % 3] == channel]
        assert [row.text for row in in_order] == expected


def text_of(turn):
    return f"13b lora ctx={turn + 1}"


async def asked(office, turn):
    request = replace(ADA, text=text_of(turn), event_key=f"event {turn}", channel=CHANNELS[turn % 3])
    began = time.perf_counter()
    return await replied(office.service, request), time.perf_counter() - began


async def test_a_full_disk_for_the_spool_costs_no_answer_and_is_said(tmp_path):
    """No database, and /dev/full for the spool: whatever is written there fails as on a full disk."""
    spool = tmp_path / "spool"
    spool.symlink_to("/dev/full")
    async with await QueryLog.open("mysql://no-such-kind/log", spool) as log:
        office = Office(log)
        reply = await replied(office.service, replace(ADA, text="13b lora", event_key="event"))
    assert reply.kind == "answer"
    said = " ".join(reply.parts["logged"].split())
    assert said.startswith("Logged no: ")
    assert "this question is not kept" in said

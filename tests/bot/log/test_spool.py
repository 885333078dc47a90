"""The spool: nothing lost, nothing doubled, in order, whatever breaks."""

import asyncio
import os
import stat
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import pytest

from bot.log import NotLogged
from bot.log.query_log import QueryLog
from bot.log.spool import Spool, entry_of, line_of
from tests.bot.log.making import SARA, a_query

NOWHERE = "postgresql://vram:hunter2@127.0.0.1:1/log"


async def spooled(path, entries):
    async with await QueryLog.open(NOWHERE, path) as log:
        for entry in entries:
            with pytest.raises(NotLogged):
                await log.append(entry)


async def texts(log):
    return [row.text async for row in log.export(SARA)][::-1]


def test_a_line_gives_the_same_question_back():
    for entry in (
        a_query(text="“13b”\u2028\x00\udcff\n", usd_month=Decimal("0.10"), need_gb=0.1 + 0.2),
        a_query(usd_month=None, need_gb=None, model=None, question_json=None),
    ):
        assert entry_of(line_of(entry)) == entry
        assert "\n" not in line_of(entry)


async def test_questions_of_an_absent_database_are_stored_in_order_with_the_next_one(address, spool_path):
    await spooled(spool_path, [a_query(text=f"{turn}b") for turn in range(1, 6)])
    async with await QueryLog.open(address, spool_path) as log:
        assert log.waiting() == 5
        assert await log.append(a_query(text="6b")) == 6
        assert await texts(log) == ["1b", "2b", "3b", "4b", "5b", "6b"]
        assert log.waiting() == 0


async def test_the_spool_can_be_replayed_without_a_question(log, spool_path):
    await spooled(spool_path, [a_query() for _ in range(250)])
    assert await log.replay() == 250
    assert await log.replay() == 0
    assert await log.count(SARA) == 250


async def test_the_files_are_their_owners_alone(spool_path):
    await spooled(spool_path, [a_query()])
    files = list(spool_path.parent.glob("spool*"))
    assert spool_path in files
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_a_crash_between_commit_and_deleting_the_file_doubles_nothing(log, spool_path):
    await spooled(spool_path, [a_query(text=f"{turn}b") for turn in range(3)])
    waiting = spool_path.read_bytes()
    await log.replay()
    spool_path.with_name("spool.jsonl.replay").write_bytes(waiting)
    spool_path.write_bytes(waiting)
    await log.append(a_query(text="next"))
    assert await texts(log) == ["0b", "1b", "2b", "next"]


async def test_a_file_left_by_a_crashed_replay_comes_first(log, spool_path):
    await spooled(spool_path, [a_query(text="old")])
    spool_path.rename(spool_path.with_name("spool.jsonl.replay"))
    await spooled(spool_path, [a_query(text="new")])
    await log.replay()
    assert await texts(log) == ["old", "new"]


@pytest.mark.parametrize("damage", [b'{"public_id": "ab', b"\xff\x00", b"[]\n", b"{}\n", b"\n\n"])
async def test_a_damaged_line_does_not_stop_the_rest(log, spool_path, damage):
    await spooled(spool_path, [a_query(text="before")])
    with spool_path.open("ab") as file:
        file.write(damage)
    await spooled(spool_path, [a_query(text="after")])
    await log.append(a_query(text="next"))
    assert await texts(log) == ["before", "after", "next"]
    aside = spool_path.with_name("spool.jsonl.damaged")
    assert aside.exists() == bool(damage.strip())


async def test_a_row_that_the_database_never_takes_does_not_stop_the_rest(log, spool_path):
    taken = a_query(public_id="same-id")
    await log.append(taken)
    await spooled(
        spool_path,
        [a_query(text="before"), replace(a_query(), public_id="same-id"), a_query(text="after", count=1)],
    )
    assert await log.replay() == 2
    assert await texts(log) == ["13b lora ctx=4k", "before", "after"]
    assert "same-id" in spool_path.with_name("spool.jsonl.damaged").read_text()


async def test_forget_takes_a_row_out_of_the_spool_too(log, spool_path):
    entry = a_query()
    number = await log.append(entry)
    for name in ("spool.jsonl", "spool.jsonl.replay", "spool.jsonl.damaged"):
        Spool(spool_path.with_name(name)).add(entry)
    await log.forget(SARA, number)
    assert all(entry.public_id not in file.read_text() for file in spool_path.parent.glob("spool*"))
    await log.replay()
    assert await log.count(SARA) == 0


def test_a_full_disk_keeps_no_half_line(tmp_path):
    """The process may write 2,000 bytes to a file, as a full disk would stop it."""
    script = """
import resource, sys
from pathlib import Path
from bot.log.spool import Spool
from tests.bot.log.making import a_query
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
spool = Spool(Path(sys.argv[1]))
spool.add(a_query())
try:
    spool.add(a_query(outcome_json="x" * 5000))
except OSError as error:
    print(error.strerror)
spool.add(a_query())
"""
    path = tmp_path / "spool"
    run = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    assert run.stdout == "File too large\n"
    assert [entry_of(line) is not None for line in path.read_text().splitlines()] == [True, True]


async def test_a_full_disk_says_that_the_question_is_lost(tmp_path):
    full = tmp_path / "spool"
    full.symlink_to("/dev/full")
    async with await QueryLog.open(NOWHERE, full) as log:
        with pytest.raises(NotLogged) as caught:
            await log.append(a_query())
    assert caught.value.lost
    assert "No space left on device" in caught.value.reason
    assert "not kept" in caught.value.reason


async def test_an_unreadable_spool_does_not_keep_a_question_out(log, spool_path):
    spool_path.with_name("spool.jsonl.replay.lock").mkdir()
    spool_path.write_text("{}\n")
    assert await log.append(a_query()) == 1


REPLAYER = """
import asyncio, sys
from pathlib import Path
from bot.log.query_log import QueryLog
from tests.bot.log.making import a_query

async def main(address, spool):
    async with await QueryLog.open(address, Path(spool)) as log:
        await log.append(a_query(text="own"))

asyncio.run(main(*sys.argv[1:]))
"""


def test_processes_that_replay_one_spool_at_once_store_each_row_once(address, spool_path):
    expected = 0
    for _ in range(2):
        asyncio.run(spooled(spool_path, [a_query(text="spooled") for _ in range(300)]))
        command = [sys.executable, "-W", "error", "-c", REPLAYER, address, str(spool_path)]
        started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        errors = [process.communicate(timeout=60)[1] for process in started]
        assert [process.returncode for process in started] == [0, 0, 0], errors
        expected += 303

        async def stored():
            async with await QueryLog.open(address, spool_path) as log:
                return await log.count(SARA), log.waiting()

        assert asyncio.run(stored()) == (expected, 0)


def test_a_process_killed_in_the_middle_of_a_replay_loses_and_doubles_nothing(address, spool_path):
    entries = [a_query(text=f"{turn}b") for turn in range(2000)]
    for entry in entries:
        Spool(spool_path).add(entry)
    command = [sys.executable, "-c", REPLAYER, address, str(spool_path)]
    for seconds in (0.5, 0.7, 0.9):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, 9)
            process.wait()

    async def stored():
        async with await QueryLog.open(address, spool_path) as log:
            await log.replay()
            return [text for text in await texts(log) if text != "own"]

    assert asyncio.run(stored()) == [entry.text for entry in entries]

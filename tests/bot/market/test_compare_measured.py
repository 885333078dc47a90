"""`compare measured=…`: speeds out of the log, through the service."""

from dataclasses import replace

import pytest

from bot.log.entry import Measured
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog


def request(text):
    return Request(text=text, platform="terminal", team="local", user="ada", user_name="Ada", event_key=text)


@pytest.fixture
async def asked():
    """A service whose log has 13B LoRA on an A40 (#1, 40 tokens/s), on an RTX 4090 (#2, 80) and one that nobody ran."""
    log = MemoryLog()
    service = Service(
        catalog=packaged_catalog(),
        clock=FixedClock(),
        new_id=CountedIds(),
        renderer=Renderer("terminal"),
        log=log,
        surface="terminal",
    )
    for text in ("7b qlora a40", "7b qlora 4090", "7b qlora l4"):
        await service.record(await service.handle(request(text)))
    for number, speed in ((1, 40.0), (2, 80.0)):
        run = Measured(gb=9.0, tokens_per_second=speed, note="", by="ada", by_name="Ada", at=FixedClock().now())
        log.rows[number - 1] = replace(log.rows[number - 1], measured=run)
    return service


async def test_runs_of_the_log_are_compared_by_finished_job(asked):
    """100 h x 240 / 720 = 33.33 on the A40; half the hours x 390 / 720 = 27.08 on the RTX 4090."""
    reply = await asked.handle(request("compare measured=1,2 hours=100"))
    assert [(row["gpu"], row["speed"], row["job_usd"]) for row in reply.rows] == [
        ("a40", 1.0, 33.33),
        ("rtx-4090", 2.0, 27.08),
    ]
    assert "Speeds as measured: #1, #2." in reply.text
    assert "By finished job: RTX 4090" in reply.text.replace("\u00a0", " ")


@pytest.mark.parametrize("runs", ["1,3", "1,99", "1", "x"])
async def test_what_has_no_measured_speed_is_refused(asked, runs):
    assert (await asked.handle(request(f"compare measured={runs}"))).kind == "refusal"


async def test_it_is_read_from_the_log_only_where_it_is_asked_for(asked):
    assert asked.reads_log("compare measured=1,2")
    assert not asked.reads_log("compare a40 4090")

"""Delivered twice, answered once; and what happens when Slack or the database fails."""

import asyncio
import sqlite3
import time
from contextlib import asynccontextmanager, closing

import pytest

from tests.adapters.slack.fake import CHANNEL
from tests.adapters.slack.process import Serve

pytestmark = pytest.mark.asyncio(loop_scope="module")


def rows(serve, slack):
    with closing(sqlite3.connect(serve.folder / "data" / "vram-bot" / "vram.sqlite3")) as database:
        return database.execute("SELECT count(*) FROM queries WHERE team = ?", (slack.team,)).fetchone()[0]


async def test_a_redelivered_event_is_answered_and_logged_once(slack, serve):
    event = slack.mention("70b int4")
    for number in range(3):
        retry = {"retry_attempt": number, "retry_reason": "timeout"} if number else {}
        assert await slack.send("events_api", event, **retry) == {}
    await slack.next_seen(0)
    await asyncio.sleep(0.5)
    assert len(slack.seen) == 1
    assert rows(serve, slack) == 1


async def test_an_event_that_was_never_seen_is_answered_though_marked_as_a_retry(slack, serve):
    await slack.send("events_api", slack.mention("70b int4"), retry_attempt=1, retry_reason="timeout")
    assert "40\u00a0GB" in (await slack.next_seen(0)).text


async def test_two_processes_on_one_database_give_one_answer(slack, serve):
    event = slack.mention("13b lora ctx=4k")
    settings = {"XDG_DATA_HOME": serve.environment["XDG_DATA_HOME"], "VRAM_SPOOL": str(serve.folder / "other.spool")}
    async with Serve(serve.folder / "other", slack, **settings):
        one, other = slack.sockets[-2:]
        for socket in (one, other):
            await socket.send_json({"type": "events_api", "envelope_id": slack.new("env"), "payload": event})
        await slack.next_seen(0)
        await asyncio.sleep(0.7)
    assert len(slack.seen) == 1
    assert rows(serve, slack) == 1


async def test_a_dropped_connection_is_made_again(slack, serve):
    opened = sum(method == "apps.connections.open" for method, _ in slack.calls)
    await slack.sockets[-1].send_json({"type": "disconnect", "reason": "refresh_requested"})
    await slack.wait_for(lambda: sum(m == "apps.connections.open" for m, _ in slack.calls) > opened)
    await slack.wait_for(lambda: slack.sockets)
    await asyncio.sleep(0.2)
    await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
    await slack.next_seen(0)
    await slack.sockets[-1].close()
    await slack.wait_for(lambda: slack.sockets, seconds=12)
    await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
    await slack.next_seen(1)


async def test_a_connection_that_fails_once_is_tried_with_a_new_address(slack, serve):
    slack.scripts["link"].append(503)
    await slack.sockets[-1].close()
    await slack.wait_for(lambda: slack.sockets and not slack.scripts["link"], seconds=40)
    await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
    await slack.next_seen(0)


async def test_429_is_waited_out_on_the_response_url(slack, serve):
    slack.scripts["response_url"].append((429, {"Retry-After": "1"}, "rate_limited"))
    began = time.monotonic()
    await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
    seen = await slack.next_seen(0)
    assert seen.how == "response_url"
    assert 0.9 < seen.at - began < 3


async def test_429_is_waited_out_on_the_web_api(slack, serve):
    slack.scripts["chat.postMessage"].append((429, {"Retry-After": "1"}, {"ok": False, "error": "ratelimited"}))
    began = time.monotonic()
    await slack.send("events_api", slack.mention("13b lora ctx=4k"))
    seen = await slack.next_seen(0)
    assert 0.9 < seen.at - began < 4


@pytest.mark.parametrize("answer", [(404, {}, "used_url"), (404, {}, "expired_url"), (500, {}, "server error")])
async def test_a_response_url_that_is_gone_is_replaced_by_a_message(slack, serve, answer):
    slack.scripts["response_url"].append(answer)
    await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
    seen = await slack.next_seen(0)
    assert (seen.how, seen.body["channel"]) == ("chat.postMessage", CHANNEL)
    slack.scripts["response_url"].append(answer)
    await slack.send("slash_commands", slack.command("13b lroa"))
    assert (await slack.next_seen(1)).how == "chat.postEphemeral"


async def test_where_nothing_can_be_posted_a_line_is_written_and_the_process_lives(slack, serve):
    slack.scripts["response_url"].append((404, {}, "used_url"))
    slack.scripts["chat.postMessage"].append((200, {}, {"ok": False, "error": "not_in_channel"}))
    await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
    await slack.wait_for(lambda: not slack.scripts["chat.postMessage"])
    await slack.send("slash_commands", slack.command("13b lora ctx=8k"))
    await slack.next_seen(0)
    assert "not_in_channel" in serve.log
    assert rows(serve, slack) == 2


@asynccontextmanager
async def locked(path):
    """The database cannot be written meanwhile."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        yield
        database.execute("ROLLBACK")


async def test_a_slow_database_costs_the_number_and_not_the_answer(slack, serve):
    path = serve.folder / "data" / "vram-bot" / "vram.sqlite3"
    async with locked(path):
        began = time.monotonic()
        acknowledged = await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
        assert time.monotonic() - began < 0.5
        seen = await slack.next_seen(0)
        assert seen.at - began < 1
        assert acknowledged == {}
        assert "35\u00a0GB" in seen.text
        assert "Logged" not in seen.text
    await wait_until(lambda: rows(serve, slack) == 1)


async def test_a_database_that_is_away_is_said_and_the_row_arrives_later(slack, tmp_path):
    folder = tmp_path / "away"
    folder.write_text("a file where the folder of the database should be", encoding="utf-8")
    address = f"sqlite:///{folder}/log.db"
    spool = str(tmp_path / "spool")
    async with Serve(tmp_path / "home", slack, VRAM_DATABASE_URL=address, VRAM_SPOOL=spool) as serve:
        await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
        seen = await slack.next_seen(0)
        assert "35\u00a0GB" in seen.text
        assert "Not logged yet" in seen.text
        await slack.send("slash_commands", slack.command("log"))
        assert "cannot be read" in (await slack.next_seen(1)).text
        folder.unlink()

        def stored():
            if not (folder / "log.db").exists():
                return 0
            with closing(sqlite3.connect(folder / "log.db")) as database:
                try:
                    return database.execute("SELECT count(*) FROM queries").fetchone()[0]
                except sqlite3.OperationalError:
                    return 0

        await wait_until(lambda: stored() == 1, seconds=10)
        assert await serve.stop() == 0
        assert "log: 1 question stored that had waited\n" in serve.log


async def test_sigterm_finishes_and_logs_the_answers_under_way(slack, tmp_path):
    async with Serve(tmp_path, slack) as serve:
        slack.scripts["response_url"].append((429, {"Retry-After": "1"}, "rate_limited"))
        await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
        await slack.wait_for(lambda: not slack.scripts["response_url"])
        assert await serve.stop() == 0
        assert "35\u00a0GB" in slack.seen[0].text
        assert rows(serve, slack) == 1


async def wait_until(condition, seconds=6.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        await asyncio.sleep(0.05)

"""The real client over real sockets, against a local Discord."""

import asyncio
import contextlib
import json
import logging
import time
from functools import partial

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord import connection
from adapters.discord.connection import DiscordAway
from tests.adapters.discord.fake_discord import FakeDiscord
from tests.adapters.discord.fake_interaction import COMMAND_CALL, DEFERRED, DEFERRED_UPDATE, Interaction
from tests.adapters.discord.making import DecidingLog, bot, synced


@pytest.fixture(autouse=True)
def _addresses():
    kept = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    connection.point_at(kept[0], str(kept[1]))


@contextlib.asynccontextmanager
async def running(fake, log):
    """A bot that is connected to the fake."""
    connection.point_at(fake.api_url, fake.gateway_url)
    fake.gateway.identified.clear()
    async with connection.connected(partial(bot, log, shards=None), fake.token, again_seconds=0.2) as one:
        await asyncio.wait_for(fake.gateway.identified.wait(), 10)
        yield one


@pytest.fixture
async def fake():
    async with FakeDiscord() as made:
        yield made


@pytest.fixture
def log():
    return DecidingLog()


async def test_from_nothing_to_an_answer_a_click_and_a_restart(fake, log):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        asked = await fake.slash("ann", channel, "vram", question="13b lora", context="4k")
        assert "**Needs 35\u00a0GB**" in asked.text
        assert "Logged #1" in asked.text
        assert not asked.is_private
        assert asked.first_response_seconds < 1
        typed = await fake.typing("ann", channel, "vram", model="70")
        assert [choice["value"] for choice in typed[:2]] == ["70b", "llama-3.3-70b"]
        clicked = await fake.click("bob", asked, "Arithmetic")
        assert clicked.is_private
        opened = await fake.click("bob", asked, "Pin as decision")
    async with running(fake, log):
        again = await fake.click("bob", asked, "Arithmetic")
        assert "13 × 10⁹ × 2 B" in again.text
        decided = await fake.submit("bob", opened, "one A40")
        assert "one A40" in decided.text
    assert [row.visibility for row in log.rows] == ["public"]
    assert fake.gateway.identifies[0]["intents"] == 1


async def test_a_dropped_connection_is_resumed_and_what_came_meanwhile_is_answered(fake, log):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        await fake.gateway.drop()
        asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k")
        assert "**Needs 35\u00a0GB**" in asked.text
        assert fake.gateway.resumed.is_set()
    assert len(fake.gateway.sessions) == 1


async def test_an_event_that_cannot_be_read_does_not_end_the_bot(fake, log, caplog):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        fake.gateway.identified.clear()
        await fake.gateway.dispatch("INTERACTION_CREATE", {"type": 2}, fake.guild_of(channel))
        await asyncio.wait_for(fake.gateway.identified.wait(), 10)
        asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k")
        assert "**Needs 35\u00a0GB**" in asked.text
    [line] = [record for record in caplog.records if record.name == "adapters.discord.connection"]
    assert "ended" in line.getMessage()


async def test_a_token_that_was_reset_and_put_back(fake, log, caplog):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log) as one:
        token, fake.token, fake.gateway.token = fake.token, "another", "another"
        fake.gateway.identified.clear()
        await fake.gateway.drop(4004)
        await asyncio.sleep(0.5)
        assert not one.is_ready
        fake.token = fake.gateway.token = token
        await asyncio.wait_for(fake.gateway.identified.wait(), 10)
        asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k")
        assert "**Needs 35\u00a0GB**" in asked.text
    assert "does not accept DISCORD_TOKEN" in caplog.text
    assert token not in caplog.text


async def test_a_rate_limit_is_waited_out(fake, log):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        fake.limited["/interactions"] = 0.2
        asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k")
        assert "**Needs 35\u00a0GB**" in asked.text
        assert asked.first_response_seconds > 0.2
        assert len(asked.messages) == 1


async def test_two_shards(log):
    async with FakeDiscord(shards=2) as fake:
        channels = [fake.add_guild("Even", shard=0), fake.add_guild("Odd", shard=1)]
        await synced(fake)
        async with running(fake, log):
            for channel in channels:
                asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k")
                assert "**Needs 35\u00a0GB**" in asked.text
    assert len({row.team for row in log.rows}) == 2
    assert sorted(one["shard"] for one in fake.gateway.identifies) == [[0, 2], [1, 2]]


async def test_a_slow_database_is_promised_for_in_time(fake, log):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k private")
        log.seconds = 1.0
        listed = await fake.slash("ann", channel, "vram-log")
        assert listed.type == DEFERRED
        assert listed.first_response_seconds < 2
        assert "13b lora" in listed.text
        assert len(listed.messages) == 1
        clicked = await fake.click("ann", asked, "Arithmetic")
        assert clicked.type == DEFERRED_UPDATE
        assert "13 × 10⁹ × 2 B" in clicked.text


async def test_many_at_once_while_the_database_is_slow(fake, log):
    channel = fake.add_guild("Ours")
    await synced(fake)
    log.seconds = 1.0
    async with running(fake, log):
        asked = await asyncio.gather(*(fake.slash("ann", channel, "vram", question=f"{n}b lora") for n in range(1, 21)))
        assert all("Needs" in one.text for one in asked)
        assert max(one.first_response_seconds for one in asked) < 3


async def test_two_processes_answer_each_interaction_once(fake, log, caplog):
    caplog.set_level(logging.INFO)
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log), running(fake, log):
        asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k private")
        shared = await fake.click("ann", asked, "Share")
        for done in (asked, shared):
            await asyncio.wait_for(done.turned_away.wait(), 5)
        assert len(asked.messages) == 1
        assert not shared.is_private
        assert "Shared by ann" in shared.text
        assert len([one for one in shared.messages if one is not shared.source]) == 1
        clicked = await fake.click("ann", asked, "Arithmetic")
        assert "13 × 10⁹ × 2 B" in clicked.text
        await asyncio.sleep(0.1)
    assert len(log.rows) == 1
    lines = [record for record in caplog.records if "not answered" in record.getMessage()]
    assert [(asked.id in record.args, record.exc_info) for record in lines].count((True, None)) == 1
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.WARNING]


async def test_a_command_that_is_no_longer_ours_gets_help(fake, log, caplog):
    channel = fake.add_guild("Ours")
    await synced(fake)
    fake.commands[None]["vram-old"] = fake.commands[None]["vram-help"] | {"name": "vram-old"}
    async with running(fake, log):
        asked = await fake.slash("ann", channel, "vram-old")
    assert asked.is_private
    assert "/vram-log" in asked.text
    [line] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "discord-sync" in line.getMessage()
    assert line.exc_info is None


async def test_what_cannot_be_is_refused_in_a_sentence(fake, log):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        asked = await fake.slash("ann", channel, "vram", question="13b", batch=0)
    assert asked.is_private
    assert "batch=0" in asked.text
    assert [row.kind for row in log.rows] == ["refusal"]


async def test_a_hidden_channel_keeps_its_questions(fake, log):
    hidden, other = fake.add_guild("Ours", hidden=True), fake.add_guild("Theirs")
    await synced(fake)
    async with running(fake, log):
        await fake.slash("ann", hidden, "vram", question="13b lora")
        await fake.slash("ann", other, "vram", question="7b lora")
        direct = await fake.slash("ann", fake.new_id(), "vram", question="8b lora")
        assert "Logged" in direct.text
    assert [row.visibility for row in log.rows] == ["private-channel", "public", "direct"]
    assert len({row.team for row in log.rows}) == 3
    assert log.rows[2].channel is None


async def test_a_server_whose_channels_are_not_known_keeps_them_apart(fake, log):
    fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        commands_only = fake.add_guild("Without the bot itself")
        await fake.slash("ann", commands_only, "vram", question="13b lora")
    assert [(row.visibility, row.channel) for row in log.rows] == [("private-channel", str(commands_only))]
    assert log.rows[0].team == str(fake.guild_of(commands_only))


async def test_a_wrong_token_is_a_plain_sentence(fake, log):
    connection.point_at(fake.api_url, fake.gateway_url)
    with pytest.raises(DiscordAway, match="DISCORD_TOKEN") as refused:
        async with connection.connected(partial(bot, log), "wrong"):
            pass
    assert "wrong" not in str(refused.value)


async def test_nobody_there_is_a_plain_sentence(log):
    connection.point_at("http://127.0.0.1:9/api", None)
    with pytest.raises(DiscordAway, match="cannot be reached"):
        async with connection.connected(partial(bot, log), "token"):
            pass


async def test_a_stop_waits_for_the_answer_under_way(fake, log):
    channel = fake.add_guild("Ours")
    await synced(fake)
    async with running(fake, log):
        log.seconds = 1.0
        asking = asyncio.create_task(fake.slash("ann", channel, "vram-log"))
        await asyncio.sleep(0.3)
    assert "No questions" in (await asking).text


async def test_of_two_responses_at_once_the_local_discord_takes_one(fake):
    """As the real one does, also where the heads of both arrive before the body of either."""
    made = Interaction(fake.new_id(), "token", COMMAND_CALL, fake.add_guild("Ours"), time.monotonic())
    fake.interactions[made.token] = made
    there = yarl.URL(f"{fake.api_url}/interactions/{made.id}/{made.token}/callback")
    body = json.dumps({"type": DEFERRED, "data": {}})
    head = (
        f"POST {there.path} HTTP/1.1\r\nHost: {there.host}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    lines = [await asyncio.open_connection(there.host, there.port) for _ in range(2)]
    for text in (head, body):
        for _, writer in lines:
            writer.write(text.encode())
        await asyncio.sleep(0.1)
    answers = sorted([(await reader.read()).split(b" ", 2)[1] for reader, _ in lines])
    for _, writer in lines:
        writer.close()
    assert answers == [b"200", b"400"]
    assert made.turned_away.is_set()
    assert len(made.messages) == 1

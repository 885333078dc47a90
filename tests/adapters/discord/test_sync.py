"""`discord-sync`, over sockets: the difference is shown, only what differs is changed, one server stops nothing."""

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord.connection import point_at
from adapters.discord.sync import Scope, wanted
from bot.commands import COMMANDS
from tests.adapters.discord.checks import check_command
from tests.adapters.discord.fake_discord import FakeDiscord
from tests.adapters.discord.making import synced


@pytest.fixture(autouse=True)
def _addresses():
    kept = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    point_at(kept[0], str(kept[1]))


@pytest.fixture
async def fake():
    async with FakeDiscord() as made:
        yield made


def changes(fake) -> list[tuple[str, str]]:
    return [call for call in fake.calls if call[0] != "GET" and "/commands" in call[1]]


def test_every_command_is_within_the_limits():
    for command in wanted():
        check_command(command)
    assert len(wanted()) <= 100


def test_a_command_for_every_row_of_the_table():
    rows = {f"vram-{row.word}" for row in COMMANDS if "chat" in row.surfaces}
    assert {command["name"] for command in wanted()} == {"vram", *rows}


def test_the_question_has_typed_options_beside_the_text():
    question = next(command for command in wanted() if command["name"] == "vram")
    options = {option["name"]: option for option in question["options"]}
    assert list(options) == [
        *("question", "model", "workload", "format", "context"),
        *("batch", "gpus", "kv", "budget", "private"),
    ]
    assert {name for name, option in options.items() if option.get("autocomplete")} == {"model", "format", "gpus"}
    assert [choice["value"] for choice in options["workload"]["choices"]] == ["infer", "lora", "qlora", "full"]
    assert (options["batch"]["type"], options["private"]["type"]) == (4, 5)
    assert not any(option["required"] for option in options.values())
    assert question["contexts"] == [0, 1, 2]
    assert question["integration_types"] == [0, 1]


async def test_everything_is_new_then_nothing_is_to_change(fake):
    said = await synced(fake)
    assert said[0] == "everywhere:"
    assert "  + /vram" in said
    assert set(fake.commands[None]) == {command["name"] for command in wanted()}
    fake.calls.clear()
    again = await synced(fake)
    assert "  nothing to change" in again
    assert "  = /vram" in again
    assert changes(fake) == []


async def test_only_what_differs_is_sent(fake):
    await synced(fake)
    fake.commands[None]["vram-log"]["description"] = "an older text"
    fake.commands[None]["vram-old"] = fake.commands[None].pop("vram-show") | {"name": "vram-old"}
    fake.calls.clear()
    said = await synced(fake)
    assert {"  ~ /vram-log", "  + /vram-show", "  - /vram-old", "  = /vram"} <= set(said)
    assert sorted(method for method, _ in changes(fake)) == ["DELETE", "POST", "POST"]
    assert set(fake.commands[None]) == {command["name"] for command in wanted()}
    assert fake.commands[None]["vram-log"]["description"] != "an older text"


async def test_a_changed_option_is_a_difference(fake):
    await synced(fake)
    fake.commands[None]["vram"]["options"][2]["choices"][0]["name"] = "something else"
    assert "  ~ /vram" in await synced(fake)


async def test_a_server_that_fails_does_not_stop_the_others(fake):
    first, second = (fake.guild_of(fake.add_guild(name)) for name in ("One", "Two"))
    fake.forbidden.add(first)
    said = await synced(fake, Scope(first), Scope(second))
    assert f"server {first}: not changed, the bot may not make commands there" in " ".join(said)
    assert said[-1] == "failed"
    assert "vram" in fake.commands[second]


async def test_other_copies_are_cleared_only_when_asked(fake):
    guild = fake.guild_of(fake.add_guild("Ours"))
    await synced(fake, Scope(guild))
    await synced(fake)
    assert "vram" in fake.commands[guild]
    said = await synced(fake, clear=True)
    assert f"server {guild}:" in said
    assert fake.commands[guild] == {}
    assert "vram" in fake.commands[None]
    await synced(fake, Scope(guild), clear=True)
    assert fake.commands[None] == {}
    assert "vram" in fake.commands[guild]


async def test_a_server_that_fails_to_be_cleared_is_said(fake):
    guild = fake.guild_of(fake.add_guild("Ours"))
    fake.forbidden.add(guild)
    said = await synced(fake, clear=True)
    assert said[-1] == "failed"
    assert "vram" in fake.commands[None]


def test_without_a_token_it_says_what_is_missing(vram):
    done = vram("discord-sync")
    assert (done.returncode, done.stdout) == (1, "")
    assert "DISCORD_TOKEN is not set" in done.stderr


def test_a_wrong_option_is_named(vram):
    done = vram("discord-sync", "--guild", "here", DISCORD_TOKEN="x")
    assert done.returncode == 2
    assert "here" in done.stderr


def test_an_address_where_nobody_is(vram):
    done = vram("discord-sync", DISCORD_TOKEN="very-secret", VRAM_DISCORD_API_URL="http://127.0.0.1:9/api")
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert "very-secret" not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_help_says_what_it_does(vram):
    done = vram("discord-sync", "--help")
    assert done.returncode == 0
    assert "--guild" in done.stdout
    assert "--clear" in done.stdout

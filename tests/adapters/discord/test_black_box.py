"""The real command against a local Discord, as `make discord-demo` shows it."""

import asyncio
import re
import sqlite3

from tests.adapters.discord.fake_discord import FakeDiscord
from tests.demo.discord_demo import demo, environment_of, output_of, serving

IN_THIS_ORDER = [
    "+ /vram",
    "nothing to change",
    "ann: /vram question:13b lora context:4k    [the channel sees it]",
    "Needs 35\u00a0GB",
    "Logged #1",
    "| 70B",
    "bob clicks Arithmetic    [only they see it]",
    "13 × 10⁹ × 2 B",
    "Which one is meant?",
    "bob clicks QLoRA    [the channel sees it]",
    "Did you mean lora?",
    "ended with 0",
    "one A40 will do",
    "ann: /vram-log",
    "13b lora ctx=4k",
    "ended with 0",
]


async def test_from_sync_to_a_click_after_a_restart(tmp_path):
    said = []
    await demo(tmp_path, said.append)
    shown, place = "\n".join(said), 0
    for words in IN_THIS_ORDER:
        assert words in shown[place:], words
        place = shown.index(words, place) + len(words)
    log = (tmp_path / "serve.log").read_text(encoding="utf-8")
    assert log.count("discord: interaction=") == 7
    assert not re.search("Traceback|WARNING|ERROR", log)


async def test_no_secret_reaches_the_log_even_at_its_most_talkative(tmp_path):
    await demo(tmp_path, lambda _: None, VRAM_LOG_LEVEL="debug")
    log = (tmp_path / "serve.log").read_text(encoding="utf-8")
    assert "DEBUG" in log
    assert "fake.discord.token" not in log
    assert not re.search(r"token1\d{15}", log)


async def test_two_processes_on_one_database(tmp_path):
    async with FakeDiscord() as fake:
        channel = fake.add_guild("Ours")
        environment = environment_of(fake, tmp_path)
        await output_of(environment, "discord-sync")
        async with serving(fake, environment, lambda _: None), serving(fake, environment, lambda _: None):
            asked = await fake.slash("ann", channel, "vram", question="13b lora ctx=4k private")
            await asyncio.wait_for(asked.turned_away.wait(), 10)
            assert len(asked.messages) == 1
            foreign = await fake.click("bob", asked, "Arithmetic")
            assert "10⁹" not in foreign.text
            clicked = await fake.click("ann", asked, "Arithmetic")
            assert "13 × 10⁹ × 2 B" in clicked.text
            shared = await fake.click("ann", asked, "Share")
            assert "Shared by ann" in shared.text
    [database] = tmp_path.rglob("*.sqlite3")
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM queries").fetchone() == (1,)
    log = (tmp_path / "serve.log").read_text(encoding="utf-8")
    assert log.count(f"interaction={asked.id} kind=answer") == 1
    assert log.count(f"interaction={asked.id} not answered status=400 code=40060") == 1
    assert "Traceback" not in log

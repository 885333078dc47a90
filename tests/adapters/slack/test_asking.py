"""The three ways to ask, over Socket Mode, with `vram serve` as a process of its own."""

import asyncio
import time

import pytest

from tests.adapters.slack.fake import ADMIN, BOB, BOT, CHANNEL, DIRECT, PRIVATE
from tests.adapters.slack.process import Serve
from tests.adapters.slack.test_cards import without_marks

pytestmark = pytest.mark.asyncio(loop_scope="module")

NEEDS_35 = "*Needs* 35\u00a0GB"  # sizing guide: 13B LoRA at 4,096 tokens


async def test_a_command_is_answered_in_the_channel_with_its_number(slack, serve):
    began = time.monotonic()
    assert await slack.send("slash_commands", slack.command("13b lora ctx=4k")) == {}
    assert time.monotonic() - began < 0.5
    seen = await slack.next_seen(0)
    assert (seen.how, seen.is_public) == ("response_url", True)
    assert seen.at - began < 1
    assert NEEDS_35 in seen.text
    assert "A40" in seen.text
    assert "Logged #1" in seen.text
    assert seen.body["unfurl_links"] is False
    assert NEEDS_35 in seen.body["text"]
    assert list(seen.buttons)[:2] == ["Arithmetic", "Pin as decision"]


async def test_refusals_choices_help_and_private_questions_are_for_the_asker(slack, serve):
    for place, (text, words) in enumerate(
        (
            ("13b lroa", "Did you mean lora?"),
            ("13b finetune", "QLoRA"),
            ("help", "/vram"),
            ("13b lora ctx=4k private", NEEDS_35),
        )
    ):
        await slack.send("slash_commands", slack.command(text))
        seen = await slack.next_seen(place)
        assert not seen.is_public, text
        assert words in seen.text
    assert "Share" in seen.buttons


async def test_visibility_asker_keeps_answers_to_the_asker(slack, tmp_path):
    async with Serve(tmp_path, slack, VRAM_VISIBILITY="asker"):
        await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
        seen = await slack.next_seen(0)
        assert not seen.is_public
        assert "Share" in seen.buttons


async def test_who_administers_the_workspace_may_forget_what_others_asked(slack, serve):
    await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
    await slack.next_seen(0)
    await slack.send("slash_commands", slack.command("forget 1", user=BOB))
    assert "administrator" in (await slack.next_seen(1)).text
    await slack.send("slash_commands", slack.command("forget 1", user=ADMIN))
    await slack.next_seen(2)
    await slack.send("slash_commands", slack.command("show 1"))
    assert "no question" in (await slack.next_seen(3)).text


async def test_a_mention_is_answered_in_its_thread(slack, serve):
    asked = slack.mention("can we run 70b int4 on 2x4090?", ts="1700000000.000100")
    await slack.send("events_api", asked)
    seen = await slack.next_seen(0)
    assert (seen.how, seen.body["channel"], seen.body["thread_ts"]) == (
        "chat.postMessage",
        CHANNEL,
        "1700000000.000100",
    )
    assert "40\u00a0GB" in seen.text  # sizing guide: 35 + 2.7 + 2
    inside = slack.mention("and 13b lora ctx=4k?", ts="1700000009.000100", thread_ts="1700000000.000100")
    await slack.send("events_api", inside)
    assert (await slack.next_seen(1)).body["thread_ts"] == "1700000000.000100"


async def test_what_a_mention_cannot_answer_is_for_the_asker(slack, serve):
    await slack.send("events_api", slack.mention("13b lroa"))
    seen = await slack.next_seen(0)
    assert seen.how == "chat.postEphemeral"
    assert "lora" in seen.text


async def test_a_direct_message_is_answered_there(slack, serve):
    await slack.send("events_api", slack.direct("how much memory does 13b lora ctx=4k need?"))
    seen = await slack.next_seen(0)
    assert (seen.how, seen.body["channel"]) == ("chat.postMessage", DIRECT)
    assert "thread_ts" not in seen.body
    assert NEEDS_35 in seen.text
    await slack.send("events_api", slack.direct(f"<@{BOT}>"))
    assert "/vram" in (await slack.next_seen(1)).text


async def test_bots_and_edits_are_left_alone(slack, serve):
    for event in (
        slack.mention("70b", bot_id="B9", bot_profile={"id": "B9"}),
        slack.direct("70b", user=BOT, bot_id="B1"),
        slack.direct("70b", subtype="bot_message", bot_id="B9"),
        slack.direct("70b", subtype="message_changed"),
        slack.event({"type": "message", "channel_type": "channel", "text": "/vram 8b"}),
    ):
        await slack.send("events_api", event)
    await slack.send("events_api", slack.direct("7b"))
    await slack.next_seen(0)
    await asyncio.sleep(0.3)
    assert len(slack.seen) == 1


async def test_names_and_private_channels_are_looked_up_for_mentions(slack, serve):
    await slack.send("events_api", slack.mention("70b", channel=PRIVATE))
    await slack.next_seen(0)
    await slack.send("events_api", slack.mention("13b"))
    await slack.next_seen(1)
    await slack.send("slash_commands", slack.command("log"))
    public = await slack.next_seen(2)
    assert "`13b`" in public.text
    assert "70b" not in public.text
    assert "· ada," in public.text
    await slack.send("slash_commands", slack.command("log", channel=PRIVATE))
    assert "`70b`" in (await slack.next_seen(3)).text


async def test_text_that_clients_have_changed_is_the_same_question(slack, serve):
    for place, text in enumerate(
        (
            "13b lora ctx=4k",
            "`13b\u00a0lora ctx=4k`",
            "*13b* lora ctx＝4k",
            "13b\u200b lora ctx=4096",
            "&#x31;3b lora ctx=4k".replace("&#x31;", "1"),
            "“13b” lora ctx=4k",
        )
    ):
        await slack.send("slash_commands", slack.command(text))
        assert NEEDS_35 in (await slack.next_seen(place)).text, text
    await slack.send("slash_commands", slack.command("<http://llama3.1|llama3.1>:8b lora"))
    linked = await slack.next_seen(place + 1)
    await slack.send("slash_commands", slack.command("llama3.1:8b lora"))
    plain = await slack.next_seen(place + 2)
    assert linked.text.splitlines()[:3] == plain.text.splitlines()[:3]


async def test_hostile_text_pings_nobody_anywhere(slack, serve):
    hostile = "<!channel> <@U1> @here ```*70b*``` <https://evil|x> &"
    for text in (hostile, f"13b lora {hostile}"):
        await slack.send("slash_commands", slack.command(text))
    await slack.send("events_api", slack.mention(f"70b {hostile}"))
    await slack.wait_for(lambda: len(slack.seen) == 3)
    await slack.send("slash_commands", slack.command("log"))
    listed = await slack.next_seen(3)
    await slack.send("interactive", slack.click(listed.buttons["Show #1"]))
    await slack.next_seen(4)
    for seen in slack.seen:
        for said in (seen.text, seen.body["text"]):
            assert "<" not in without_marks(said), said
        texts = [block["text"] for block in seen.body["blocks"] if block["type"] == "section"]
        assert all(text["verbatim"] for text in texts)

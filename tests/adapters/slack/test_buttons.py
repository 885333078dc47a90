"""Buttons, paging, the form and the App Home."""

import json

import pytest

from tests.adapters.slack.fake import ADA, BOB, CHANNEL
from tests.adapters.slack.process import Serve

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def asked(slack, text, **where):
    """What the asker sees."""
    place = len(slack.seen)
    await slack.send("slash_commands", slack.command(text, **where))
    return await slack.next_seen(place)


async def clicked(slack, button, **who):
    """Everything that one click shows."""
    place = len(slack.seen)
    await slack.send("interactive", slack.click(button, **who))
    await slack.next_seen(place)
    return slack.seen[place:]


async def test_share_moves_a_private_answer_into_the_channel_and_says_who(slack, serve):
    card = await asked(slack, "13b lora ctx=4k private")
    place = len(slack.seen)
    await slack.send("interactive", slack.click(card.buttons["Share"]))
    await slack.wait_for(lambda: len(slack.seen) == place + 2)
    removed, shared = slack.seen[place:]
    assert removed.body == {"delete_original": True}
    assert (shared.is_public, shared.body["replace_original"]) == (True, False)
    assert "Shared by ada" in shared.text
    assert "35\u00a0GB" in shared.text
    [again] = await clicked(slack, card.buttons["Share"])
    assert not again.is_public


async def test_arithmetic_is_for_the_one_who_clicks(slack, serve):
    card = await asked(slack, "13b lora ctx=4k")
    [shown] = await clicked(slack, card.buttons["Arithmetic"], user=BOB)
    assert (shown.is_public, shown.body["replace_original"]) == (False, False)
    assert "13 × 10⁹ × 2 B" in shown.text  # sizing guide: bf16 base of 13B


async def test_pin_asks_for_a_note_and_keeps_it(slack, serve):
    card = await asked(slack, "13b lora ctx=4k")
    await slack.send("interactive", slack.click(card.buttons["Pin as decision"]))
    view = await slack.next_view(0)
    place = len(slack.seen)
    note = "room for 8k & <!here>"
    assert await slack.send("interactive", slack.submission(view, {"note": note})) == {}
    pinned = await slack.next_seen(place)
    assert "*#1* is a decision now, by ada" in pinned.text
    assert "room for 8k &amp; &lt;!here&gt;" in pinned.text
    listed = await asked(slack, "log")
    assert "Pin #1" not in listed.buttons


async def test_what_if_asks_the_changed_question_in_the_channel(slack, serve):
    card = await asked(slack, "70b bf16 2x3090")
    what_if = card.buttons["What if int4?"]
    [shown] = await clicked(slack, what_if)
    assert shown.is_public
    assert "40\u00a0GB" in shown.text  # sizing guide: 35 + 2.7 + 2
    assert "Logged #2" in shown.text
    [again] = await clicked(slack, what_if)
    assert not again.is_public
    assert "*#2*" in again.text


async def test_a_choice_is_made_by_a_button(slack, serve):
    card = await asked(slack, "13b finetune ctx=4k")
    place = len(slack.seen)
    await slack.send("interactive", slack.click(card.buttons["LoRA"]))
    await slack.wait_for(lambda: len(slack.seen) == place + 2)
    removed, answered = slack.seen[place:]
    assert removed.body == {"delete_original": True}
    assert answered.is_public
    assert "35\u00a0GB" in answered.text


async def test_a_click_in_a_thread_is_answered_in_it(slack, serve):
    await slack.send("events_api", slack.mention("70b bf16 2x3090"))
    card = await slack.next_seen(0)
    container = {"type": "message", "channel_id": CHANNEL, "message_ts": "2.1", "thread_ts": "1.1"}
    [shown] = await clicked(slack, card.buttons["What if int4?"], container=container)
    assert shown.body["thread_ts"] == "1.1"


async def test_the_log_pages_both_ways_with_its_filters(slack, serve):
    for n in range(1, 8):
        await asked(slack, f"13b lora ctx={n}k")
    await asked(slack, "70b")
    page = await asked(slack, "log 13b")
    assert not page.is_public
    assert [name for name in page.buttons if name.startswith("Show")] == [f"Show #{n}" for n in (7, 6, 5, 4, 3)]
    assert "Pin #7" in page.buttons
    [older] = await clicked(slack, page.buttons["Older"])
    assert older.body["replace_original"] is True
    assert [name for name in older.buttons if name.startswith("Show")] == ["Show #2", "Show #1"]
    assert "with 13b" in older.text
    [newer] = await clicked(slack, older.buttons["Newer"])
    assert "Show #7" in newer.buttons
    assert "Newer" not in newer.buttons
    [shown] = await clicked(slack, older.buttons["Show #1"])
    assert "`13b lora ctx=1k`" in shown.text
    assert "Share" in shown.buttons


async def test_buttons_work_after_a_restart_and_not_with_another_secret(slack, tmp_path):
    async with Serve(tmp_path, slack):
        card = await asked(slack, "13b lora ctx=4k")
    async with Serve(tmp_path, slack):
        [shown] = await clicked(slack, card.buttons["Arithmetic"])
        assert "13 × 10⁹" in shown.text
    async with Serve(tmp_path, slack, VRAM_SECRET="another"):
        [refused] = await clicked(slack, card.buttons["Arithmetic"])
        assert "no such question" in refused.text


async def test_forged_and_foreign_buttons_are_refused_alike(slack, serve):
    card = await asked(slack, "13b lora ctx=4k")
    button = card.buttons["Arithmetic"]
    forged = button | {"value": button["value"][:-1] + ("A" if button["value"][-1] != "A" else "B")}
    [by_forger] = await clicked(slack, forged)
    foreign = slack.click(button) | {"team": {"id": "T9999999", "domain": "red"}}
    place = len(slack.seen)
    await slack.send("interactive", foreign)
    by_foreigner = await slack.next_seen(place)
    assert by_forger.text == by_foreigner.text
    assert "no such question" in by_forger.text


async def test_an_empty_command_opens_the_form_and_errors_stand_at_their_field(slack, serve):
    command = slack.command("  ")
    await slack.send("slash_commands", command)
    view = await slack.next_view(0)
    assert [block["block_id"] for block in view["blocks"]] == [
        *("model", "workload", "format", "context", "batch", "gpus")
    ]
    assert slack.calls[-1][1]["trigger_id"] == command["trigger_id"]
    wrong = slack.submission(view, {"model": "13b", "workload": "lora", "context": "0", "gpus": "2x3900"})
    answer = await slack.send("interactive", wrong)
    assert answer["response_action"] == "errors"
    assert set(answer["errors"]) == {"context", "gpus"}
    together = slack.submission(view, {"model": "13b", "workload": "qlora", "format": "fp8"})
    answer = await slack.send("interactive", together)
    assert answer["response_action"] == "errors"
    assert set(answer["errors"]) <= {"workload", "format"}
    right = slack.submission(view, {"model": "13b", "workload": "lora", "context": "4k"})
    assert await slack.send("interactive", right) == {}
    seen = await slack.next_seen(0)
    assert (seen.url, seen.is_public) == (command["response_url"], True)
    assert "35\u00a0GB" in seen.text
    assert json.loads(view["private_metadata"])["response_url"] == command["response_url"]


async def test_a_form_that_cannot_be_opened_is_replaced_by_help(slack, serve):
    slack.scripts["views.open"].append((200, {}, {"ok": False, "error": "expired_trigger_id"}))
    await slack.send("slash_commands", slack.command(""))
    assert "/vram" in (await slack.next_seen(0)).text


async def test_the_home_shows_decisions_and_how_to_ask(slack, serve):
    opened = slack.event({"type": "app_home_opened", "tab": "home", "user": ADA})
    await slack.send("events_api", opened)
    first = await slack.next_view(0)
    assert "No decisions yet" in json.dumps(first)
    assert "/vram" in json.dumps(first)
    card = await asked(slack, "13b lora ctx=4k")
    await slack.send("interactive", slack.click(card.buttons["Pin as decision"]))
    note = await slack.next_view(1)
    await slack.send("interactive", slack.submission(note, {"note": "two A40"}))
    await slack.next_seen(1)
    await slack.send("events_api", slack.event({"type": "app_home_opened", "tab": "home", "user": ADA}))
    home = await slack.next_view(2)
    assert "two A40" in json.dumps(home)
    show = next(e for b in home["blocks"] for e in b.get("elements", ()) if e.get("type") == "button")
    place = len(slack.seen)
    click = slack.click(show, container={"type": "view", "view_id": "V1"})
    del click["channel"], click["response_url"]
    await slack.send("interactive", click)
    shown = await slack.next_seen(place)
    assert (shown.how, shown.body["channel"]) == ("chat.postMessage", ADA)
    assert slack.team not in shown.text

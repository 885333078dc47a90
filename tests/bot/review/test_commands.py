"""The log's commands end to end, on a real log."""

import json
import re
from dataclasses import replace

import pytest

from bot.log.entry import Viewer
from bot.tokens import Tokens
from engine import packaged_catalog
from tests.bot.review.office import ADA, BOB, EVE, Office, dearer, opened


def ids(reply):
    return [row["id"] for row in reply.rows]


def words_of(reply):
    """What is said, without the layout."""
    return " ".join(reply.text.replace("\u00a0", " ").split())


async def test_find_by_words_filters_and_notes(office):
    for text in ("13b lora ctx=4k", "70b int4 2x3090", "13b lroa"):
        await office.say(text)
    await office.say("34b fp8", BOB)
    await office.say("pin 2 the rig in the office")
    assert ids(await office.say("log")) == [4, 3, 2, 1]
    assert ids(await office.say("log 13b")) == [3, 1]
    assert ids(await office.say("log office")) == [2]
    assert ids(await office.say("log by:me kind:answer")) == [2, 1]
    assert ids(await office.say("log by:bob")) == [4]
    assert ids(await office.say("log model:70b verdict:fits decided:yes")) == [2]
    refused = await office.say("log modle:70b")
    assert (refused.kind, refused.exit_status) == ("refusal", 2)
    assert "Did you mean model:?" in refused.text


async def test_the_list_of_decisions_has_its_notes(office):
    await office.say("13b lora")
    await office.say("pin 1 cheapest that fits", BOB)
    listed = await office.say("log decided:yes")
    assert "The latest decisions" in listed.parts["title"]
    assert "cheapest that fits" in words_of(listed)
    assert "bob" in words_of(listed)


async def test_show_says_everything_about_a_query(office):
    await office.say("13b lora ctx=4k")
    await office.say("pin 1 first thought")
    await office.say("pin 1 second thought", BOB)
    await office.say("measured 1 33.1GB 12tok/s with clipping")
    shown = words_of(await office.say("show #1", BOB))
    for said in (
        *("#1 ", "ada", "slack C1", "2026-11-30 12:00 UTC", "gpu-rent-hub", "engine 1"),
        *("second thought", "first thought", "pinned again", "26.00 GB", "24.21 GiB", "A40 48 GB, $240 a month"),
        *("33.1 GB", "34.8 GB predicted, 5% too high", "12 tokens/s", "with clipping"),
    ):
        assert said in shown, said


async def test_a_new_decision_on_the_same_question_takes_the_place_of_the_old_one(office):
    await office.say("13b lora ctx=4k")
    await office.say("ctx=4096 lora 13b", BOB)
    await office.say("pin 1 first")
    pinned = await office.say("pin 2 better", BOB)
    assert "#1" in pinned.parts["supersedes"]
    assert ids(await office.say("log decided:yes")) == [2]
    assert "superseded by #2" in words_of(await office.say("show 1"))


async def test_only_answers_are_decided_and_measured(office):
    await office.say("13b lroa")
    assert (await office.say("pin 1 x")).outcome.problem.code == "impossible-value"
    assert (await office.say("measured 1 3GB")).outcome.problem.code == "impossible-value"
    assert (await office.say("pin 1 " + "x" * 501)).kind == "refusal"


async def test_unpin_and_forget_are_for_their_owners_and_for_administrators(office):
    await office.say("13b lora")
    await office.say("pin 1 mine")
    for words in ("unpin 1", "forget 1"):
        assert (await office.say(words, BOB)).outcome.problem.code == "not-allowed"
    assert (await office.say("unpin 1", BOB, is_admin=True)).kind == "done"
    assert "no decision" in words_of(await office.say("unpin 1"))
    assert (await office.say("forget 1", BOB, is_admin=True)).kind == "done"
    assert (await office.say("show 1")).outcome.problem.code == "no-such-query"


async def test_administrators_may_be_named_in_the_settings(tmp_path):
    async with await opened(tmp_path) as log:
        office = Office(log, admins=("U0BOB",))
        await office.say("13b lora")
        assert (await office.say("forget 1", BOB)).kind == "done"


async def test_again_says_that_nothing_has_changed(office):
    await office.say("13b lora ctx=4k")
    again = await office.say("again 1", BOB)
    assert "the same today" in again.parts["title"]
    assert {row["what"]: row["difference"] for row in again.rows} == dict.fromkeys(
        ("need", "pick", "price", "verdict", "catalog")
    )


async def test_again_says_what_has_changed_and_can_be_pinned(office):
    await office.say("13b lora ctx=4k")
    office.use(dearer(packaged_catalog(), "a40", "1.1"))  # $240 x 1.1 = $264
    again = await office.say("again 1")
    price = next(row for row in again.rows if row["what"] == "price")
    assert (price["then"], price["now"], price["difference"]) == (
        "$240 a month",
        "$264 a month",
        "+$24 a month, +10.0%",
    )
    assert "#2" in again.parts["logged"]
    await office.say("pin 1 first")
    assert "#1" in (await office.say("pin 2 at the new price")).parts["supersedes"]


async def test_again_with_another_pick(office):
    await office.say("13b lora ctx=4k")
    office.use(dearer(packaged_catalog(), "a40", "4"))
    again = await office.say("again 1")
    pick = next(row for row in again.rows if row["what"] == "pick")
    assert pick["then"] == "A40"
    assert pick["now"] != "A40"


async def test_a_private_question_asked_again_stays_private(office):
    await office.say("13b lora private")
    await office.say("again 1")
    assert ids(await office.say("log", BOB)) == []
    assert ids(await office.say("log")) == [2, 1]


async def test_a_direct_question_asked_again_in_a_channel_stays_the_askers(office):
    await office.say("13b lora", replace(ADA, channel=None, visibility="direct"))
    await office.say("again 1")
    assert ids(await office.say("log", BOB)) == []


async def test_a_refused_question_can_be_asked_again(office):
    await office.say("13b lroa")
    again = await office.say("again 1")
    assert "a refusal" in again.text
    assert "lora" in again.text


@pytest.mark.parametrize(("factor", "stale"), [("1.05", False), ("0.95", False), ("1.051", True), ("0.949", True)])
async def test_a_decision_is_stale_when_its_price_moved_by_more_than_five_percent(office, factor, stale):
    await office.say("13b lora ctx=4k")
    await office.say("70b int4")
    await office.say("pin 1")
    office.use(dearer(packaged_catalog(), "a40", factor))
    assert ids(await office.say("log stale")) == ([1] if stale else [])


async def test_a_decision_is_stale_when_the_pick_is_gone(office):
    await office.say("13b lora ctx=4k")
    await office.say("pin 1")
    catalog = packaged_catalog()
    office.use(replace(catalog, offers=tuple(offer for offer in catalog.offers if offer.gpu != "a40")))
    listed = await office.say("log stale")
    assert ids(listed) == [1]
    assert "pick A40 →" in words_of(listed)
    assert listed.rows[0]["changes"][0]["what"] == "pick"
    assert "#1" in words_of(await office.say("log stale 13b"))
    assert ids(await office.say("log stale 70b")) == []


async def test_every_decision_still_holds(office):
    await office.say("13b lora ctx=4k")
    await office.say("pin 1")
    assert "Every decision still holds" in words_of(await office.say("log stale"))


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("", "how much memory"),
        ("31.2", "GB (10⁹ bytes) or GiB (2³⁰)"),
        ("31.2G", "GB (10⁹ bytes) or GiB (2³⁰)"),
        ("0GB", "no run takes that"),
        ("-3GB", "no run takes that"),
        ("32.4GB", "as if it were GiB"),  # 34.80 GB are 32.41 GiB
        ("34.8GiB", "as if it were GB"),
        ("31.65GiB", "off by 1.024"),  # 32.41 x 1024 MiB / 1,000 = 33.19; and 32.41 / 1.024 = 31.65
        ("17.4GB", "2.0 times less"),
        ("69.6GB", "2.0 times more"),
    ],
)
async def test_figures_that_look_wrong_are_asked_back(office, run, said):
    await office.say("13b lora ctx=4k")
    asked = await office.say(f"measured 1 {run}")
    assert asked.kind == "refusal"
    assert said in words_of(asked)
    assert (await office.log.show(_viewer(), 1)).measured is None


@pytest.mark.parametrize(
    ("run", "gb"),
    [
        ("33.1GB", 33.1),
        ("33.1 GB", 33.1),
        ("33,1gb", 33.1),
        ("31GiB", 33.286),
        ("31744MiB", 33.286),
        ("33100MB", 33.1),
        ("32.4GB sure", 32.4),
        ("17.4GB sure half of it offloaded", 17.4),
    ],
)
async def test_a_run_is_kept_in_gb(office, run, gb):
    await office.say("13b lora ctx=4k")
    reply = await office.say(f"measured 1 {run}")
    assert reply.kind == "done", reply.text
    assert (await office.log.show(_viewer(), 1)).measured.gb == pytest.approx(gb, abs=0.001)


async def test_one_gpu_of_several_is_asked_back(office):
    await office.say("13b full 8xa100-80gb")
    need_gb = (await office.log.show(_viewer(), 1)).need_gb
    asked = await office.say(f"measured 1 {need_gb / 8:.1f}GB")
    assert "one of 8 GPUs" in words_of(asked)


async def test_a_rate_above_the_ceiling_is_asked_back(office):
    await office.say("13b bf16 on a40")  # 696 GB/s over 26 GB: 27 tokens/s
    assert "above the ceiling" in words_of(await office.say("measured 1 28.5GB 90tok/s"))
    assert (await office.say("measured 1 28.5GB 22tok/s")).kind == "done"


async def test_the_list_of_runs_has_the_mean_error(office):
    for text in ("13b lora ctx=4k", "13b lora ctx=4k batch=1"):
        await office.say(text)
    need_gb = (await office.log.show(_viewer(), 1)).need_gb
    await office.say(f"measured 1 {need_gb / 1.10:.4f}GB")
    await office.say(f"measured 2 {need_gb / 0.96:.4f}GB")
    listed = await office.say("log measured")
    assert ids(listed) == [2, 1]
    assert "+3%, 7% without signs" in listed.parts["mean"]  # (10 - 4) / 2 and (10 + 4) / 2


async def test_runs_for_calibration_are_one_teams_and_one_engines(office):
    await office.say("13b lora ctx=4k")
    await office.say("13b lora ctx=4k", EVE)
    await office.say("13b lora private")
    need_gb = (await office.log.show(_viewer(), 1)).need_gb
    await office.say("measured 1 33.1GB")
    await office.say("measured 1 20GB sure", EVE)
    await office.say("measured 2 30GB")
    assert await office.log.team_runs("T1", "guide") == [(need_gb, 33.1)]
    assert await office.log.team_runs("T1", "vllm") == []


async def test_words_behind_a_number_are_refused(office):
    await office.say("13b lora")
    for word in ("show", "unpin", "again", "forget"):
        assert (await office.say(f"{word} 1 now")).outcome.problem.code == "unknown-word"
        assert (await office.say(f"{word} 99")).outcome.problem.code == "no-such-query"


async def test_deep_pages_in_the_terminal(tmp_path):
    async with await opened(tmp_path) as log:
        office = Office(log, surface="terminal", page_rows=2)
        for size in (7, 13, 34):
            await office.say(f"{size}b lora")
        first = await office.say("log lora")
        command = first.parts["more"].replace("\n", " ").partition("vram ")[2]
        assert ids(await office.say(command)) == [1]
        assert (await office.say("log after:nowhere")).kind == "refusal"


LONG = "model:13b workload:lora verdict:fits kind:answer since:2026-01-01 until:2026-12-31"


async def test_pages_of_filters_that_are_too_long_for_a_button(office):
    """Typed as the list says, they lead to the end of the list; short ones need no words."""
    for _ in range(12):
        await office.say("13b lora")
    asked, found = f"log {LONG}", []
    for _ in range(3):
        listed = await office.say(asked)
        found += ids(listed)
        said = re.search(r"ask the same with (after:\S+) (behind them|in place of the one before)\.", words_of(listed))
        asked = f"log {LONG} {said[1]}" if said else ""
    assert found == list(range(12, 0, -1))
    assert asked == ""
    short = await office.say("log 13b")
    assert words_of(short).endswith("There are older ones.")
    tokens = Tokens("a secret")
    [older] = [action for action in short.actions if action.label == "Older"]
    assert tokens.verify(tokens.sign(older, "T1"), "T1")


async def test_a_title_is_not_cut_in_the_middle_of_a_filter(office):
    nothing = f"{LONG} gpu:a40"
    assert (await office.say(f"log {nothing}")).parts["title"] == "No questions with these filters"
    assert (await office.say(f"log decided:yes {nothing}")).parts["title"] == "No decisions with these filters"
    assert (await office.say("log decided:yes gpu:a40")).parts["title"] == "No decisions with gpu:a40"


async def test_rows_are_json(office):
    await office.say("13b lora")
    await office.say("pin 1 why")
    for words in ("log", "log stale", "log measured", "again 1"):
        for row in (await office.say(words)).rows:
            json.dumps(row)


def _viewer():
    return Viewer(team=ADA.team, user=ADA.user, channel=ADA.channel)

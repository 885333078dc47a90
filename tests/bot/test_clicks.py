"""What a click does, on a real log of its own."""

from dataclasses import replace

import pytest

from bot.clicks import Clicks
from bot.log.entry import Viewer
from bot.log.query_log import QueryLog
from bot.rendering import Renderer
from bot.reply import Action, Request
from bot.service import Service
from bot.tokens import Click
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock

ADA = Request(
    text="", platform="slack", team="T1", user="U1", user_name="ada", event_key="", channel="C1", visibility="public"
)
BOB = replace(ADA, user="U2", user_name="bob")
NOWHERE = Click("show", "nothing000", "")


class Office:
    """A service, its clicks and its log."""

    def __init__(self, log):
        self.log = log
        clock, renderer = FixedClock(), Renderer("terminal")
        self.service = Service(
            catalog=packaged_catalog(),
            clock=clock,
            new_id=CountedIds(),
            renderer=renderer,
            log=log,
            surface="chat",
        )
        self.clicks = Clicks(service=self.service, log=log, clock=clock, renderer=renderer)

    async def ask(self, text, request=ADA, **changes):
        """Asks and stores; returns the public id."""
        reply = self.service.answer(replace(request, text=text, event_key=f"event {text}", **changes))
        await self.service.record(reply)
        return reply.entry.public_id

    async def click(self, code, target, argument="", request=ADA, text=""):
        reply = await self.clicks.handle(Click(code, target, argument), replace(request, text=text))
        await self.service.record(reply)
        return reply


@pytest.fixture
async def office(tmp_path):
    async with await QueryLog.open(f"sqlite:///{tmp_path}/log.db", tmp_path / "spool") as log:
        yield Office(log)


async def test_share_shows_it_to_all_once_and_says_who(office):
    asked = await office.ask("13b lora ctx=4k private")
    shared = await office.click("share", asked)
    assert (shared.kind, shared.audience) == ("answer", "channel")
    assert "ada" in shared.parts["shared"]
    assert "35 GB" in shared.text
    again = await office.click("share", asked)
    assert again.audience == "asker"
    assert "35 GB" in again.text


async def test_a_shared_private_answer_has_no_buttons_that_would_lead_others_nowhere(office):
    private = await office.ask("13b lora ctx=4k private")
    assert (await office.click("share", private)).actions == ()
    public = await office.ask("13b lora ctx=8k")
    assert [action.code for action in (await office.click("share", public)).actions][:2] == ["arithmetic", "pin"]


async def test_arithmetic_is_for_the_one_who_clicked(office):
    shown = await office.click("arithmetic", await office.ask("13b lora ctx=4k"), request=BOB)
    assert (shown.audience, shown.entry) == ("asker", None)
    assert "26.00" in shown.text.replace("\u00a0", " ")


async def test_pin_makes_a_decision_once_a_person(office):
    asked = await office.ask("13b lora ctx=4k")
    pinned = await office.click("pin", asked, text="the cheapest that holds it")
    assert "the cheapest that holds it" in pinned.text
    again = await office.click("pin", asked, text="another note")
    assert "the cheapest that holds it" in again.text
    row = await office.log.show(_viewer(ADA), asked)
    assert (row.decision.note, row.decision.by) == ("the cheapest that holds it", "U1")
    by_bob = await office.click("pin", asked, text="agreed", request=BOB)
    assert "bob" in by_bob.text


async def test_pin_again_after_unpin(office):
    asked = await office.ask("13b lora ctx=4k")
    await office.click("pin", asked, text="first")
    await office.log.unpin(_viewer(ADA), asked, at=FixedClock().now())
    assert "second" in (await office.click("pin", asked, text="second")).text


async def test_what_if_asks_the_changed_question_and_logs_it_once(office):
    asked = await office.ask("70b bf16 2x3090")
    what_if = await office.click("what-if", asked, "int4")
    # sizing guide, 70B int4 at 8,192 tokens: 35 + 2.7 + 2 = 39.7 GB
    assert what_if.outcome.need.total_gb == pytest.approx(39.68, abs=0.01)
    assert what_if.outcome.verdicts[0].gpu == "rtx-3090"
    assert what_if.audience == "channel"
    again = await office.click("what-if", asked, "int4")
    assert (again.audience, again.entry) == ("asker", None)
    assert again.outcome.need == what_if.outcome.need
    rows = (await office.log.page(_viewer(ADA))).rows
    assert [row.text for row in rows] == ["70b 2x3090 int4", "70b bf16 2x3090"]
    by_bob = await office.click("what-if", asked, "int4", request=BOB)
    assert by_bob.audience == "channel"
    assert len((await office.log.page(_viewer(ADA))).rows) == 3


async def test_what_if_of_a_private_question_stays_private(office):
    asked = await office.ask("70b bf16 2x3090 private")
    what_if = await office.click("what-if", asked, "int4")
    assert (what_if.audience, what_if.entry.visibility) == ("asker", "asker")
    assert len((await office.log.page(_viewer(BOB))).rows) == 0


async def test_a_what_if_leads_on(office):
    asked = await office.ask("70b bf16 2x3090")
    first = await office.click("what-if", asked, "int4")
    second = await office.click("what-if", first.entry.public_id, "ctx=32k")
    assert second.outcome.question.context_tokens == 32 * 1024
    assert second.outcome.question.weight_format == "int4"


async def test_choose_answers_that_reading(office):
    asked = await office.ask("13b finetune private")
    chosen = await office.click("choose", asked, "1")
    assert chosen.outcome.question.workload == "qlora"
    assert chosen.audience == "asker"
    assert (await office.click("choose", asked, "7")).kind == "refusal"


async def test_show_and_pages(office):
    ids = [await office.ask(f"13b lora ctx={n}k") for n in range(1, 8)]
    assert "ctx=1k" in (await office.click("show", ids[0])).text
    listed = await office.service.log(_viewer(ADA), "13b")
    older = next(action for action in listed.actions if action.code == "next")
    page = await office.click("next", "", older.argument)
    assert [row["id"] for row in page.rows] == [2, 1]
    newer = next(action for action in page.actions if action.code == "next")
    assert newer.label == "Newer"
    back = await office.click("next", "", newer.argument)
    assert [row["id"] for row in back.rows] == [7, 6, 5, 4, 3]


async def test_unknown_forged_foreign_and_forbidden_read_the_same(office):
    asked = await office.ask("13b lora ctx=4k private")
    foreign = replace(ADA, team="T2")
    replies = [
        await office.clicks.handle(None, ADA),
        await office.clicks.handle(NOWHERE, ADA),
        *[
            await office.click(code, asked, "0", request=stranger)
            for code in ("share", "arithmetic", "pin", "what-if", "choose")
            for stranger in (BOB, foreign)
        ],
    ]
    assert {(reply.kind, reply.text) for reply in replies} == {("refusal", replies[0].text)}
    assert "no such question" in replies[0].text
    assert {reply.kind for reply in [await office.click("show", asked, request=BOB)]} == {"refusal"}


async def test_rows_of_a_private_channel_stay_in_it(office):
    asked = await office.ask("13b lora ctx=4k", channel="C9", visibility="private-channel")
    inside = replace(BOB, channel="C9", visibility="private-channel")
    assert (await office.click("arithmetic", asked, request=inside)).kind == "done"
    assert (await office.click("arithmetic", asked, request=BOB)).kind == "refusal"


async def test_what_is_no_answer_is_neither_shared_nor_calculated(office):
    refused = await office.ask("13b lroa")
    for code in ("share", "arithmetic", "what-if", "choose"):
        assert (await office.click(code, refused, "0")).kind == "refusal"


async def test_every_action_of_a_reply_has_a_reply(office):
    for text in ("70b bf16 2x3090", "13b finetune", "34b fp8 users=20 ctx=8k budget=500/mo"):
        reply = office.service.answer(replace(ADA, text=text, event_key=text))
        await office.service.record(reply)
        assert reply.actions
        for action in reply.actions:
            assert isinstance(action, Action)
            assert (await office.click(action.code, action.target, action.argument)).kind != "refusal", action


async def test_a_log_that_is_away_is_said(office, tmp_path):
    async with await QueryLog.open("postgresql://nobody@127.0.0.1:1/none", tmp_path / "spool") as away:
        reply = await Office(away).clicks.handle(NOWHERE, ADA)
    assert reply.kind == "failed"
    assert "cannot be read" in reply.text


def _viewer(request):
    return Viewer(team=request.team, user=request.user, channel=request.channel)

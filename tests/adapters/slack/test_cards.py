"""Slack's templates and blocks: golden files, and properties that hold for any text."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import meta, nodes

from adapters.slack import limits
from adapters.slack.payloads import Payloads, notification
from adapters.slack.views import dialog_view, home_view
from bot.cards import Card, DecisionLine, LogCard, LogRow, PinnedCard, Place, RefusalCard, SharedCard, ShownCard
from bot.commands import COMMANDS
from bot.dialogs import note_dialog, question_dialog
from bot.escaping import slack
from bot.help_card import help_card
from bot.rendering import Renderer, environment
from bot.reply import Action, Reply
from bot.slack_text import code, strong
from bot.tokens import Tokens
from tests.adapters.slack.blockkit import problems_of_message, problems_of_view
from tests.templates.cards import CARDS
from tests.templates.review_cards import NOON

NOT_IN_CHAT = {"accuracy"}
"""Cards of commands that the terminal alone has."""
IN_CHAT = sorted(set(CARDS) - NOT_IN_CHAT)

GOLDEN = Path(__file__).parent / "golden"
RENDERER = Renderer("slack")
PAYLOADS = Payloads(Tokens("a secret of tests"))
TEAM = "T1"
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=400)
LONG = st.builds(lambda text, times: text * times, st.text(min_size=1, max_size=60), st.integers(1, 2_000))
ACTIONS = (
    Action("share", "Share", "aB3dE6gH9j"),
    Action("arithmetic", "Arithmetic", "aB3dE6gH9j"),
    Action("pin", "Pin as decision", "aB3dE6gH9j"),
    Action("what-if", "What if int4?", "aB3dE6gH9j", "int4"),
    Action("what-if", "What if 2xa40?", "aB3dE6gH9j", "2xa40"),
)
ROWS = tuple(
    Action(code, f"{code.capitalize()} #{number}", f"aB3dE6gH{number:02d}", part="rows")
    for number in (17, 3)
    for code in ("show", "pin")
)


MARKS = re.compile(r"<!date\^\d+\^\{date_short_pretty\} \{time\}\|[\d: UTC-]+>|<#C\w+>")
"""What our own templates write: a moment in the reader's time zone, a channel."""


def without_marks(text):
    return MARKS.sub("", text)


def card_types():
    return {kind.template: kind for kind in Card.__subclasses__()}


def reply_of(name):
    actions = {"answer": ACTIONS, "log": (*ROWS, Action("next", "Older", argument="1764504000000000-3 13b"))}
    return Reply("done", "asker", RENDERER.parts(CARDS[name]), actions.get(name, ()))


def test_every_card_that_a_chat_may_see_has_a_template():
    names = [name for name in environment("slack").list_templates() if name.startswith("slack/")]
    files = {Path(name).name.split(".")[0] for name in names}
    assert files == set(card_types()) - NOT_IN_CHAT


@pytest.mark.parametrize("name", IN_CHAT)
def test_a_template_uses_every_field_of_its_card_and_calculates_nothing(name):
    made = environment("slack")
    source, _, _ = made.loader.get_source(made, f"slack/{name}.mrkdwn.j2")
    assert made.get_template(f"slack/{name}.mrkdwn.j2").blocks
    assert meta.find_undeclared_variables(made.parse(source)) == {field.name for field in fields(card_types()[name])}
    sums = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Compare)
    assert list(made.parse(source).find_all(sums)) == []


@pytest.mark.parametrize("name", [name for name in IN_CHAT if name != "help"])
def test_a_reply_is_what_the_golden_file_says(name):
    [message] = PAYLOADS.messages(reply_of(name), TEAM)
    shown = json.dumps(message.fields(), indent=1, ensure_ascii=False) + "\n"
    assert shown == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")


def test_help_shows_every_command_of_a_chat_within_the_limits():
    reply = Reply("list", "asker", RENDERER.parts(help_card("chat")))
    [message] = PAYLOADS.messages(reply, TEAM)
    assert problems_of_message(message.fields()) == []
    said = json.dumps(message.fields(), ensure_ascii=False)
    assert all(f"`/vram {slack(row.usage)}`" in said for row in COMMANDS if "chat" in row.surfaces)


def test_the_forms_are_what_the_golden_files_say():
    for name, view in views().items():
        shown = json.dumps(view, indent=1, ensure_ascii=False) + "\n"
        assert shown == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
        assert problems_of_view(view) == []


def views():
    kept = {"channel": "C1", "visibility": "public", "response_url": "https://hooks.slack.com/commands/T1/2/3"}
    return {
        "form-question": dialog_view(question_dialog(), "vram.question", kept),
        "form-note": dialog_view(note_dialog(), "vram.note", kept | {"token": "v1.p.aB3dE6gH9j..signature"}),
    }


@given(ANYTHING | LONG, ANYTHING | LONG, st.lists(st.text(max_size=120), max_size=12))
def test_no_reply_breaks_a_limit(title, problem, labels):
    actions = tuple(Action("what-if", label or "x", "aB3dE6gH9j", f"k={n}") for n, label in enumerate(labels))
    reply = Reply("refusal", "asker", RENDERER.parts(RefusalCard(title=title, problem=problem)), actions)
    messages = PAYLOADS.messages(reply, TEAM)
    assert messages
    for message in messages:
        assert problems_of_message(message.fields()) == []


@settings(max_examples=30)
@given(st.lists(st.tuples(ANYTHING, ANYTHING), max_size=40))
def test_no_list_breaks_a_limit_and_each_row_keeps_its_buttons(rows):
    shown = tuple(
        LogRow(number=f"#{n}", asked_at=NOON, user=user, text=text, result="35 GB")
        for n, (user, text) in enumerate(rows)
    )
    actions = tuple(Action("show", f"Show #{n}", f"aB3dE6g{n:03d}", part="rows") for n in range(len(rows)))
    reply = Reply("list", "asker", RENDERER.parts(LogCard(title="The log", rows=shown, more="")), actions)
    blocks = PAYLOADS.blocks(reply, TEAM)
    for message in PAYLOADS.messages(reply, TEAM):
        assert problems_of_message(message.fields()) == []
    for place, block in enumerate(blocks):
        if block["type"] == "actions":
            number = block["elements"][0]["text"]["text"].removeprefix("Show ")
            assert blocks[place - 1]["text"]["text"].startswith(f"*{number}*")
    assert problems_of_view(home_view(blocks)) == []


@given(ANYTHING)
def test_text_from_people_is_no_markup(text):
    hostile = f"{text} <!channel> <@U1> <https://evil|x> & `*{text}"
    cards = (
        RefusalCard(title=hostile, problem=hostile),
        SharedCard(by=hostile),
        PinnedCard(number="#1", by=hostile, at=NOON, note=hostile, supersedes=""),
        ShownCard(
            number="#1",
            asked_at=NOON,
            user=hostile,
            where=Place("slack", hostile, hostile),
            text=hostile,
            made_with=hostile,
            decisions=(DecisionLine(hostile, NOON, hostile, hostile),),
            measured=(hostile,),
        ),
        LogCard(title=hostile, rows=(LogRow("#1", NOON, hostile, hostile, hostile),), more=hostile),
    )
    for card in cards:
        reply = Reply("done", "asker", RENDERER.parts(card))
        for said in (*reply.parts.values(), notification(reply)):
            plain = without_marks(said)
            assert "<" not in plain
            assert ">" not in plain
            assert not re.search(r"&(?!amp;|lt;|gt;)", said)


@given(ANYTHING)
def test_bold_and_code_cannot_be_broken_out_of(text):
    for made, mark in ((strong(text), "*"), (code(text), "`")):
        assert made == "" or (made[0], made[-1]) == (mark, mark)
        assert mark not in made[1:-1]
        assert "\n" not in made
    assert "`" not in strong(text)


@given(LONG, st.integers(20, 3_000))
def test_pages_leave_nothing_out(text, most):
    pages = limits.pages(text, most)
    assert all(limits.length(page) <= most for page in pages)
    assert "".join("".join(pages).split()) == "".join(text.split())


@given(st.lists(st.integers(0, 10**9).map("{:,}".format), min_size=1, max_size=300), st.integers(20, 200))
def test_pages_never_cut_a_number(numbers, most):
    shown = [word for page in limits.pages("\u00a0GB and ".join(numbers), most) for word in page.split(" ")]
    assert [word.removesuffix("\u00a0GB") for word in shown if word != "and"] == numbers


def test_pages_never_cut_a_mark():
    mark = "<!date^1764504000^{date_short_pretty} {time}|2026-11-30 12:00 UTC>"
    for most in range(90, 400):
        pages = limits.pages(" and then ".join([mark] * 9), most)
        assert sum(page.count(mark) for page in pages) == 9


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("What if budget=1,234/mo?", 20, "What if …"),
        ("What if it is 12345 GB", 20, "What if it is …"),
        ("short", 20, "short"),
        ("x" * 30, 20, "x" * 18 + " …"),
    ],
)
def test_a_label_is_cut_at_the_end_of_a_word(text, most, shown):
    assert limits.shortened(text, most) == shown


def test_a_button_whose_state_does_not_fit_is_left_out():
    reply = Reply("list", "asker", {"title": "*The log*"}, (Action("next", "Older", argument="x" * 200),))
    assert [block["type"] for block in PAYLOADS.blocks(reply, TEAM)] == ["section"]


def test_a_web_page_is_a_link_and_no_token():
    action = Action("open", "Open in browser", argument="https://vram.example/q/1")
    [block] = PAYLOADS.blocks(Reply("done", "asker", {}, (action,)), TEAM)
    [button] = block["elements"]
    assert button["url"] == "https://vram.example/q/1"
    assert "value" not in button


def test_what_a_form_brings_back_stays_within_its_limit():
    kept = {"channel": "C1", "response_url": "https://hooks.slack.com/" + "x" * 4_000}
    view = dialog_view(note_dialog(), "vram.note", kept)
    assert json.loads(view["private_metadata"]) == {"channel": "C1"}
    assert problems_of_view(view) == []


def test_long_arithmetic_becomes_several_messages():
    lines = "\n".join(f"term {n}: {n:,} GB" for n in range(3_000))
    messages = PAYLOADS.messages(Reply("done", "asker", {"arithmetic": lines}), TEAM)
    assert len(messages) > 3
    said = "\n".join(block["text"]["text"] for message in messages for block in message.blocks)
    assert said == lines

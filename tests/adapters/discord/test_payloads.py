"""Replies as Discord's messages: golden files, every limit, and templates that know their cards."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import meta

from adapters.discord.commands import choices
from adapters.discord.limits import cut
from adapters.discord.payloads import message, view
from adapters.discord.views import note_modal
from bot.autocomplete import Suggestion
from bot.cards import Card, ChoiceCard, HelpCard, HelpLine, LogCard, LogRow, Option, RefusalCard
from bot.rendering import Renderer, environment
from bot.reply import Action, Reply
from bot.tokens import Tokens, TokenTooLong
from tests.adapters.discord.checks import check_choices, check_message, check_modal, units
from tests.templates.cards import CARDS
from tests.templates.review_cards import NOON

GOLDEN = Path(__file__).parent / "golden"
TERMINAL_ONLY = {"accuracy"}
HELP = HelpCard(
    question=HelpLine("<model> [details]", "how much GPU memory"),
    examples=("13b lora ctx=4k",),
    commands=(HelpLine("log [words]", "the latest questions"), HelpLine("show N", "question N with its card")),
)
SHOWN = {name: card for name, card in CARDS.items() if name not in TERMINAL_ONLY} | {"help": HELP}
KINDS = sorted({type(card) for card in CARDS.values()}, key=lambda kind: kind.template)
ACTIONS = {
    "answer": (
        Action("share", "Share", "abcdefghij"),
        Action("arithmetic", "Arithmetic", "abcdefghij"),
        Action("pin", "Pin as decision", "abcdefghij"),
        Action("what-if", "What if kv=fp8?", "abcdefghij", "kv=fp8"),
    ),
    "log": (
        Action("show", "Show #17", "abcdefghij", part="rows"),
        Action("show", "Show #3", "bcdefghijk", part="rows"),
        Action("next", "Older", argument="17 13b"),
    ),
}
TOKENS = Tokens("a secret of the tests")
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


def sign(action: Action) -> str | None:
    try:
        return TOKENS.sign(action, "123")
    except TokenTooLong:
        return None


def payload(reply: Reply) -> dict[str, object]:
    made = message(reply, sign)
    return {
        "embeds": [made.embed.to_dict()],
        "components": view(made.buttons).to_components(),
        "private": made.is_private,
    }


def replied(card: Card, *actions: Action) -> Reply:
    return Reply("done", "asker", Renderer("discord").parts(card), actions)


@pytest.mark.parametrize("name", SHOWN)
def test_every_card_is_a_message_within_the_limits(name):
    check_message(payload(replied(SHOWN[name], *ACTIONS.get(name, ()))))


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.json")), ids=lambda file: file.stem)
def test_message_is_as_the_golden_file_says(file):
    shown = payload(replied(SHOWN[file.stem], *ACTIONS.get(file.stem, ())))
    assert shown == json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.template not in TERMINAL_ONLY])
def test_each_card_has_a_template_that_uses_every_field(kind):
    made = environment("discord")
    source, _, _ = made.loader.get_source(made, f"discord/{kind.template}.md.j2")
    assert meta.find_undeclared_variables(made.parse(source)) == {field.name for field in fields(kind)}


@given(
    st.dictionaries(st.sampled_from(["title", "need", "rows", "footer"]), st.text(max_size=9000), min_size=1),
    st.lists(
        st.builds(
            Action,
            st.sampled_from(["show", "what-if", "choose", "next"]),
            ANY_TEXT,
            st.text("abcdefghij", min_size=10, max_size=10),
            ANY_TEXT,
        ),
        max_size=40,
    ),
)
@example({"title": "😀" * 300, "need": "😀 " * 5000}, [])
@example({"need": "x" * 20_000}, [])
@example({"need": "1234567890 " * 2000}, [])
def test_whatever_is_said_stays_within_every_limit(parts, actions):
    if not any(text.strip() for text in parts.values()):
        return
    made = message(Reply("done", "asker", parts, tuple(actions)), sign)
    embed = made.embed.to_dict()
    assert units(embed.get("title", "")) <= 256
    assert units(embed.get("description", "")) <= 4096
    rows = view(made.buttons).to_components()
    assert len(rows) <= 5
    ids = [button["custom_id"] for row in rows for button in row["components"]]
    assert len(ids) == len(set(ids))
    for row in rows:
        assert len(row["components"]) <= 5
        for button in row["components"]:
            assert 1 <= units(button["label"]) <= 80
            assert 1 <= len(button["custom_id"]) <= 100


@given(ANY_TEXT, ANY_TEXT)
@example("@everyone <@1> <#2> <:x:3>", "```8b``` *70b* [a](https://b.c)")
@example("\u202e\u2066discord.gg/abc https://discord.gg/abc", "# big")
def test_no_text_of_people_acts(first, second):
    cards = (
        RefusalCard(title=first, problem=second),
        ChoiceCard(title=first, options=(Option(second, "", first),)),
        LogCard(title="Log", rows=(LogRow("#1", NOON, first, second, ""),), more=""),
    )
    for card in cards:
        shown = payload(replied(card))
        if shown["embeds"][0].get("title") or shown["embeds"][0].get("description"):
            check_message(shown)
            assert "```" not in shown["embeds"][0].get("description", "")


def test_a_text_too_long_says_how_much_is_missing_and_cuts_no_word():
    reply = Reply("done", "asker", {"rows": "measured 12345 " * 400})
    description = message(reply, sign).embed.description
    kept, _, missing = description.partition(" … (")
    assert kept.endswith(("measured", "12345"))
    assert len(kept) + int(missing.removesuffix(" more)").replace(",", "")) == 15 * 400


def test_a_page_is_opened_by_a_link():
    reply = Reply("done", "asker", {"need": "x"}, (Action("open", "On the web", argument="https://vram.example/log"),))
    [row] = view(message(reply, sign).buttons).to_components()
    [button] = row["components"]
    assert (button["style"], button["url"]) == (5, "https://vram.example/log")
    too_long = Action("open", "On the web", argument="https://vram.example/" + "x" * 500)
    assert message(Reply("done", "asker", {"need": "x"}, (too_long,)), sign).buttons == ()


def test_an_action_that_does_not_fit_has_no_button():
    reply = Reply("done", "asker", {"need": "x"}, (Action("what-if", "Long", "abcdefghij", "x" * 100),))
    assert message(reply, sign).buttons == ()


@given(st.lists(st.builds(Suggestion, ANY_TEXT.filter(str.strip), ANY_TEXT.filter(bool)), max_size=60))
def test_suggestions_stay_within_the_limits(suggestions):
    check_choices([one.to_dict() for one in choices(tuple(suggestions))])


@given(st.text(max_size=500), st.integers(10, 200))
def test_cutting(text, most):
    assert units(cut(text, most)) <= most


def test_the_modal_of_a_note():
    modal = note_modal("v1.p.abcdefghij..signature")
    check_modal(modal.to_dict())

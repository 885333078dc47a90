"""Text from people comes back harmless on every platform."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards import LogCard, LogRow, RefusalCard
from bot.escaping import discord, plain, quoted, slack, storable
from bot.refusals import refusal, refusal_card
from bot.rendering import Renderer
from bot.terminal_text import width, wrapped
from engine.errors import UnknownWord
from tests.templates.review_cards import NOON

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)
TERMINAL = Renderer("terminal")


@given(ANY_TEXT)
def test_terminal_shows_no_control_character_and_no_mark_that_turns_the_line(text):
    card = RefusalCard(title=text, problem=text)
    shown = "".join(TERMINAL.parts(card).values())
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown.replace("\n", ""))


@given(ANY_TEXT)
def test_terminal_lines_are_never_wider_than_80_columns(text):
    for part in TERMINAL.parts(RefusalCard(title=text, problem=text)).values():
        assert all(width(line) <= 80 for line in part.split("\n"))


@given(ANY_TEXT)
def test_a_log_row_stays_one_line(text):
    row = LogRow(number="#1", asked_at=NOON, user=text, text=text, result=text)
    rows = TERMINAL.parts(LogCard(title="", rows=(row,), more=""))["rows"]
    assert "\n" not in rows
    assert width(rows) <= 80


@pytest.mark.parametrize(
    "text", ["\x1b[31mred", "\x1b]0;title\x07", "a\x9bb", "\rhidden", "a\u202eb", "\u2067a", "\x00", "\u200b"]
)
def test_terminal_sequences_lose_their_teeth(text):
    assert not any(unicodedata.category(character) in {"Cc", "Cf"} for character in plain(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<!channel> <@U1> & <http://a|b>", "&lt;!channel&gt; &lt;@U1&gt; &amp; &lt;http://a|b&gt;"),
        ("70b > 13b", "70b &gt; 13b"),
    ],
)
def test_slack_reads_no_markup(text, shown):
    assert slack(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "@everyone",
        "<@123>",
        "**bold**",
        "`code`",
        "```",
        "[a](http://b)",
        "https://discord.gg/x",
        "# big",
        "> q",
        "||s||",
    ],
)
def test_discord_reads_no_markup(text):
    shown = discord(text)
    assert not re.search(r"@(everyone|here|\d)|(?<!\\)[*_`~|<\[]|://", shown)
    assert re.sub(r"[\\\u200b]", "", shown) == text


def test_a_refusal_quotes_what_was_given_cut_and_on_one_line():
    assert quoted("a\nb" + "c" * 100) == '"a b' + "c" * 56 + '…"'


def test_a_long_word_does_not_make_a_long_refusal():
    card = refusal_card(refusal("x" * 5000, UnknownWord("x" * 5000)))
    assert len(card.title) <= 70
    assert len(card.problem) <= 200


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_what_is_stored_can_be_encoded_and_has_no_nul(text):
    kept = storable(text)
    assert "\x00" not in kept
    assert kept.encode("utf-8").decode("utf-8") == kept


def test_wide_characters_count_twice():
    assert width("跑70b") == 5
    assert wrapped("跑" * 41) == ["跑" * 40, "跑"]


def test_a_figure_and_its_unit_stay_on_one_line():
    assert wrapped("a" * 76 + " 35\u00a0GB") == ["a" * 76, "35 GB"]

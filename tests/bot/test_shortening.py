import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.shortening import shortened


def test_a_short_text_stays():
    assert shortened("needs 35 GB", 11) == "needs 35 GB"


@pytest.mark.parametrize(
    ("text", "most", "cut"),
    [
        ("needs 35\u00a0GB of memory", 22, "needs 35\u00a0GB of memory"),
        ("needs 35\u00a0GB of memory", 20, "needs … (16 more)"),
        ("needs 35\u00a0GB of memory or more", 27, "needs 35\u00a0GB of … (15 more)"),
        ("x" * 100, 20, "xxxxxxxx … (92 more)"),
        ("1234567890" * 10, 20, "… (100 more)"),
    ],
)
def test_the_end_is_that_of_a_word(text, most, cut):
    assert shortened(text, most) == cut


def test_a_code_block_is_closed():
    assert shortened("```\n" + "row\n" * 50, 60).count("```") == 2


def test_no_escape_is_cut_in_two():
    for most in range(20, 60):
        kept = shortened("\\*" * 100, most).split(" …")[0]
        assert not re.search(r"(?<!\\)(\\\\)*\\$", kept)


@given(st.text(max_size=400), st.integers(0, 300))
def test_never_longer_and_says_how_much_is_missing(text, most):
    cut = shortened(text, most)
    assert len(cut) <= most or cut == text
    found = re.search(r"… \(([\d,]+) more\)$", cut)
    if cut != text and found:
        assert 0 < int(found[1].replace(",", "")) <= len(text)

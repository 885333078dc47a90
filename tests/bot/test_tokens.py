"""Button tokens: short, and nobody else's."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reply import Action
from bot.tokens import CODES, Click, Tokens, TokenTooLong, hkdf_sha256

TOKENS = Tokens("a secret of the deployment")
TEAM = "T024BE7LD"
ids = st.text(string.ascii_letters + string.digits, min_size=10, max_size=10)
codes = st.sampled_from(sorted(CODES))


def test_the_key_is_that_of_rfc_5869():
    # RFC 5869, appendix A.1 and A.3, the first 32 bytes of the output
    assert hkdf_sha256(b"\x0b" * 22, salt=bytes(range(13)), info=bytes(range(0xF0, 0xFA)), length=32).hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
    )
    assert hkdf_sha256(b"\x0b" * 22, info=b"", length=32).hex() == (
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    )


@given(codes, ids, st.text(string.ascii_letters + string.digits + "=,. *+/#<>@-", max_size=22))
def test_a_token_says_what_was_signed(code, target, argument):
    token = TOKENS.sign(Action(code, "label", target, argument), TEAM)
    assert len(token) <= 100
    assert token.isascii()
    assert token.isprintable()
    assert TOKENS.verify(token, TEAM) == Click(code, target, argument)


def test_the_longest_what_ifs_fit():
    for argument in ("ctx=131072", "2xa100-80-sxm", "offload=cpu", "kv=q8_0", "q4_k_m", "max-gpus=2 budget=500/mo"):
        assert len(TOKENS.sign(Action("what-if", "", "aB3dE6gH9j", argument), TEAM)) <= 100


def test_what_does_not_fit_is_no_token():
    with pytest.raises(TokenTooLong):
        TOKENS.sign(Action("next", "", "", "x" * 100), TEAM)


def test_a_foreign_team_is_refused():
    token = TOKENS.sign(Action("pin", "", "aB3dE6gH9j"), TEAM)
    assert TOKENS.verify(token, "T0000FOREIGN") is None
    assert TOKENS.verify(token, "") is None


def test_another_secret_is_refused():
    token = Tokens("another secret").sign(Action("pin", "", "aB3dE6gH9j"), TEAM)
    assert TOKENS.verify(token, TEAM) is None


@given(st.data())
def test_a_changed_character_is_refused(data):
    token = TOKENS.sign(Action("what-if", "", "aB3dE6gH9j", "int4"), TEAM)
    place = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters().filter(lambda character: character != token[place]))
    assert TOKENS.verify(token[:place] + other + token[place + 1 :], TEAM) is None


@given(st.text(st.characters(exclude_categories=())))
def test_anything_else_is_refused_and_never_an_error(text):
    assert TOKENS.verify(text, TEAM) is None


def test_the_action_is_part_of_what_is_signed():
    shown = TOKENS.sign(Action("show", "", "aB3dE6gH9j"), TEAM)
    assert TOKENS.verify(shown.replace(".o.", ".s.", 1), TEAM) is None


def test_no_secret_is_shown():
    assert "a secret" not in repr(TOKENS)
    assert not hasattr(TOKENS, "__dict__")
    with pytest.raises(ValueError, match="empty"):
        Tokens("")


def test_half_of_a_surrogate_pair_is_signed_as_a_question_mark():
    token = TOKENS.sign(Action("show", "label", "aaaaaaaaaa", "13b \ud800"), TEAM)
    assert token.isascii()
    assert TOKENS.verify(token, TEAM) == Click("show", "aaaaaaaaaa", "13b ?")

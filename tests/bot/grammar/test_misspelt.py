"""Words that are nearly right: why not, what to do, and no suggestion that would not work."""

import pytest

from bot.grammar import read
from engine.errors import EngineError, ImpossibleValue, UnknownModel, UnknownWord
from tests.bot.grammar.reading_lines import line


def refused(text, kind=EngineError, *, mention=False):
    with pytest.raises(kind) as caught:
        read(text, mention=mention)
    return caught.value


def suggested(text):
    try:
        read(text)
    except EngineError as error:
        return error.near
    return ()


@pytest.mark.parametrize(
    ("text", "given", "allowed"),
    [
        ("-7b", "-7b", "7b"),
        ("7b -2x3090", "-2x3090", "2x3090"),
        ("7b 2.5x3090", "2.5x3090", "2x3090 or 3x3090"),
        ("7b 24000mb", "24000mb", "24gb"),
        ("7b 24576MiB", "24576MiB", "26gb"),
        ("7b 24tb", "24tb", "24gb"),
        ("1e9b", "1e9b", "13b"),
        ("1,5b", "1,5b", "1.5b"),
        ("7b under 2", "under 2", "max-gpus=2"),
        ("7b under", "under", "max-gpus=2"),
        ("7b €5/hr", "€5/hr", "US dollars"),
        ("7b 5€/hr", "5€/hr", "US dollars"),
    ],
)
def test_the_reason_and_what_to_write_instead(text, given, allowed):
    error = refused(text, ImpossibleValue)
    assert error.given == given
    assert allowed in error.allowed
    assert error.reason


def test_forms_that_are_plain_are_read():
    assert line("7b 24gbx2") == "7b 2x24gb"
    assert line(".7b") == "0.7b"


@pytest.mark.parametrize(
    ("text", "not_near"), [("7b lr=1e-4", "rank"), ("llava", "ollama"), ("7b under", "under"), ("7b four bits", "hour")]
)
def test_no_suggestion_that_means_something_else_or_does_not_work(text, not_near):
    assert not any(not_near in near for near in suggested(text))


@pytest.mark.parametrize(
    ("text", "near"),
    [("13b lroa", "lora"), ("70b fp9", "fp8"), ("7b cxt=4k", "ctx=4k"), ("7b inferrence", "inference")],
)
def test_slips_are_still_suggested(text, near):
    assert near in refused(text, UnknownWord).near


def test_what_a_shell_leaves_of_a_price_and_a_price_of_nothing():
    """`$50/mo` becomes `0/mo` in a shell, and so does nobody's `0/mo`: the refusal says both."""
    assert "no offer costs nothing" in refused("7b budget=0/mo").reason
    assert "shell" in refused("7b budget=0/mo").reason
    assert refused("7b budget=00/mo").reason.startswith("a shell has eaten")


def test_a_model_that_is_not_known_stays_a_model():
    assert refused("starcoder9 7b", UnknownModel).given

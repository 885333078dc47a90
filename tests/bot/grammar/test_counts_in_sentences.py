"""Counts as people put them: of GPUs, people, data, bits. What is not used is said or refused, never dropped."""

import pytest

from bot.grammar import read
from engine.errors import ImpossibleValue, UnknownModel
from tests.bot.grammar.reading_lines import line, only


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("2 used 3090s, llama-3.1-70b q4", "llama-3.1-70b weight_format=q4_k_m 2xrtx-3090"),
        ("a pair of used 3090s for 70b q4", "70b weight_format=q4_k_m 2xrtx-3090"),
        ("llama-3.1-8b on our 2023 servers with 4 l4s", "llama-3.1-8b 4xl4"),
        ("13b on 2 new a40", "13b 2xa40"),
        ("llama 3.1 70b on one a100 with 80 gigs", "llama-3.1-70b 1xa100-80-pcie"),
        ("llama-3.1-8b with 2gb headroom on 24gb", "llama-3.1-8b 1x24gb"),
    ],
)
def test_gpus(text, reads):
    assert line(text, mention=True) == reads


@pytest.mark.parametrize(
    ("words", "users"),
    [
        ("a team of 30", 30),
        ("our department of 40", 40),
        ("a dozen developers", 12),
        ("2 dozen users", 24),
        ("15 of us", 15),
        ("16 prompts at once", 16),
        ("64 in parallel", 64),
        ("100 at the same time", 100),
    ],
)
def test_people(words, users):
    assert only(f"llama-3.1-8b for {words} on an l40s", mention=True).users == users


def test_people_that_nobody_counted_are_asked_for():
    ((words, why),) = only("llama-3.1-8b with hundreds of users", mention=True).noted
    assert words == "hundreds of users"
    assert "users=" in why


@pytest.mark.parametrize("data", ["50k rows", "10k samples", "5k steps", "20k conversations", "300k characters"])
@pytest.mark.parametrize("mention", [False, True])
def test_data_is_no_context(data, mention):
    question = only(f"llama-3.1-8b lora {data}", mention=mention)
    assert question.context_tokens is None
    assert [words for words, _ in question.noted] == [data]


@pytest.mark.parametrize("bits", ["3 bit", "2-bit", "1.58 bit", "5bit", "4.5bpw"])
@pytest.mark.parametrize("mention", [False, True])
def test_bits_that_several_formats_have_are_refused(bits, mention):
    with pytest.raises(ImpossibleValue) as caught:
        read(f"llama-3.1-70b {bits}", mention=mention)
    assert caught.value.given == bits
    assert "q3_k_m" in caught.value.allowed


def test_bits_of_one_format_are_not():
    assert only("70b 4 bit").weight_format == "int4"
    assert only("70b 8-bit").weight_format == "int8"


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("can llava 7b run on a 3060 12gb", "llava 7b"),
        ("llama 3.5 70b on 2x3090", "llama 3.5 70b"),
        ("qwen 3.7 8b", "qwen 3.7 8b"),
        ("grok 2 on 8xh100-sxm", "grok 2"),
        ("glm 4.6 air", "glm 4.6 air"),
        ("deepseek v3 lite 8xh200", "deepseek v3 lite"),
    ],
)
def test_a_version_that_is_not_known_is_no_other_one(text, given):
    with pytest.raises(UnknownModel) as caught:
        read(text, mention=True)
    assert caught.value.given == given


def test_other_money_is_refused():
    with pytest.raises(ImpossibleValue, match="dollars"):
        read("llama-3.1-70b for less than 500 euros per month", mention=True)


@pytest.mark.parametrize(
    "text", ["llama-3.1-70b q4 at 30 tokens/s", "llama-3.1-8b 20 tokens per second per user, 30 users"]
)
def test_a_speed_that_is_wished_for_is_said_to_be_not_weighed(text):
    ((_, why),) = only(text, mention=True).noted
    assert "ceiling" in why


def test_prompt_and_answer_are_added_up():
    assert only("llama-3.1-8b with 8k in and 1k out", mention=True).context_tokens == 9 * 1024


def test_a_second_size_is_of_the_first_ones_family():
    options = read("does qwen2.5-14b or 32b fit on a 3090", mention=True).options
    assert [option.ask for option in options] == ["qwen2.5-14b rtx-3090", "qwen2.5-32b rtx-3090"]


@pytest.mark.parametrize("text", ["13b:q4_k_m", "13b-q4_k_m", "13b/q4_k_m"])
def test_a_format_grown_onto_a_size(text):
    assert line(text) == "13b weight_format=q4_k_m"

"""Numbers as people write and say them: whole, or refused as a whole."""

import pytest

from bot.grammar import read
from engine.errors import ConflictingWords, ImpossibleValue
from tests.bot.grammar.reading_lines import line


def refused(text, *, mention=False):
    with pytest.raises(ImpossibleValue) as caught:
        read(text, mention=mention)
    return caught.value


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("13b 4 096 tokens", "13b context_tokens=4096"),
        ("13b 4'096 tokens", "13b context_tokens=4096"),
        ("13b 4,096 tokens", "13b context_tokens=4096"),
        ("13b ctx 32 k", "13b context_tokens=32768"),
        ("13b 1 000 users", "13b users=1000"),
        ("13b ctx=1 048 576", "13b context_tokens=1048576"),
        ("7b context of 32 thousand", "7b context_tokens=32000"),
        ("7b context of thirty thousand", "7b context_tokens=30000"),
        ("7b a thousand users", "7b users=1000"),
        ("llama-4-scout one million tokens", "llama-4-scout context_tokens=1000000"),
    ],
)
@pytest.mark.parametrize("mention", [False, True])
def test_a_number_in_several_words_is_one_number(text, reads, mention):
    """By its words: a thousand is 1,000, and k 1,024 as in the language of questions."""
    assert line(text, mention=mention) == reads


@pytest.mark.parametrize("text", ["1,5b", "7b budget=1,5/hr", "7b vllm util=0,9", "70b 2,4090", "7b ctx=1,5k"])
@pytest.mark.parametrize("mention", [False, True])
def test_a_comma_between_figures_is_refused_with_the_whole_word(text, mention):
    error = refused(text, mention=mention)
    assert error.given in text
    assert "," in error.given
    assert error.allowed


def test_a_comma_between_two_names_still_parts_them():
    assert line("7b 3090,4090") == "7b 1xrtx-3090 1xrtx-4090"
    assert line("7b ctx=4k,batch=2") == "7b context_tokens=4096 batch=2"


def test_half_of_a_number_is_never_read_in_a_sentence():
    assert refused("13b 16 384 tokens", mention=True).given == "16 384 tokens"
    assert line("13b batch 4 512 tokens") == "13b context_tokens=512 batch=4"


@pytest.mark.parametrize(
    "text",
    [
        "7b at 50 tokens per second",
        "I need 1M tokens per day with 7b",
        "7b 50 tokens/second",
        "7b 10M tokens a month",
        "7b 17 tok/s",
        "7b in 2024",
    ],
)
def test_a_rate_or_a_year_is_no_context(text):
    assert line(text, mention=True) == "7b"


def test_a_rate_of_tokens_changes_nothing_outside_sentences_either():
    assert line("7b 50 tokens per second") == "7b"
    assert line("7b in 2024 out 512") == "7b context_tokens=2536 prompt_tokens=2024"
    assert line("7b in 2024 out 512", mention=True) == "7b context_tokens=2536 prompt_tokens=2024"


@pytest.mark.parametrize("text", ["7b 100 requests per second", "7b 20 users per hour", "7b 5 req/s"])
def test_a_rate_of_requests_says_nothing_of_memory(text):
    assert refused(text).reason == "a rate says nothing of memory"


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("13b ctx 4k to 8k", "ctx 4k to 8k"),
        ("13b ctx=4k to 8k", "ctx=4k to 8k"),
        ("13b batch 4 or 8", "batch 4 or 8"),
        ("13b 4 or 8 users", "4 or 8 users"),
        ("7b lora rank 8 to 16", "rank 8 to 16"),
        ("7b on 2 to 4 3090s", "2 to 4 3090s"),
        ("7b on 2 or 4 gpus", "2 or 4 gpus"),
        ("between 4 and 8 users on 7b", "4 and 8 users"),
    ],
)
def test_two_values_for_one_are_not_chosen_from(text, given):
    assert refused(text, mention=True).given == given


@pytest.mark.parametrize("mention", [False, True])
@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("7b on 2 or 4 3090", "7b 2xrtx-3090 4xrtx-3090"),
        ("7b 1 or 2 or 4 a40", "7b 1xa40 2xa40 4xa40"),
        ("13b batch 4 or 3090", "13b batch=4 1xrtx-3090"),
        ("13b users 10 or 2x3090", "13b users=10 2xrtx-3090"),
    ],
)
def test_counts_of_one_gpu_are_alternatives(text, reads, mention):
    assert line(text, mention=mention) == reads


def test_prompt_and_output_behind_their_numbers():
    """2,048 + 500."""
    for mention in (False, True):
        assert line("7b 2k in, 500 out", mention=mention) == "7b context_tokens=2548 prompt_tokens=2048"
        assert line("7b in 2k out 500", mention=mention) == "7b context_tokens=2548 prompt_tokens=2048"


def test_an_open_count_is_asked_for():
    assert refused("7b on 2 or more 3090", mention=True).given == "2 or more 3090"


@pytest.mark.parametrize("text", ["7b 1e999 gpus", "7b max 1e999 gpus", "7b 1e999 users", "7b ctx=1e999", "1e999b"])
@pytest.mark.parametrize("mention", [False, True])
def test_a_number_beyond_all_numbers_is_refused(text, mention):
    assert refused(text, mention=mention).allowed


def test_a_gib_is_2_to_the_30():
    """24 x 1,073,741,824 bytes = 25.77 GB."""
    assert [one.gpu for one in read("7b 24GiB").options[0].question.sets] == ["25.77gb"]
    assert line("7b 24 gib", mention=True) == "7b 1x25.77gb"
    assert line("7b a100 80gib") == line("7b a100 80gb")


@pytest.mark.parametrize("text", ["7b int8 fp8", "7b int4 nvfp4", "7b w8 fp8"])
def test_integers_and_floats_of_one_width_are_different_formats(text):
    with pytest.raises(ConflictingWords):
        read(text)


def test_bits_leave_open_which():
    assert line("7b 8bit fp8") == "7b weight_format=fp8"
    assert line("7b four bit") == line("7b 4bit")

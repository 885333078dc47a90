"""Counts as people put them: of GPUs, people, data, bits. What is not used is said or refused, never dropped."""

import pytest

from bot.grammar import read
from engine.errors import EngineError, ImpossibleValue, UnknownModel
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


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("13b int8 twenty-five users 2k", "13b weight_format=int8 context_tokens=2048 users=25"),
        ("13b int8 with one hundred and twenty users", "13b weight_format=int8 users=120"),
        ("thirty two h100 sxm for 405b bf16", "405b weight_format=bf16 32xh100-sxm-80"),
        ("half a dozen people, 13b int8", "13b weight_format=int8 users=6"),
        ("13b int8, sixty four thousand tokens", "13b weight_format=int8 context_tokens=64000"),
        ("half a million tokens, llama 3.1 8b", "llama-3.1-8b context_tokens=500000"),
        ("if I buy a second 3090, 13b int8", "13b weight_format=int8 2xrtx-3090"),
        ("13b int8 at length 4k, 4090", "13b weight_format=int8 context_tokens=4096 1xrtx-4090"),
        ("13b int8 context length 4090", "13b weight_format=int8 1xrtx-4090"),
        ("70b int4 6000 token prompt", "70b weight_format=int4 context_tokens=6000 prompt_tokens=6000"),
        ("8 bit kv 13b", "13b kv_format=fp8"),
        ("13b awq, kv cache in 8 bit", "13b weight_format=awq kv_format=fp8"),
        ("13b four-bit on a40", "13b weight_format=int4 1xa40"),
        ("13b int8 on half an a100 80gb", "13b weight_format=int8 1xa100-80-pcie"),
        (
            "70b awq with 8k prompts and 512 token replies",
            "70b weight_format=awq context_tokens=8704 prompt_tokens=8192",
        ),
        ("13b, prompts of 6k and answers of 1k tokens", "13b context_tokens=7168 prompt_tokens=6144"),
        ("13b, 6k in 1k out, 10 concurrent", "13b context_tokens=7168 prompt_tokens=6144 users=10"),
        ("13b q4 on a 4080 laptop 12gb", "13b weight_format=q4_k_m 1x12gb"),
        ("70b bf16 for less than 50 cents an hour", "70b weight_format=bf16 usd_hour=0.5"),
        ("nvidia gpu for 70b bf16", "70b weight_format=bf16 cuda=True"),
        ("not amd, 70b bf16", "70b weight_format=bf16 cuda=True"),
        ("an open-source 70b in int4", "70b weight_format=int4"),
        ("a dense 70b int4", "70b weight_format=int4"),
        ("with 2048 tokens context, 13b int8", "13b weight_format=int8 context_tokens=2048"),
        ("13b lora mini-batch 4", "13b workload=lora batch=4"),
        ("llama 3.1 8b with flash attention, 32k", "llama-3.1-8b context_tokens=32768"),
        ("we move to qwen3 32b next month", "qwen3-32b"),
        ("mistral 7b flash attention 3 h100 sxm", "mistral-7b 3xh100-sxm-80"),
        ("full deepseek r1 671b, 8x h200 sxm", "deepseek-r1 workload=infer 8xh200-sxm-141"),
        (
            "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 15.90 GiB total capacity) llama 2 7b qlora, t4",
            "llama-2-7b workload=qlora 1xt4",
        ),
    ],
)
def test_sentences_as_they_are_written(text, reads):
    assert line(text, mention=True) == reads


@pytest.mark.parametrize(
    "text",
    [
        "can my rtx 5060 run qwen3 32b q4?",
        "two quadro rtx 8000 for 70b q4",
        "whisper large v3 on a t4?",
        "a quantized 70b on a 48gb card",
        "3 copies of llama 3.1 8b on one a40",
        "rtx 4090 laptop for 13b",
    ],
)
def test_what_would_be_dropped_is_refused(text):
    with pytest.raises(EngineError):
        read(text, mention=True)

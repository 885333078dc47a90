"""Every refusal says what was given, and what to write instead."""

import pytest

from bot.grammar import MOST_CHARACTERS, read
from engine.errors import (
    ConflictingWords,
    EmptyQuestion,
    ImpossibleValue,
    NotModelled,
    QuestionTooLong,
    UnknownGpu,
    UnknownModel,
    UnknownWord,
)


def refused(text, kind, *, mention=False):
    with pytest.raises(kind) as caught:
        read(text, mention=mention)
    assert type(caught.value) is kind
    return caught.value


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "?", "— …", "vram", "how much?", "``` ```"])
def test_nothing_asked(text):
    assert refused(text, EmptyQuestion).code == "empty"


def test_a_greeting_asks_nothing_in_a_sentence():
    refused("hello there, thanks!", EmptyQuestion, mention=True)


@pytest.mark.parametrize("text", ["ctx=4k", "budget=500/mo", "fp8"])
def test_a_question_without_a_model_says_what_to_add(text):
    error = refused(text, UnknownModel)
    assert (error.given, error.reason) == ("", "the question names no model")
    assert "13b" in error.allowed


@pytest.mark.parametrize(
    ("text", "given", "near"),
    [
        ("13b lroa", "lroa", "lora"),
        ("lroa 13b", "lroa", "lora"),
        ("13b qloar", "qloar", "qlora"),
        ("13b cxt=4k", "cxt=4k", "ctx=4k"),
        ("13b Bacth 4", "Bacth", "batch="),
        ("70b fp9", "fp9", "fp8"),
        ("70b q4_k_x", "q4_k_x", "q4_k_m"),
        ("7b unlsoth lora", "unlsoth", "unsloth"),
    ],
)
def test_a_wrong_word_is_refused_with_the_nearest_right_one(text, given, near):
    error = refused(text, UnknownWord)
    assert (error.given, error.near[0]) == (given, near)


def test_a_word_of_sentences_is_no_slip_but_points_to_a_mention():
    error = refused("13b lora for our team", UnknownWord)
    assert (error.given, error.near) == ("our", ())
    assert "--mention" in error.allowed


@pytest.mark.parametrize("text", ["13b lroa on my 3090", "can we do 13b lroa please?"])
def test_a_slip_is_refused_in_a_sentence_too(text):
    assert refused(text, UnknownWord, mention=True).near[0] == "lora"


@pytest.mark.parametrize("word", ["can", "please", "xx7bzz", "nonsense", "@everyone", "dots.ocr", "<!channel>"])
def test_no_word_is_ignored(word):
    assert refused(f"13b {word} ctx=4k", UnknownWord).given.strip("@<!>") == word.strip("@<!>")


def test_a_number_alone_has_to_say_what_it_counts():
    assert refused("13b 77", UnknownWord).given == "77"
    assert refused("13b 128 bananas", UnknownWord).given == "128 bananas"


@pytest.mark.parametrize("word", ["4x", "x4", "x"])
def test_a_count_without_its_gpu_says_so(word):
    assert "4x3090" in refused(f"13b {word}", UnknownWord).allowed


@pytest.mark.parametrize(
    ("text", "given", "near"),
    [
        ("llama3.1 3b", "llama3.1 3b", "llama3.1:8b"),
        ("gpt-os-20b", "gpt-os-20b", "gpt-oss-20b"),
        ("mistrall 7b", "mistrall 7b", "mistral-7b"),
        ("qwen3.8-27b q4", "qwen3.8-27b", "qwen3.5-27b"),
        ("kimi-vl bf16", "kimi-vl", "kimi-k2"),
        ("starcoder 15.5b full", "starcoder 15.5b", "starcoder2-15b"),
    ],
)
def test_an_unknown_model_is_refused_with_the_nearest_known_one(text, given, near):
    error = refused(text, UnknownModel)
    assert error.given == given
    assert near in error.near


@pytest.mark.parametrize("text", ["pygmalion-6b fp16", "bloom 176b int8", "local/sha-c67a8061bbd", "wizard-vicuna 30b"])
def test_no_size_is_taken_out_of_an_unknown_name(text):
    refused(text, UnknownModel)


@pytest.mark.parametrize("text", ["can I run pygmalion 6b?", "my zephyrus 7b on a 3090", "can my 3080 run bloom"])
def test_nor_in_a_sentence(text):
    refused(text, UnknownModel, mention=True)


@pytest.mark.parametrize("text", ["0.01b", "8061b", "5001b lora", "0b"])
def test_no_model_is_of_such_a_size(text):
    error = refused(text, ImpossibleValue)
    assert "0.05b to 5000b" in error.allowed


@pytest.mark.parametrize(
    ("text", "given", "near"),
    [
        ("70b on h1000", "h1000", "h100"),
        ("70b rtx 4095", "rtx 4095", "rtx-4090"),
        ("70b 2xm4", "2xm4", "t4"),
        ("7b gtx 1650", "gtx 1650", "gtx-1080-ti"),
    ],
)
def test_an_unknown_gpu_is_refused_with_the_nearest_known_one(text, given, near):
    error = refused(text, UnknownGpu)
    assert (error.given, error.near[0]) == (given, near)


@pytest.mark.parametrize("text", ["7b 4090 48gb", "7b 4x2080ti-22", "7b t4 24gb", "7b a100 60gb"])
def test_a_variant_that_is_not_sold_is_not_the_gpu(text):
    error = refused(text, UnknownGpu)
    assert error.near
    assert "gb for any GPU of that size" in error.allowed


def test_bandwidth_alone_names_no_gpu():
    refused("7b on a 576 GB/s card", UnknownGpu, mention=True)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("8b ctx=0", "ctx=4k"),
        ("8b ctx=-1", "ctx=4k"),
        ("8b ctx=-4k", "ctx=4k"),
        ("8b -4k", "ctx=4k"),
        ("8b ctx -4k", "ctx=4k"),
        ("8b 0 context", "ctx=4k"),
        ("8b ctx=1e99", "ctx=4k"),
        ("8b ctx=4.5", "ctx=4k"),
        ("8b ctx=abc", "ctx=4k"),
        ("8b ctx=", "ctx=4k"),
        ("8b ctx=nan", "ctx=4k"),
        ("8b ctx=200M", "104,857,600"),
        ("8b batch=0", "batch=4"),
        ("8b bs=-2", "batch=4"),
        ("8b batch=1e99", "batch=4"),
        ("8b users=0", "users=20"),
        ("8b 0 users", "users=20"),
        ("8b 50 req/s", "users=20"),
        ("8b 0x3090", "1 to 10,000 GPUs"),
        ("8b 0 3090", "1 to 10,000 GPUs"),
        ("8b 3090 x0", "1 to 10,000 GPUs"),
        ("8b 99999x3090", "1 to 10,000 GPUs"),
        ("8b 8 gpus", "2x3090"),
        ("8b 0gb", "24gb"),
        ("8b two h200 nodes", "16xh100"),
        ("8b 9000gb", "24gb"),
        ("8b h100 mig", "1g.20gb"),
        ("8b rank=0", "rank=16"),
        ("8b util=0", "util=0.9"),
        ("8b util=1.5", "util=0.9"),
        ("8b zero=4", "zero=3"),
        ("8b tp=0", "tp=2"),
        ("8b kv=int3", "kv=fp8"),
        ("8b kv=8", "kv=fp8"),
        ("8b ckpt=maybe", "ckpt=selective"),
        ("8b optim=lion", "optim=adam8bit"),
        ("8b loss=huge", "loss=fused"),
        ("8b engine=sglang", "engine=vllm"),
        ("8b batch=4 users=4", "batch= or users="),
        ("8b in=4k out=4k ctx=4k", "a context that holds prompt and output"),
        ("8b max-gpus=0", "max-gpus=2"),
        ("8b term=0h", "term=12h"),
        ("8b gguf", "q4_k_m"),
        ("8b quantized", "q4_k_m"),
        ("layers=x kv=8 hd=128 params=70b", "layers=80"),
    ],
)
def test_an_impossible_value_is_refused_with_what_is_allowed(text, allowed):
    assert allowed in refused(text, ImpossibleValue).allowed


@pytest.mark.parametrize(
    "text", ["7b 00/mo", "7b budget=00/mo", "7b under 00/mo", "7b under /hr", "7b under .50/hr", "7b /mo"]
)
def test_what_a_shell_left_of_an_amount_is_refused_with_that_reason(text):
    error = refused(text, ImpossibleValue)
    assert "shell" in error.reason
    assert "budget=500/mo" in error.allowed


@pytest.mark.parametrize(
    "text", ["7b budget=500", "7b budget=€500/mo", "7b budget=0/hr", "7b budget=x/mo", "7b $500/year"]
)
def test_an_amount_needs_a_currency_and_a_period(text):
    assert "budget=500/mo" in refused(text, ImpossibleValue).allowed


@pytest.mark.parametrize(
    "text", ["13b 3090+4090", "13b 3090 + 4090", "13b 2x3090 and 4090", "13b rtx5000ada+v100 32gb"]
)
def test_a_mixed_set_is_refused(text):
    error = refused(text, ImpossibleValue)
    assert "mixed set" in error.reason
    assert " or " in error.allowed


@pytest.mark.parametrize(
    "text",
    [
        "13b 70b",
        "13b llama-3.1-8b",
        "mixtral mistral",
        "13b lora full",
        "13b infer lora",
        "13b fp8 int4",
        "13b gptq awq",
        "13b bf16 fp16",
        "13b qlora 8bit",
        "13b ctx=4k ctx=8k",
        "13b 4k 8k",
        "13b 2x3090 x4",
        "13b 2x3090 4 gpus",
        "13b vllm ollama",
        "13b rank=8 rank=16",
        "llama-3.1-8b layers=80 kv=8 hd=128 params=70b",
        "```8b``` *70b*",
    ],
)
def test_words_that_contradict_are_refused(text):
    error = refused(text, ConflictingWords)
    assert error.given
    assert error.reason


@pytest.mark.parametrize(
    "word", ["dpo", "ppo", "grpo", "pretrain", "quantize", "quantise", "merge", "RLHF", "pre-training"]
)
@pytest.mark.parametrize("mention", [False, True])
def test_what_is_not_modelled_is_said_so(word, mention):
    error = refused(f"7b {word} 8xa40", NotModelled, mention=mention)
    assert error.given == word
    assert error.reason
    assert "lora" in error.allowed


def test_a_question_is_cut_at_five_hundred_characters_as_its_writer_meant_it():
    assert read("13b" + " lora" * 99).options[0].question.workload == "lora"
    assert "500" in refused("13b" + " lora" * 100, QuestionTooLong).allowed
    refused("x" * 1_000_000, QuestionTooLong)
    # the marks of a chat client do not count
    wrapped = " ".join(["<http://lora|lora>"] * 90)
    assert len(f"13b {wrapped}") > MOST_CHARACTERS
    assert read(f"13b {wrapped}").options[0].question.workload == "lora"


@pytest.mark.parametrize("text", ["gpt-4 on a 4090", "claude", "gpt-4o-mini int4"])
@pytest.mark.parametrize("mention", [False, True])
def test_a_model_without_public_weights_says_so(text, mention):
    assert "not published" in refused(text, UnknownModel, mention=mention).reason


@pytest.mark.parametrize(("text", "near"), [("mixtrall 4090", "mixtral"), ("deepsek v3", "deepseek-v3")])
def test_a_misspelt_family_is_a_model(text, near):
    assert refused(text, UnknownModel).near[0].startswith(near)


def test_a_name_of_another_family_is_no_suggestion():
    assert refused("whisper-large-v3", UnknownModel).near == ()

"""Sentences to the bot: filler is dropped, figures on the way are not taken for GPUs."""

import pytest

from bot.grammar import read
from bot.grammar.words import USER_UNITS
from tests.bot.grammar.reading_lines import line


@pytest.mark.parametrize(
    ("sentence", "reads"),
    [
        ("can we run a 13b on two 4090s, please?", "13b workload=infer 2xrtx-4090"),
        ("hey <@U123>, does 70b int4 fit on 24 gigs?", "70b weight_format=int4 1x24gb"),
        ("a pair of 3090s for 70b q4?", "70b weight_format=q4_k_m 2xrtx-3090"),
        ("will 70b go on eight 80g a100s", "70b 8xa100-80-pcie"),
        ("13b lora on a single 4090", "13b workload=lora 1xrtx-4090"),
        ("serve a 7b under 500 bucks a month", "7b workload=infer usd_month=500"),
        ("llama 3.1 70b with a 128k window", "llama-3.1-70b context_tokens=131072"),
        ("vllm mixtral tp8", "mixtral-8x7b engine=vllm tensor_parallel=8"),
        ("mixtral with tp=3", "mixtral-8x7b tensor_parallel=3"),
        ("跑70b要几G显存", "70b"),
        ("我想用4090微调7b lora 可以吗", "7b workload=lora 1xrtx-4090"),
        ("can I run a 7b qlora finetune", "7b workload=qlora"),
        ("full 128k window on llama 3.1 70b", "llama-3.1-70b context_tokens=131072"),
        ("13b lora runs out of memory on my 24gb card", "13b workload=lora 1x24gb"),
        ("gemma-2 9B awq is 5.6gb on disk but takes 10.7GB", "gemma-2-9b weight_format=awq"),
        ("someone said 8.5gb is enough for 7b on my 3090", "7b 1xrtx-3090"),
        ("13b at 4k? 2k was fine", None),
        ("13b at 4k context? 2k was fine", "13b context_tokens=4096"),
        ("70b q4 on 2x3090 gives 17 tok/s, slow?", "70b weight_format=q4_k_m 2xrtx-3090"),
        ("/vram 13b lora", "13b workload=lora"),
        (":wave: 13b lora #general", "13b workload=lora"),
        ("~1000 users on a 7b", "7b users=1000"),
        ("llama 3.1 8b for 30 engineers on an l40s", "llama-3.1-8b users=30 1xl40s"),
        ("we have 4 A6000s and 30 devs, llama 3.1 8b", "llama-3.1-8b users=30 4xrtx-a6000"),
        ("llama 2 chat 7b on an l40s", "llama-2-7b 1xl40s"),
        (
            "how many users can 2x H100 SXM serve with llama 3.3 70b fp8 at 16k?",
            "llama-3.3-70b workload=infer weight_format=fp8 context_tokens=16384 2xh100-sxm-80",
        ),
        (
            "how many concurrent users fit on one H100 SXM with llama 3.1 8b at 8k",
            "llama-3.1-8b context_tokens=8192 1xh100-sxm-80",
        ),
        ("how many users at 8k on an l40s with llama 3.1 8b", "llama-3.1-8b context_tokens=8192 1xl40s"),
        ("how many people can use llama 3.1 8b on an l40s", "llama-3.1-8b 1xl40s"),
        ("serve llama 3.1 8b to our users on an l40s", "llama-3.1-8b workload=infer 1xl40s"),
    ],
)
def test_a_sentence_reads_like_its_words(sentence, reads):
    assert line(sentence, mention=True) == (reads or "refused: conflict")


@pytest.mark.parametrize("how", ["", "concurrent ", "simultaneous ", "parallel "])
@pytest.mark.parametrize("who", sorted(USER_UNITS))
def test_a_number_beside_who_is_served_counts_them(how, who):
    assert line(f"llama 3.1 8b for 30 {how}{who} on an l40s", mention=True) == "llama-3.1-8b users=30 1xl40s"


def test_who_is_served_is_counted_by_the_usual_nouns():
    some = "engineer dev developer employee colleague coworker student customer client seat session stream agent"
    more = f"{some} analyst researcher user request"
    assert {*more.split(), *(f"{who}s" for who in more.split()), "people", "chats"} <= USER_UNITS


def test_filler_means_something_only_in_a_sentence():
    assert line("can we run a 13b on two 4090s, please?") == "refused: unknown-word"


def test_the_plain_words_of_a_sentence_read_alike_outside_it():
    for sentence in ("13b lora ctx=4k", "70b int4 2x3090 users=4", "llama3.1:70b q4_K_M 32k 2x3090"):
        spoken, typed = read(sentence, mention=True).options[0], read(sentence).options[0]
        assert spoken.question.model_copy(update={"text": ""}) == typed.question.model_copy(update={"text": ""})
        assert read(spoken.ask).options[0].question == spoken.question

"""A question with one thing changed is the question that a person would have typed."""

import pytest

from bot.grammar import read
from bot.what_if import changed

# question, change, the question as a person types it
CHANGES = [
    ("70b bf16 2x3090", "int4", "70b int4 2x3090"),
    ("70b bf16 2x3090", "2xa40", "70b bf16 2xa40"),
    ("70b bf16 2x3090 or a40", "mi300x", "70b bf16 mi300x"),
    ("70b ctx=8k", "ctx=32k", "70b ctx=32k"),
    ("70b in=2000 out=500", "ctx=32k", "70b ctx=32k"),
    ("13b full 4x4090", "qlora", "13b qlora 4x4090"),
    ("13b bf16 lora", "qlora", "13b qlora"),
    ("70b full optim=adam-bf16 zero=3 offload=cpu 4xa100-80-sxm", "qlora", "70b qlora 4xa100-80-sxm"),
    ("7b lora hf optim=adam8bit", "qlora", "7b qlora hf optim=adam8bit"),
    ("13b full 4x4090", "optim=adam8bit", "13b full 4x4090 optim=adam8bit"),
    ("13b lora rank=64 optim=adam", "optim=adam8bit", "13b lora rank=64 optim=adam8bit"),
    ("34b fp8 users=20 ctx=8k budget=500/mo", "budget=874/mo", "34b fp8 users=20 ctx=8k budget=874/mo"),
    ("70b budget=500/mo cuda", "max-gpus=4", "70b budget=500/mo cuda max-gpus=4"),
    ("70b batch=4", "users=8", "70b users=8"),
    ("llama3.1:70b q4_k_m 32k 2x3090", "kv=q8_0", "llama3.1:70b q4_k_m 32k 2x3090 kv=q8_0"),
    ("llama-3.1-8b engine=vllm 24gb", "seqs=64", "llama-3.1-8b engine=vllm 24gb seqs=64"),
    ("13b lora private", "ctx=8k", "13b lora private ctx=8k"),
    ("70b", "cuda", "70b cuda"),
]


@pytest.mark.parametrize(("before", "change", "after"), CHANGES)
def test_the_change_replaces_what_was_said_of_the_same_thing(before, change, after):
    new = changed(read(before).options[0].question, change)
    assert new.model_copy(update={"text": ""}) == read(after).options[0].question.model_copy(update={"text": ""})


@pytest.mark.parametrize(("before", "change", "after"), CHANGES)
def test_its_text_reads_to_the_same_question(before, change, after):
    new = changed(read(before).options[0].question, change)
    assert read(new.text).options[0].question == new


def test_a_pasted_shape_stays():
    question = read("layers=80 kv=8 hd=128 hidden=8192 params=70b bf16").options[0].question
    new = changed(question, "int4")
    assert (new.shape, new.weight_format) == (question.shape, "int4")

"""Where an answer is of no use to anybody, the question is refused."""

import re

import pytest

from engine.errors import ImpossibleValue
from engine.offers import packaged_catalog
from engine.question import GpuSet, Question
from engine.size import size


def test_more_memory_than_there_is_is_refused():
    # KV cache of a 5,000B shape, 1,000,000 people with 100 M tokens each: at least 1e14 tokens x 1 kB = 1e11 GB
    absurd = Question(model="5000b", params_b=5000, context_tokens=10**8, users=10**6)
    with pytest.raises(ImpossibleValue, match="more memory"):
        size(absurd, packaged_catalog())


def test_a_large_service_is_answered():
    # Llama 3.1 405B, 126 layers x 8 heads x 128 x 2 x 2 B = 516,096 B a token; 131,072 tokens, 1,000 people: 67,646 GB
    large = Question(model="llama-3.1-405b", context_tokens=131_072, users=1000)
    need = size(large, packaged_catalog()).need
    assert next(term.gb for term in need.terms if term.name == "kv") == pytest.approx(67_646, rel=0.001)


def test_thousands_are_apart_in_warnings_too():
    # 13b: 819,200 B a token (sizing guide); 8,192 tokens x 20,000 sequences: 134,218 GB of KV cache
    many = Question(model="13b", params_b=13, batch=20_000, sets=(GpuSet(gpu="rtx-3090", count=10_000),))
    said = " ".join(warning.text for warning in size(many, packaged_catalog()).warnings)
    assert "the KV cache (134,218 GB)" in said
    assert "10,000 × RTX 3090" in said
    assert not re.search(r"\d{4,} GB", said)


def test_the_tokens_of_a_data_set_are_no_sequence():
    with pytest.raises(ImpossibleValue, match="no sample is so long"):
        size(Question(model="13b", params_b=13, workload="lora", context_tokens=100 * 2**20), packaged_catalog())

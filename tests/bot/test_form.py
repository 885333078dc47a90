"""Typed fields beside a text: each is stronger than the words of the text."""

import pytest

from bot.form import FIELDS, question_text
from bot.grammar import read

WHOLE = "13b lora bf16 ctx=4k batch=8 2x3090 kv=fp8 budget=500/mo private"


def asked(text):
    return read(text).options[0].question


def test_a_text_without_fields_stays_as_it_was_typed():
    assert question_text("  13B   LoRA ", {}) == "  13B   LoRA "


@pytest.mark.parametrize(
    ("name", "value", "of", "is_now"),
    [
        ("model", "70b", "model", "70b"),
        ("workload", "full", "workload", "full"),
        ("format", "fp8", "weight_format", "fp8"),
        ("context", "8k", "context_tokens", 8192),
        ("batch", 2, "batch", 2),
        ("kv", "q8_0", "kv_format", "q8_0"),
        ("private", False, "private", False),
    ],
)
def test_a_field_changes_its_own_part_and_no_other(name, value, of, is_now):
    before, after = asked(WHOLE), asked(question_text(WHOLE, {name: value}))
    assert getattr(after, of) == is_now
    kept = {"text", "params_b", of}
    assert after.model_dump(exclude=kept) == before.model_dump(exclude=kept)


def test_gpus_and_budget():
    after = asked(question_text(f"{WHOLE} or a40", {"gpus": "2xa40", "budget": "2/hr"}))
    assert [(one.gpu, one.count) for one in after.sets] == [("a40", 2)]
    assert (after.limits.usd_month, str(after.limits.usd_hour)) == (None, "2")


def test_a_context_ends_prompt_and_output():
    assert asked(question_text("13b in=2048 out=512", {"context": "4k"})).context_tokens == 4096


def test_fields_alone_are_a_question():
    assert question_text("", {"model": "13b", "workload": "lora", "private": True}) == "13b lora private"


def test_a_text_that_cannot_be_read_stays_whole_so_that_its_word_is_named():
    assert question_text("13b lroa", {"context": "4k"}) == "13b lroa ctx=4k"


def test_names_are_each_there_once():
    names = [field.name for field in FIELDS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("field", [field for field in FIELDS if field.choices], ids=lambda field: field.name)
def test_every_choice_is_read(field):
    for choice in field.choices:
        assert asked(question_text("13b", {field.name: choice.value}))

"""Suggestions in the order in which a person expects them, each a word that the grammar reads."""

import time

import pytest

from bot.autocomplete import MOST, formats, gpus, models, warm
from bot.grammar import read


def values(suggestions):
    return [suggestion.value for suggestion in suggestions]


def test_a_number_means_that_size_first_then_the_models_of_that_size():
    found = values(models("70"))
    assert found[0] == "70b"
    assert {"llama-3.3-70b", "llama-3.1-70b", "llama-2-70b"} <= set(found[1:6])
    assert not [name for name in found[1:6] if "70b" not in name]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("13", "13b"),
        ("13b", "13b"),
        ("0.5", "0.5b"),
        ("19", "19b"),
        ("405", "405b"),
        ("llama3.1:70b", "llama-3.1-70b"),
        ("Llama 3.1 8", "llama-3.1-8b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("mixtral", "mixtral-8x7b"),
        ("deepsek", "deepseek-v2"),
    ],
)
def test_the_first_model(typed, first):
    assert values(models(typed))[0] == first


def test_the_latest_version_of_a_family_comes_first():
    found = values(models("llama"))
    assert found.index("llama-3.3-70b") < found.index("llama-3.1-8b") < found.index("llama-3-8b")


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("3090", "rtx-3090"),
        ("2x3090", "2xrtx-3090"),
        ("2x309", "2xrtx-3090"),
        ("4 4090s", "4xrtx-4090"),
        ("a40", "a40"),
        ("a40 x8", "8xa40"),
        ("RTX 4090", "rtx-4090"),
    ],
)
def test_the_first_gpu(typed, first):
    assert values(gpus(typed))[0] == first


@pytest.mark.parametrize(("typed", "first"), [("q4", "q4_k_m"), ("4", "int4"), ("awq", "awq"), ("bf", "bf16")])
def test_the_first_format(typed, first):
    assert values(formats(typed))[0] == first


@pytest.mark.parametrize("complete", [models, gpus, formats])
@pytest.mark.parametrize("typed", ["", "7", "a", "q", "x" * 6000, "🤖", "2x", "@everyone", "..", "\u202e"])
def test_at_most_25_whatever_is_typed(complete, typed):
    found = complete(typed)
    assert len(found) <= MOST == 25
    assert len(set(values(found))) == len(found)


@pytest.mark.parametrize("typed", ["", "7", "70", "llama", "qwen", "deepseek", "mi", "gemma", "r1"])
def test_every_model_is_read_as_itself(typed):
    for value in values(models(typed)):
        [option] = read(value).options
        assert option.question.model == value


@pytest.mark.parametrize("typed", ["", "2x", "4 a", "h100", "a100", "mi", "24"])
def test_every_gpu_is_read_as_one(typed):
    for value in values(gpus(typed)):
        assert len(read(f"7b {value}").options) == 1


def test_every_format_is_read_as_itself():
    for value in values(formats("")):
        assert read(f"llama-3.1-8b {value}").options[0].question.weight_format == value


def test_a_keystroke_takes_milliseconds():
    warm()
    began = time.perf_counter()
    for typed in ("7", "70", "llama", "lla", "qwen3", "deepsek"):
        models(typed)
        gpus(typed)
        formats(typed)
    assert (time.perf_counter() - began) / 18 < 0.1

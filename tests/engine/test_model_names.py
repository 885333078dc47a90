"""Names as people write them. Expected ids are those of the table; spellings from real questions and hub names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import models

ONE_READING = {
    "llama3.1:70b": "llama-3.1-70b",
    "LLAMA 3.1 70B": "llama-3.1-70b",
    "llama-3.1-70b-instruct": "llama-3.1-70b",
    "llama_3_8b": "llama-3-8b",
    "llama 3 70b": "llama-3-70b",
    "llama3-70b": "llama-3-70b",
    "llama31 8b": "llama-3.1-8b",
    "llama-2-70b": "llama-2-70b",
    "llama2 70b": "llama-2-70b",
    "Llama-2-7b-chat-hf": "llama-2-7b",
    "llama-1-33b": "llama-1-33b",
    "llama 30b": "llama-1-33b",
    "llama3.2": "llama-3.2-3b",
    "meta-llama/Llama-3.1-8B-Instruct": "llama-3.1-8b",
    "meta-llama/Meta-Llama-3.1-405B-Instruct": "llama-3.1-405b",
    "unsloth/Meta-Llama-3.1-8B-bnb-4bit": "llama-3.1-8b",
    "deepseek-r1:32b": "r1-distill-qwen-32b",
    "deepseek-r1:8b": "r1-0528-qwen3-8b",
    "deepseek-r1:671b": "deepseek-r1",
    "deepseek r1": "deepseek-r1",
    "r1 32b": "r1-distill-qwen-32b",
    "deepseek-ai/DeepSeek-R1-Distill-Llama-70B": "r1-distill-llama-70b",
    "deepseek-v3": "deepseek-v3",
    "DeepSeek-V3.2-Exp": "deepseek-v3.2",
    "mistral-small3.1:24b": "mistral-small-3.1-24b",
    "mistral": "mistral-7b",
    "mistral 7b v0.1": "mistral-7b-v0.1",
    "mixtral": "mixtral-8x7b",
    "mixtral 8x22b": "mixtral-8x22b",
    "llama2 34b": "llama-2-34b",
    "8x7b": "mixtral-8x7b",
    "8x22b": "mixtral-8x22b",
    "30b-a3b": "qwen3-30b-a3b",
    "235b-a22b": "qwen3-235b-a22b",
    "671b": "deepseek-v3",
    "1t": "kimi-k2",
    "qwen2.5 32b": "qwen2.5-32b",
    "qwen2.5:7b-instruct-q4_K_M": "qwen2.5-7b",
    "qwen1.5_7b": "qwen1.5-7b",
    "Qwen1.5-MoE-A2.7B": "qwen1.5-moe-a2.7b",
    "Qwen/Qwen2.5-VL-72B-Instruct-AWQ": "qwen2.5-vl-72b",
    "qwen3-30b-a3b-thinking-2507": "qwen3-30b-a3b-2507",
    "gpt-oss:120b": "gpt-oss-120b",
    "gpt oss 20b": "gpt-oss-20b",
    "kimi k2": "kimi-k2",
    "gemma 3 27b": "gemma-3-27b",
    "gemma-3-27b-it": "gemma-3-27b",
    "phi-3-mini-128k": "phi-3-mini-128k",
    "phi4": "phi-4",
    "vicuna 7b": "vicuna-7b",
    "code llama 34b": "codellama-34b",
    "command r+": "command-r-plus-104b",
    "glm 4.5 air": "glm-4.5-air",
    "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8": "nemotron-3-super-120b",
    "sd 1.5": "sd-1.5",
    "sdxl": "sdxl",
    "llama 3b": "llama-3.2-3b",
}


@pytest.mark.parametrize(("written", "expected"), ONE_READING.items())
def test_one_reading(written: str, expected: str):
    assert [shape.id for shape in models.find(written).shapes] == [expected]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("llama 70b", {"llama-2-70b", "llama-3-70b", "llama-3.1-70b", "llama-3.3-70b"}),
        ("llama3.1", {"llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b"}),
        ("qwen 32b", {"qwen1.5-32b", "qwen2.5-32b", "qwen3-32b"}),
        ("codellama", {"codellama-7b", "codellama-13b", "codellama-34b", "codellama-70b"}),
        ("gpt-oss", {"gpt-oss-20b", "gpt-oss-120b"}),
        ("llama 4", {"llama-4-scout", "llama-4-maverick"}),
    ],
)
def test_what_was_left_out_is_not_guessed(written: str, expected: set[str]):
    assert {shape.id for shape in models.find(written).shapes} == expected


@pytest.mark.parametrize(
    "written",
    [
        "llama3.1 3b",
        "llama 3 18b",
        "llama 3 8b 32k",
        "run llama 3 8b",
        "llama 3 8b q4_k_m",
        "xx7bzz",
        "local/sha-c67a8061bbd",
        "70b",
        "405b",
        "13b",
        "70 b",
        "base",
        "chat",
        "it",
        "model",
        "llama",
        "lora",
        "2x3090",
        "",
        "   ",
        "/",
        ":",
        "q4_k_m",
        "fp8",
        "llama-3-8b\u202e",
        "ｌｌａｍａ",
    ],
)
def test_what_is_no_model_has_no_shape(written: str):
    assert models.find(written).shapes == ()


@pytest.mark.parametrize(
    ("written", "ollama_tag", "weight_format"),
    [
        ("llama3.1:70b", True, None),
        ("qwen2.5:7b-instruct-q4_K_M", True, "q4_k_m"),
        ("llama-3.1-8b:q8_0", True, "q8_0"),
        ("llama-3.1-8b", False, None),
        ("Qwen/Qwen2.5-VL-72B-Instruct-AWQ", False, "awq"),
        ("TheBloke/Llama-2-13B-chat-GPTQ", False, "gptq"),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", False, "fp8"),
        ("unsloth/Meta-Llama-3.1-8B-bnb-4bit", False, "nf4"),
        ("llama-3.1-8b.Q4_K_M.gguf", False, "q4_k_m"),
    ],
)
def test_the_tag_comes_off_and_is_told(written: str, ollama_tag: bool, weight_format: str | None):
    found = models.find(written)
    assert len(found.shapes) == 1
    assert (found.ollama_tag, found.weight_format) == (ollama_tag, weight_format)


def test_every_written_name_is_found():
    assert [name for name in models.names() if not models.find(name).shapes] == []


def test_every_id_and_repository_is_its_own_model():
    for shape in models.all_shapes():
        assert shape in models.find(shape.id).shapes, shape.id
        assert shape in models.find(shape.hf_repo).shapes, shape.hf_repo


@given(st.sampled_from(models.names()), st.sampled_from([" ", "-", "_", "  "]), st.booleans())
def test_spelling_does_not_matter(name: str, separator: str, shout: bool):
    written = separator.join(name.replace("-", " ").split())
    found = models.find(written.upper() if shout else written)
    assert found.shapes == models.find(name).shapes


@given(st.text(max_size=60))
def test_any_text_is_answered(text: str):
    assert isinstance(models.find(text).shapes, tuple)

"""Pages of models, keys before names, and what the name of a repository says of its format."""

import pytest

from bot.grammar import read
from engine.errors import ImpossibleValue
from tests.bot.grammar.reading_lines import line


@pytest.mark.parametrize(
    "text",
    [
        "https://huggingface.co/meta-llama/Llama-3.1-8B",
        "http://huggingface.co/meta-llama/Llama-3.1-8B/",
        "https://hf.co/meta-llama/Llama-3.1-8B?library=vllm",
        "https://huggingface.co/meta-llama/Llama-3.1-8B/tree/main",
        "huggingface.co/meta-llama/Llama-3.1-8B",
        "<https://huggingface.co/meta-llama/Llama-3.1-8B>",
        "meta-llama/Llama-3.1-8B",
        "model:llama-3.1-8b",
        "model=llama-3.1-8b",
    ],
)
@pytest.mark.parametrize("mention", [False, True])
def test_a_page_or_a_key_is_no_ollama_tag(text, mention):
    assert line(text, mention=mention) == "llama-3.1-8b"


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("llama3.1:8b", "llama-3.1-8b ollama_tag"),
        ("model:llama3.1:8b", "llama-3.1-8b ollama_tag"),
        ("https://ollama.com/library/llama3.1:8b", "llama-3.1-8b ollama_tag"),
        ("https://ollama.com/library/mixtral", "mixtral-8x7b ollama_tag"),
        ("ctx:4k gpu:a40 model:13b", "13b context_tokens=4096 1xa40"),
        ("7b engine:vllm", "7b engine=vllm"),
    ],
)
def test_tags_and_keys_with_a_colon(text, reads):
    assert line(text) == reads


@pytest.mark.parametrize("text", ["TheBloke/Llama-2-7B-GGUF", "llama-2-7b-ggml", "7b gguf", "llama-2-7b gguf"])
def test_gguf_says_that_it_is_quantised_and_not_how(text):
    with pytest.raises(ImpossibleValue) as caught:
        read(text)
    assert "q4_k_m" in caught.value.allowed


@pytest.mark.parametrize(
    "text",
    [
        "TheBloke/Llama-2-7B-GGUF q5_k_m",
        "TheBloke/Llama-2-7B-GGUF:Q5_K_M",
        "llama-2-7b.Q5_K_M.gguf",
        "https://huggingface.co/TheBloke/Llama-2-7B-GGUF/blob/main/llama-2-7b.Q5_K_M.gguf",
    ],
)
def test_with_its_type_a_gguf_file_is_known(text):
    question = read(text).options[0].question
    assert (question.model, question.weight_format) == ("llama-2-7b", "q5_k_m")


def test_two_models_that_one_name_may_mean_are_asked_back_and_a_tag_names_one():
    """Hugging Face: DeepSeek-R1-Distill-Llama-8B and DeepSeek-R1-0528-Qwen3-8B; the tag is the latter."""
    assert {option.question.model for option in read("deepseek-r1 8b").options} == {
        "r1-distill-llama-8b",
        "r1-0528-qwen3-8b",
    }
    assert line("deepseek-r1:8b") == "r1-0528-qwen3-8b ollama_tag"

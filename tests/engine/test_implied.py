"""What a question implies without an engine word: llama.cpp for GGUF files."""

import pytest

from engine.question import EngineOptions
from tests.engine.asking import ask, bare, named


def test_a_gguf_file_is_llama_cpps():
    """Llama-3.1-70B at q4_k_m and 32k on one GPU, by the profile's own arithmetic.

    Weights 70,553,706,496 x 4.86 bit without the input embedding of 128,256 x 8,192; cache 2 x 80 layers x 8 heads x
    128 x 2 B x 32,768 tokens; micro-batch 512 x (4 x 128,256 + 6 x 8,192) B; 0.47 GB besides.
    """
    answer = ask(named("llama-3.1-70b", "infer", "q4_k_m", context_tokens=32_768))
    weights = (70_553_706_496 - 128_256 * 8_192) * 4.86 / 8
    cache = 2 * 80 * 8 * 128 * 2 * 32_768
    buffer = 512 * (4 * 128_256 + 6 * 8_192)
    assert answer.question.engine == "llama.cpp"
    assert answer.need.total_gb == pytest.approx((weights + cache + buffer) / 1e9 + 0.47)
    assert ("engine", "llama.cpp") in [(one.name, one.value) for one in answer.assumptions]


def test_a_bare_size_in_gguf_too():
    """The guide has no figures for GGUF: 70 x 10^9 x 4.86 bit without the input embedding (shapes.csv), no 2 GB."""
    terms = {term.name: term.gb for term in ask(bare(70, "infer", "q4_k_m")).need.terms}
    assert terms["kv"] == pytest.approx(2 * 80 * 8 * 128 * 2 * 8_192 / 1e9)
    assert terms["weights"] == pytest.approx((70e9 - 128_256 * 8_192) * 4.86 / 8 / 1e9)
    assert terms.get("overhead", 0) == 0


def test_an_ollama_tag_is_gguf():
    question = named("r1-distill-qwen-32b", "infer", None, (1, "rtx-4090")).model_copy(update={"ollama_tag": True})
    answer = ask(question)
    assert (answer.question.engine, answer.question.weight_format) == ("llama.cpp", "q4_k_m")
    assert answer.verdicts[0].verdict == "tight"


def test_the_guides_word_keeps_its_flat_allowance():
    question = named("llama-3.1-70b", "infer", "q4_k_m").model_copy(update={"engine": "guide"})
    terms = {term.name: term.gb for term in ask(question).need.terms}
    assert terms["overhead"] == 2
    assert terms["weights"] == pytest.approx(70_553_706_496 * 4.86 / 8 / 1e9)


def test_split_in_parallel_gguf_is_not_llama_cpps():
    question = named("llama-3.1-70b", "infer", "q4_k_m", options=EngineOptions(tensor_parallel=2))
    assert ask(question).question.engine == "guide"


def test_options_of_llama_cpp_need_no_engine_word():
    slots = named("llama-3.1-8b", "infer", "q4_k_m", options=EngineOptions(slots=4))
    one = ask(named("llama-3.1-8b", "infer", "q4_k_m")).kv.gb
    assert ask(slots).kv.gb == pytest.approx(4 * one)


def test_what_ollama_pulls_in_mxfp4_too():
    tag = named("gpt-oss-20b").model_copy(update={"ollama_tag": True})
    assert (ask(tag).question.engine, ask(tag).question.weight_format) == ("llama.cpp", "mxfp4")
    assert ask(named("gpt-oss-20b")).question.engine == "guide"


def test_another_engine_beside_a_tag_takes_the_models_own_format():
    tag = named("qwen2.5-7b").model_copy(update={"ollama_tag": True, "engine": "vllm"})
    assert ask(tag).question.weight_format == "bf16"

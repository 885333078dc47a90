"""An option that would change nothing is refused; one that is answered changes the need, its range or a verdict."""

import pytest

from engine.errors import ConflictingWords, NotModelled
from engine.models import all_shapes
from engine.question import EngineOptions, Question, Tuning
from tests.engine.asking import ask, bare, named

INFERENCE = "it says nothing of inference"


def refused(question):
    with pytest.raises(ConflictingWords) as caught:
        ask(question)
    return caught.value


@pytest.mark.parametrize(
    ("tuning", "given"),
    [
        ({"rank": 64}, "rank=64"),
        ({"checkpointing": "off"}, "ckpt=off"),
        ({"checkpointing": "on"}, "ckpt=on"),
        ({"optimizer": "adam"}, "optim=adam"),
        ({"loss": "fused"}, "loss=fused"),
        ({"targets": "qv"}, "targets=qv"),
        ({"train_embeddings": True}, "embed=train"),
        ({"kbit_preparation": False}, "prep=off"),
        ({"compile": True}, "compile=on"),
        ({"zero_stage": 3}, "zero=3"),
    ],
)
@pytest.mark.parametrize("engine", [None, "vllm", "transformers"])
def test_an_option_of_tuning_says_nothing_of_inference(tuning, given, engine):
    for question in (bare(7, tuning=tuning, engine=engine), named("llama-3.1-8b", tuning=tuning, engine=engine)):
        error = refused(question)
        assert (error.given, error.reason) == (given, INFERENCE)
        assert error.allowed.startswith("leave it out, or ")


SERVING = {
    "util=0.5": ({"util": 0.5}, {"vllm"}),
    "seqs=4": ({"seqs": 4}, {"vllm"}),
    "slots=7": ({"slots": 7}, {"llama.cpp", "ollama"}),
    "ubatch=2048": ({"ubatch": 2048}, {"llama.cpp", "ollama"}),
    "fa=off": ({"flash_attention": False}, {"llama.cpp", "ollama"}),
    "attn=eager": ({"eager_attention": True}, {"transformers"}),
    "logits=full": ({"full_logits": True}, {"transformers"}),
    "cache=growing": ({"growing_cache": True}, {"transformers"}),
}


@pytest.mark.parametrize("given", SERVING)
@pytest.mark.parametrize("engine", [None, "vllm", "llama.cpp", "ollama", "transformers"])
def test_an_option_of_an_engine_means_nothing_beside_another_or_none(given, engine):
    options, has_it = SERVING[given]
    question = bare(7, engine=engine, options=EngineOptions(**options))
    if engine in has_it:
        assert ask(question).need.total_gb > 4
        return
    error = refused(question)
    assert (error.given, error.reason) == (
        given,
        f"it changes nothing in inference {f'with {engine}' if engine else 'without an engine word'}",
    )
    assert all(f"engine={one}" in error.allowed for one in has_it)


@pytest.mark.parametrize("given", sorted(set(SERVING) - {"attn=eager"}))
def test_an_option_of_serving_says_nothing_of_tuning(given):
    assert refused(bare(7, "lora", options=EngineOptions(**SERVING[given][0]))).reason == "it says nothing of LoRA"


@pytest.mark.parametrize(
    ("workload", "engine", "tuning", "given"),
    [
        ("lora", None, {"optimizer": "adam8bit"}, "optim=adam8bit"),
        ("lora", None, {"optimizer": "adam4bit"}, "optim=adam4bit"),
        ("qlora", None, {"optimizer": "inbackward"}, "optim=inbackward"),
        ("lora", "hf", {"optimizer": "inbackward8bit"}, "optim=inbackward8bit"),
        ("lora", "torchtune", {"optimizer": "adam8bit"}, "optim=adam8bit"),
        ("lora", None, {"targets": "qv"}, "targets=qv"),
        ("lora", None, {"compile": True}, "compile=on"),
        ("full", None, {"rank": 128}, "rank=128"),
        ("full", None, {"targets": "qv"}, "targets=qv"),
        ("full", "hf", {"train_embeddings": True}, "embed=train"),
        ("full", "hf", {"zero_stage": 3}, "zero=3"),
        ("qlora", "unsloth", {"loss": "chunked"}, "loss=chunked"),
        ("qlora", "unsloth", {"kbit_preparation": False}, "prep=off"),
    ],
)
def test_what_a_bare_size_or_an_engine_does_not_reckon_is_refused(workload, engine, tuning, given):
    assert refused(bare(7, workload, engine=engine, tuning=tuning)).given == given


@pytest.mark.parametrize(
    ("workload", "engine", "tuning"),
    [
        ("lora", "hf", {"optimizer": "adam8bit"}),
        ("lora", "hf", {"targets": "qv"}),
        ("lora", "torchtune", {"targets": "attn"}),
        ("qlora", "unsloth", {"targets": "qv"}),
        ("lora", "fsdp", {"train_embeddings": True}),
        ("qlora", "hf", {"kbit_preparation": False}),
        ("lora", "torchtune", {"compile": True}),
        ("full", "torchtune", {"checkpointing": "off"}),
        ("full", "fsdp", {"optimizer": "adam-fp32"}),
        ("lora", None, {"rank": 64}),
        ("lora", None, {"targets": "qv"}),
        ("lora", None, {"train_embeddings": True}),
        ("lora", None, {"optimizer": "adam8bit"}),
        ("full", None, {"compile": True}),
        ("qlora", None, {"loss": "fused"}),
        ("qlora", None, {"checkpointing": "off"}),
    ],
)
def test_what_is_answered_changes_the_need_or_its_range(workload, engine, tuning):
    """Without an engine word a named model's range runs over the engines, and so their options count."""
    plain = ask(named("llama-3.1-8b", workload, engine=engine, context_tokens=8192)).need
    need = ask(named("llama-3.1-8b", workload, engine=engine, context_tokens=8192, tuning=tuning)).need
    assert (need.total_gb, need.low_gb, need.high_gb) != (plain.total_gb, plain.low_gb, plain.high_gb)


def test_zero_3_without_an_engine_word_is_how_full_tuning_is_split_anyway():
    """Source of the layout: sizing guide, rules; the words stand in the language of questions."""
    question = bare(70, "full", tuning={"zero_stage": 3, "offload_cpu": True})
    assert ask(question).need.total_gb == pytest.approx(70 * (2 + 2) + 0.15 * 70 * 16)


def test_offload_off_is_how_it_is_anyway():
    assert ask(bare(7, tuning={"offload_cpu": False})).need == ask(bare(7)).need


def test_shards_are_of_tuning_and_tensor_parallel_of_serving():
    assert refused(bare(7, options=EngineOptions(shards=2))).given == "shards=2"
    assert refused(bare(7, "lora", options=EngineOptions(tensor_parallel=2))).given == "tp=2"
    assert refused(bare(7, engine="llama.cpp", options=EngineOptions(tensor_parallel=2))).given == "tp=2"


@pytest.mark.parametrize(
    "load", [{"context_tokens": 102_400}, {"users": 20}, {"batch": 4}, {"kv_format": "fp8"}], ids=str
)
def test_a_diffusion_model_has_no_load_of_tokens(load):
    flux = next(shape.id for shape in all_shapes() if shape.kind == "diffusion")
    with pytest.raises(NotModelled) as caught:
        ask(Question(model=flux, **load))
    assert caught.value.allowed


def test_refusals_of_a_diffusion_model_say_what_to_do():
    flux = next(shape.id for shape in all_shapes() if shape.kind == "diffusion")
    for question in (Question(model=flux, workload="lora"), Question(model=flux, engine="ollama")):
        with pytest.raises(NotModelled) as caught:
            ask(question)
        assert caught.value.allowed


def test_nothing_said_is_nothing_refused():
    assert ask(bare(7, tuning=Tuning().model_dump())).need.total_gb > 0

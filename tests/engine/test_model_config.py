"""Configurations as Shapes: real files from the hub, and fields of published files for families without one here."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import models
from engine.errors import EngineError, ImpossibleValue, NotModelled
from engine.model_config import shape_from_config, shape_from_fields
from engine.shape import Shape

DATA = Path(__file__).parents[1] / "data"
FILES = sorted((DATA / "configs").glob("*.json"))
UNKNOWN = {
    "deepseek-ai--DeepSeek-V4-Flash": "DeepseekV4ForCausalLM",
    "stepfun-ai--Step-3.7-Flash": "Step3p7FlashForCausalLM",
}
BY_FIELD = json.loads((DATA / "configs_by_field.json").read_text(encoding="utf-8"))

MEMORY_FIELDS = (
    "kv_values_per_token",
    "kv_window_values_per_token",
    "kv_all_layers_values_per_token",
    "recurrent_state_bytes_per_seq",
    "indexer_bytes_per_token",
    "sliding_window",
    "attention",
    "tie_word_embeddings",
    "num_experts",
    "experts_per_token",
)


def agree(read: Shape, known: Shape) -> None:
    assert read.params_total == pytest.approx(known.params_total, rel=0.01)
    assert read.params_active == pytest.approx(known.params_active, rel=0.02)
    assert read.expert_params == known.expert_params
    for field in MEMORY_FIELDS:
        assert getattr(read, field) == getattr(known, field), field


@pytest.mark.parametrize("path", [path for path in FILES if path.stem not in UNKNOWN], ids=lambda path: path.stem)
def test_a_real_file_is_the_registrys_shape(path: Path):
    config = json.loads(path.read_text(encoding="utf-8"))
    known = models.find(path.stem.replace("--", "/", 1)).shapes
    assert len(known) == 1
    read = shape_from_config(config, path.stem)
    agree(read, known[0])
    assert read.max_position_embeddings == known[0].max_position_embeddings
    if not path.stem.endswith("-FP8"):
        assert (read.native_format, read.native_expert_bits) == (known[0].native_format, known[0].native_expert_bits)


@pytest.mark.parametrize("model", BY_FIELD)
def test_fields_of_a_family_are_the_registrys_shape(model: str):
    agree(shape_from_config(BY_FIELD[model], model), models.shape(model))


@pytest.mark.parametrize(("stem", "architecture"), UNKNOWN.items())
def test_an_unknown_architecture_is_refused_by_name(stem: str, architecture: str):
    config = json.loads((DATA / "configs" / f"{stem}.json").read_text(encoding="utf-8"))
    with pytest.raises(NotModelled) as refused:
        shape_from_config(config, stem)
    assert refused.value.given == architecture


def test_an_unknown_kind_of_layer_is_refused_by_name():
    config = BY_FIELD["olmo-3-7b"] | {"layer_types": ["full_attention", "telepathy"]}
    with pytest.raises(NotModelled, match="telepathy"):
        shape_from_config(config, "odd")


def test_a_missing_field_is_named():
    config = {key: value for key, value in BY_FIELD["qwen2.5-7b"].items() if key != "vocab_size"}
    with pytest.raises(ImpossibleValue) as refused:
        shape_from_config(config, "odd")
    assert refused.value.given == "vocab_size"


@pytest.mark.parametrize("value", [-1, 1e99, "many", [], True, 3.5, float("nan"), float("inf")])
def test_a_field_that_is_no_count_is_refused(value: object):
    with pytest.raises(EngineError):
        shape_from_config(BY_FIELD["qwen2.5-7b"] | {"hidden_size": value}, "odd")


LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
}
MIXTURE = LLAMA | {"num_local_experts": 8, "num_experts_per_tok": 2}


@pytest.mark.parametrize(
    ("config", "changed", "named"),
    [
        (LLAMA, {"num_attention_heads": 0}, "num_attention_heads=0"),
        (LLAMA, {"num_key_value_heads": 0}, "num_key_value_heads=0"),
        (LLAMA, {"num_key_value_heads": 5}, "num_key_value_heads=5"),
        (LLAMA, {"num_key_value_heads": 64}, "num_key_value_heads=64"),
        (LLAMA, {"head_dim": 0}, "head_dim=0"),
        (LLAMA, {"num_attention_heads": 24}, "num_attention_heads=24"),  # 4096 / 24 = 170.67
        (LLAMA, {"vocab_size": 0}, "vocab_size=0"),
        (LLAMA, {"hidden_size": 0}, "hidden_size=0"),
        (LLAMA, {"intermediate_size": 0}, "intermediate_size"),
        (LLAMA, {"intermediate_size": None}, "intermediate_size"),
        (LLAMA, {"layer_types": ["full_attention"] * 3}, "num_hidden_layers=32"),
        (MIXTURE, {"num_experts_per_tok": 9}, "num_experts_per_tok=9"),
        (MIXTURE, {"num_experts_per_tok": 0}, "num_experts_per_tok=0"),
    ],
)
def test_counts_that_no_model_has_are_refused_by_name(
    config: dict[str, object], changed: dict[str, object], named: str
):
    shape_from_config(config, "right")
    with pytest.raises(ImpossibleValue) as refused:
        shape_from_config(config | changed, "wrong")
    assert refused.value.given == named


def test_a_quantisation_that_is_not_known_is_refused_by_name():
    with pytest.raises(NotModelled) as refused:
        shape_from_config(LLAMA | {"quantization_config": {"quant_method": "telepathy"}}, "odd")
    assert refused.value.given == "quant_method=telepathy"


def test_a_width_that_a_family_leaves_out_is_four_times_hidden_size():
    gpt2 = {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "vocab_size": 50257, "n_inner": None}
    assert shape_from_config(gpt2, "gpt2").intermediate_size == 3072


@given(
    st.sampled_from(sorted(BY_FIELD)),
    st.dictionaries(
        st.sampled_from(
            ["num_hidden_layers", "num_attention_heads", "layer_types", "vision_config", "ffn_config", "model_type"]
        ),
        st.sampled_from([None, 0, -1, 7, 10**12, 0.5, "", "M*E", "odd", [], [1, 2], {}, {"depth": "x"}, True]),
        max_size=3,
    ),
)
def test_a_broken_file_is_refused_not_a_crash(model: str, broken: dict[str, object]):
    try:
        shape = shape_from_config(BY_FIELD[model] | broken, "odd")
    except EngineError:
        return
    assert shape.params_total > 0


@pytest.mark.parametrize(
    ("quantised", "native"),
    [
        ({"quant_method": "awq", "bits": 4}, "awq"),
        ({"quant_method": "gptq", "bits": 4}, "gptq"),
        ({"quant_method": "fp8"}, "fp8"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "nf4"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        (None, "bf16"),
    ],
)
def test_the_released_format_is_read(quantised: object, native: str):
    config = BY_FIELD["qwen2.5-7b"] | {"torch_dtype": "bfloat16", "quantization_config": quantised}
    assert shape_from_config(config, "q").native_format == native


def test_pasted_fields():
    shape = shape_from_fields(
        {"layers": 80, "kv": 8, "hd": 128, "params": 70, "hidden": 8192, "heads": 64, "vocab": 128_256}
    )
    assert shape.params_total == 70 * 10**9
    assert shape.kv_values_per_token * 2 == 320 * 1024
    assert shape.embedding_params == 2 * 128_256 * 8192
    assert shape_from_fields({"layers": 80, "kv": 8, "hd": 128, "params": 70e9}).params_total == 70 * 10**9


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"layers": 80, "kv": 8, "hd": 128},
        {"layers": 0, "kv": 8, "hd": 128, "params": 70},
        {"layers": -80, "kv": 8, "hd": 128, "params": 70},
        {"layers": 80, "kv": 8, "hd": 128, "params": 1e99},
        {"layers": 80, "kv": 8, "hd": 128, "params": 70, "colour": 3},
        {"layers": 80, "kv": float("nan"), "hd": 128, "params": 70},
    ],
)
def test_impossible_fields_are_refused(fields: dict[str, float]):
    with pytest.raises(ImpossibleValue):
        shape_from_fields(fields)

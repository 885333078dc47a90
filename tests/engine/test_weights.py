"""Bytes of weights: the guide's figures, arithmetic by hand, and files and loads that were measured."""

from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import models
from engine.formats import weight_format, weight_words
from engine.weights import active_weight_bytes, weight_bytes
from tests.measured_weights import REASONS, all_rows, compared

ALL_FORMATS = sorted(set(weight_words().values()))


def real_gb(model: str, fmt: str) -> float:
    return weight_bytes(models.shape(model), weight_format(fmt), guide=False) / 10**9


@pytest.mark.parametrize(
    ("fmt", "gb"), [("fp32", 280), ("bf16", 140), ("fp16", 140), ("fp8", 70), ("int8", 70), ("int4", 35), ("nf4", 35)]
)
def test_bare_sizes_keep_the_guides_bytes(fmt: str, gb: float):
    assert weight_bytes(models.bare(70), weight_format(fmt), guide=True) == gb * 10**9


def test_linear_layers_in_the_format_and_the_rest_in_16_bit():
    # llama-3.1-8b: 2 x 128256 x 4096 = 1,050,673,152 weights of embeddings and head, 6,979,588,096 others
    others, linear = 1_050_673_152, 8_030_261_248 - 1_050_673_152
    for name, bits in (("awq", 4.15625), ("fp8", 8.04), ("nf4-dq", 4.13), ("gptq-g32", 4.625)):
        assert real_gb("llama-3.1-8b", name) == pytest.approx((linear * bits / 8 + 2 * others) / 10**9, rel=1e-12)


def test_a_tied_head_is_counted_once_and_twice_only_when_stored_so():
    shape = models.shape("llama-3.2-1b")
    once = weight_bytes(shape, weight_format("fp8"), guide=False)
    twice = weight_bytes(shape, weight_format("fp8"), guide=False, head_twice=True)
    assert twice - once == 128_256 * 2048 * 2
    untied = models.shape("llama-3.1-8b")
    assert weight_bytes(untied, weight_format("fp8"), guide=False, head_twice=True) == weight_bytes(
        untied, weight_format("fp8"), guide=False
    )


def test_mxfp4_holds_experts_alone():
    # 36 layers x 128 experts x 3 x 2880 x 2880 at 4.25 bits, all else at 16; the repository is about 65 GB
    experts = 36 * 128 * 3 * 2880 * 2880
    assert real_gb("gpt-oss-120b", "mxfp4") == pytest.approx(
        (experts * 4.25 + (116_829_156_672 - experts) * 16) / 8 / 10**9
    )
    assert real_gb("gpt-oss-120b", "mxfp4") == pytest.approx(65, abs=0.5)
    assert real_gb("gpt-oss-120b", "bf16") == pytest.approx(234, abs=0.5)


def test_kimi_k2_thinking_as_released():
    assert real_gb("kimi-k2-thinking", "int4") == pytest.approx(594, abs=1)  # size of its repository


def test_llama_3_1_70b_q4_k_m_is_no_35_gb():
    assert real_gb("llama-3.1-70b", "q4_k_m") == pytest.approx(42.52, rel=0.01)  # size of its file


def test_odd_widths_take_larger_types():
    # files of 5.22 and 5.28 bits a weight
    for model, bits in (("qwen2.5-72b", 5.22), ("deepseek-v2-lite", 5.28)):
        shape = models.shape(model)
        assert weight_bytes(shape, weight_format("q4_k_m"), guide=False) * 8 / shape.params_total == pytest.approx(
            bits, rel=0.01
        )


def test_diffusion_is_the_sum_of_its_parts():
    # UNet, two text encoders, VAE
    parts = 2_567_463_684 + 123_060_480 + 694_659_840 + 83_653_863
    assert weight_bytes(models.shape("sdxl"), weight_format("fp16"), guide=False) == 2 * parts
    assert weight_bytes(models.shape("sdxl"), weight_format("fp8"), guide=False) == pytest.approx(parts * 8.04 / 8)


def test_a_mixture_reads_its_active_part():
    mixtral = models.shape("mixtral-8x7b")
    assert active_weight_bytes(mixtral, weight_format("bf16"), guide=False) == 2 * 12_879_925_248
    assert active_weight_bytes(mixtral, weight_format("fp8"), guide=True) == 12_879_925_248
    dense = models.shape("llama-3.1-8b")
    assert active_weight_bytes(dense, weight_format("awq"), guide=False) == weight_bytes(
        dense, weight_format("awq"), guide=False
    )


def test_a_vision_tower_stays_in_16_bit():
    shape = models.shape("qwen2.5-vl-7b")
    quantised = weight_bytes(shape, weight_format("q8_0"), guide=False)
    assert quantised == pytest.approx((8_292_166_656 - 676_550_144) * 8.5 / 8 + 2 * 676_550_144)


def test_measured_weights_and_files():
    rows = list(compared())
    assert len(rows) == 59
    assert median(abs(row.error) for row in rows) < 0.02
    for kind in ("weights", "file_size"):
        assert median(abs(row.error) for row in rows if row.kind == kind and not row.is_upper_bound) < 0.02
    assert [row.id for row in rows if abs(row.error) > 0.10 and row.id not in REASONS] == []
    assert [row.id for row in rows if abs(row.error) <= 0.10 and row.id in REASONS] == []


def test_ours_stay_below_what_torch_had_reserved():
    bounds = [row for row in compared() if row.is_upper_bound]
    assert len(bounds) == 20
    assert [row.id for row in bounds if row.our_gb > row.measured_gb] == []


def test_rows_are_left_out_for_a_written_reason():
    left_out = [row for row in all_rows() if row["left_out"]]
    assert len(left_out) == len(all_rows()) - 59


def test_files_are_within_2_percent():
    assert [row.id for row in compared() if row.kind == "file_size" and abs(row.error) > 0.02] == []


@given(st.sampled_from(models.all_shapes()), st.sampled_from(ALL_FORMATS))
def test_every_model_in_every_format_is_finite_and_its_active_part_no_more(shape: models.Shape, fmt: str):
    resident = weight_bytes(shape, weight_format(fmt), guide=False)
    assert shape.params_total / 8 < resident <= shape.params_total * 4
    assert 0 < active_weight_bytes(shape, weight_format(fmt), guide=False) <= resident


@given(st.sampled_from(models.all_shapes()))
def test_fewer_bits_never_need_more(shape: models.Shape):
    sizes = [weight_bytes(shape, weight_format(name), guide=False) for name in ("fp32", "bf16", "int8", "fp8", "awq")]
    assert sizes == sorted(sizes, reverse=True) or shape.native_expert_bits
    ggufs = [weight_bytes(shape, weight_format(name), guide=False) for name in ("q8_0", "q6_k", "q5_k_m", "q3_k_m")]
    assert ggufs == sorted(ggufs, reverse=True)

"""Bytes of the KV cache: figures of the guide, of the models' makers, and logged by llama.cpp, vLLM and SGLang."""

import csv
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import models
from engine.kv_cache import kv_bytes, kv_bytes_all_layers, kv_bytes_llama_cpp, kv_bytes_per_token
from engine.shape import Shape
from engine.units import GIB, MIB

DATA = Path(__file__).parents[1] / "data"
GUIDE = Path(__file__).parents[1] / "guide"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("row", rows(GUIDE / "kv.csv"), ids=lambda row: row["size"])
def test_the_guides_table(row: dict[str, str]):
    shape = models.bare(float(row["size"].removesuffix("B")))
    shown = {
        "mb_per_token": Decimal(kv_bytes_per_token(shape, 16)) / 10**6,
        "gb_8k": Decimal(kv_bytes(shape, 8192, 1, 16)) / 10**9,
        "gb_32k": Decimal(kv_bytes(shape, 32_768, 1, 16)) / 10**9,
        "gb_128k": Decimal(kv_bytes(shape, 131_072, 1, 16)) / 10**9,
    }
    for column, value in shown.items():
        expected = Decimal(row[column])
        assert value.quantize(expected, ROUND_HALF_UP) == expected, column


def logged() -> list[dict[str, str]]:
    return [row for row in rows(DATA / "measured_kv.csv") if not row["left_out"]]


@pytest.mark.parametrize("row", logged(), ids=lambda row: row["id"])
def test_logged_caches_to_the_printed_precision(row: dict[str, str]):
    shape, tokens = models.shape(row["model_id"]), int(row["tokens"])
    reckon = kv_bytes_all_layers if row["layers"] == "all" else kv_bytes
    # keys and values are half of the cache each, and may be stored in different formats
    both = (reckon(shape, tokens, 1, float(row[bits])) for bits in ("key_bits", "value_bits"))
    per_gpu = Decimal(sum(both)) / 2 / int(row["gpus"])
    printed = Decimal(row["value"])
    exact = per_gpu / (MIB if row["unit"] == "MiB" else GIB)
    least_digit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
    assert abs(exact - printed) <= least_digit, f"{row['id']}: {exact} {row['unit']}"


@pytest.mark.parametrize(
    ("model", "bytes_a_token"),
    [
        ("llama-2-7b", 512 * 1024),
        ("llama-3.1-8b", 131_072),
        ("llama-3.1-70b", 320 * 1024),
        ("llama-3.1-405b", 504 * 1024),
        ("qwen2.5-7b", 56 * 1024),
        ("deepseek-v3", 70_272),  # 61 layers x (512 + 64) x 2 B
        ("deepseek-v2-lite", 31_104),
        ("deepseek-v3.2", 70_272 + 61 * 132),  # and one indexer key a layer
        ("gemma-3-27b", 80 * 1024),
        ("gemma-4-31b", 10 * 4 * 512 * 2 * 2),
        ("qwen3-next-80b-a3b", 24 * 1024),
        ("hunyuan-large-389b", 81_920),  # 64 layers share 32 caches
        ("llama-3.2-11b-vision", 131_072),  # 32 of 40 layers
        ("mistral-7b-v0.1", 0),
    ],
)
def test_bytes_a_token_at_16_bit(model: str, bytes_a_token: int):
    assert kv_bytes_per_token(models.shape(model), 16) == bytes_a_token


def test_equal_sizes_with_other_kv_heads_differ():
    assert kv_bytes(models.shape("llama-2-7b"), 8192, 1, 16) == 4 * kv_bytes(models.shape("mistral-7b"), 8192, 1, 16)


def test_head_width_is_the_models_own_and_not_hidden_over_heads():
    qwen = models.shape("qwen3-4b")  # 2560 / 32 = 80, published 128
    assert qwen.head_dim == 128
    assert kv_bytes_per_token(qwen, 16) == 2 * 36 * 8 * 128 * 2


def test_a_million_tokens_of_llama_3_8b():
    assert kv_bytes(models.shape("llama-3-8b"), 1_048_576, 1, 16) == 137_438_953_472


def test_a_window_is_paid_once():
    gemma = models.shape("gemma-3-27b")
    assert kv_bytes(gemma, 32_768, 1, 16) == 81_920 * 32_768 + 425_984 * 1024
    assert kv_bytes(gemma, 512, 1, 16) == (81_920 + 425_984) * 512
    assert kv_bytes_all_layers(gemma, 32_768, 1, 16) == 507_904 * 32_768


def test_unequal_widths_of_keys_and_values():
    # MiMo-V2-Flash: 9 full layers of 4 heads, 39 windowed ones (128 tokens) of 8, keys 192 and values 128 wide
    mimo = models.shape("mimo-v2-flash")
    assert kv_bytes(mimo, 10_000, 1, 16) == 9 * 4 * 320 * 2 * 10_000 + 39 * 8 * 320 * 2 * 128


def test_the_state_of_a_hybrid_does_not_shrink_with_the_format():
    hybrid = models.shape("qwen3-next-80b-a3b")
    at_16, at_8 = (kv_bytes(hybrid, 1000, 4, bits) for bits in (16, 8))
    assert at_16 - at_8 == 4 * 1000 * 24 * 1024 // 2
    assert kv_bytes(hybrid, 0, 4, 16) == 4 * 77_266_944


@pytest.mark.parametrize(("bits", "bytes_of_32"), [(16, 64), (8, 32), (8.5, 34), (6, 24), (4.5, 18)])
def test_formats_count_their_block_scales(bits: float, bytes_of_32: int):
    # 2 x 32 layers x 8 heads x 128 = 65,536 values a token = 2,048 blocks of 32
    assert kv_bytes(models.shape("llama-3.1-8b"), 1, 1, bits) == 2048 * bytes_of_32


def test_llama_cpp_pads_windows():
    gemma = models.shape("gemma-3-1b")  # window 512
    assert kv_bytes_llama_cpp(gemma, 32_768, 1, 1024, 16) == 4096 * 32_768 + 22_528 * 1536
    assert kv_bytes_llama_cpp(gemma, 32_768, 4, 512, 16) == 4096 * 32_768 + 22_528 * 2560
    assert kv_bytes_llama_cpp(gemma, 1000, 1, 1024, 16) == 4096 * 1000 + 22_528 * 1024
    plain = models.shape("llama-3.1-8b")
    assert kv_bytes_llama_cpp(plain, 8192, 4, 512, 16) == 131_072 * 8192


any_shape = st.sampled_from([shape for shape in models.all_shapes() if shape.kind != "diffusion"])
any_bits = st.sampled_from([16.0, 8.0, 8.5, 6.0, 4.5])
any_context = st.integers(min_value=1, max_value=1 << 20)


@given(any_shape, any_context, any_context, any_bits)
def test_more_context_never_needs_less(shape: Shape, one: int, other: int, bits: float):
    shorter, longer = sorted((one, other))
    for reckon in (kv_bytes, kv_bytes_all_layers):
        assert reckon(shape, shorter, 1, bits) <= reckon(shape, longer, 1, bits)


@given(any_shape, any_context, st.integers(min_value=1, max_value=64), any_bits)
def test_twice_the_sequences_double_it(shape: Shape, context: int, sequences: int, bits: float):
    once, twice = (kv_bytes(shape, context, count, bits) for count in (sequences, 2 * sequences))
    assert 0 <= 2 * once - twice <= 1  # rounding up to a whole byte


@given(any_shape, any_context, st.tuples(any_bits, any_bits))
def test_fewer_bits_never_need_more(shape: Shape, context: int, bits: tuple[float, float]):
    fewer, more = sorted(bits)
    assert kv_bytes(shape, context, 1, fewer) <= kv_bytes(shape, context, 1, more)


@given(any_shape, any_context, any_bits)
def test_windows_never_need_more_than_all_layers(shape: Shape, context: int, bits: float):
    assert kv_bytes(shape, context, 3, bits) <= kv_bytes_all_layers(shape, context, 3, bits)

"""Parameters counted from every shape, against totals that an independent formula and the published files gave."""

import csv
from pathlib import Path

import pytest

from engine import models
from engine.kv_cache import recurrent_state_bytes
from engine.parameters import counted_active_params, counted_params

DATA = Path(__file__).parents[1] / "data"

TOWERS_NOT_COUNTED = {
    "gemma-3n-e4b": "close_or_tower_not_counted: audio and vision towers, about 1 B, are in the total alone",
    "gemma-3n-e2b": "close_or_tower_not_counted: audio and vision towers, about 1 B, are in the total alone",
    "gemma-4-e4b": "close_or_tower_not_counted: towers and unused K and V of layers that borrow theirs",
    "gemma-4-e2b": "close_or_tower_not_counted: towers and unused K and V of layers that borrow theirs",
}
"""Rows whose stated total holds what the shape does not describe; models.csv marks them so in `verify`."""


def totals() -> list[dict[str, str]]:
    with (DATA / "model_totals.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("row", totals(), ids=lambda row: row["id"])
def test_the_count_agrees_with_the_total_within_1_percent(row: dict[str, str]):
    shape = models.shape(row["id"])
    assert shape.params_total == int(row["params_total"])
    if shape.kind == "diffusion":
        assert sum(count for _, count in shape.components) == int(row["params_total"])
        return
    counted = counted_params(shape)
    assert counted == pytest.approx(int(row["params_computed"]), rel=0.01)
    if row["id"] in TOWERS_NOT_COUNTED:
        assert row["verify"] == TOWERS_NOT_COUNTED[row["id"]].split(":")[0]
        assert counted < int(row["params_total"])
    else:
        assert counted == pytest.approx(int(row["params_total"]), rel=0.01)


@pytest.mark.parametrize(
    "shape", [shape for shape in models.all_shapes() if shape.is_mixture], ids=lambda shape: shape.id
)
def test_active_parameters_follow_from_the_experts(shape: models.Shape):
    assert counted_active_params(shape) == pytest.approx(shape.params_active, rel=0.05)
    assert 0 < shape.expert_params < shape.params_total


def test_the_state_of_linear_layers_follows_from_their_heads():
    shapes = models.all_shapes()
    for shape in shapes:
        assert recurrent_state_bytes(shape) == shape.recurrent_state_bytes_per_seq, shape.id
    assert sum(shape.recurrent_state_bytes_per_seq > 0 for shape in shapes) == 26


def test_llama_by_hand():
    # 32 layers x (q and o 2 x 4096^2, k and v 2 x 4096 x 1024, three 4096 x 14336) + 2 x 128256 x 4096
    per_layer = 2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14_336
    assert counted_params(models.shape("llama-3.1-8b")) == 32 * per_layer + 2 * 128_256 * 4096


def test_latent_attention_by_hand():
    # DeepSeek-V2-Lite, one layer: q 2048 x 16 x 192, down 2048 x 576, up 512 x 16 x (128 + 128), out 16 x 128 x 2048
    attention = 2048 * 16 * 192 + 2048 * 576 + 512 * 16 * 256 + 16 * 128 * 2048
    dense = 3 * 2048 * 10_944
    experts = 66 * 3 * 2048 * 1408 + 64 * 2048
    assert counted_params(models.shape("deepseek-v2-lite")) == (
        27 * attention + dense + 26 * experts + 2 * 102_400 * 2048
    )

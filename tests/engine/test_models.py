"""The registry, its bare sizes and its speed-up, the packaged index of names."""

import csv
from pathlib import Path

import pytest

from engine import models, name_index
from engine.errors import CatalogError, ImpossibleValue
from engine.formats import weight_words
from engine.registry import shape_of_row
from engine.tables import DATA

TESTS = Path(__file__).parents[1]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_row_is_a_shape_with_a_source():
    shapes = models.all_shapes()
    assert len(shapes) == 249
    assert len({shape.id for shape in shapes}) == 249
    for shape in shapes:
        assert shape.source, shape.id
        assert 0 < shape.params_active <= shape.params_total, shape.id
        assert shape.native_format in weight_words(), shape.id


def test_every_row_with_attention_has_a_cache_and_a_window_where_layers_slide():
    for shape in models.all_shapes():
        if shape.kind == "diffusion":
            assert sum(count for _, count in shape.components) == shape.params_total, shape.id
            continue
        assert shape.kv_values_per_token + shape.kv_window_values_per_token > 0, shape.id
        assert bool(shape.sliding_window) == bool(shape.sliding_layers), shape.id
        assert shape.max_position_embeddings, shape.id


@pytest.mark.parametrize("row", rows(TESTS / "guide" / "shapes.csv"), ids=lambda row: row["size"])
def test_typical_sizes_have_the_guides_geometry(row: dict[str, str]):
    shape = models.bare(float(row["params_b"]))
    assert shape.params_total == int(row["params_b"]) * 10**9 == shape.params_active
    assert shape.num_hidden_layers == int(row["layers"])
    assert shape.hidden_size == int(row["hidden"])
    assert shape.num_attention_heads == int(row["heads"])
    assert shape.vocab_size == int(row["vocab"])
    assert shape.kv_values_per_token == 2 * int(row["layers"]) * int(row["kv_width"])
    assert not shape.tie_word_embeddings
    assert (shape.id, shape.name) == (row["size"].lower(), row["size"])
    assert row["size"] in shape.source


@pytest.mark.parametrize("row", rows(TESTS / "guide" / "bare_sizes.csv"), ids=lambda row: row["size_b"])
def test_other_sizes_have_the_geometry_that_their_row_names(row: dict[str, str]):
    shape = models.bare(float(row["size_b"]))
    assert row["shape"].removeprefix("guide ") in shape.source
    assert shape.params_total == round(float(row["size_b"]) * 10**9)
    assert shape.max_position_embeddings is None
    assert shape.native_format == "bf16"


@pytest.mark.parametrize(
    ("params_b", "whose", "name"),
    [
        (6.7, "7B", "6.7B"),
        (9.7, "llama-3.1-8b", "9.7B"),  # 9.7/8 = 1.2125, 12/9.7 = 1.237
        (9.9, "mistral-nemo-12b", "9.9B"),  # 9.9/8 = 1.2375, 12/9.9 = 1.212
        (65, "70B", "65B"),
        (176, "mistral-large-2-123b", "176B"),
        (1000, "405B", "1000B"),
    ],
)
def test_a_size_takes_the_row_nearest_in_ratio(params_b: float, whose: str, name: str):
    shape = models.bare(params_b)
    assert whose in shape.source
    assert shape.name == name
    assert shape.params_total == round(params_b * 10**9)


@pytest.mark.parametrize("params_b", [0.0, -7.0, 0.01, 8061.0, 1e99, float("nan"), float("inf")])
def test_a_size_of_no_model_is_refused(params_b: float):
    with pytest.raises(ImpossibleValue):
        models.bare(params_b)


def test_the_packaged_index_is_that_of_the_tables():
    packaged = rows(DATA / "model_names.csv")
    made = [dict(zip(("key", "part", "ids"), row, strict=True)) for row in name_index.index_rows()]
    assert packaged == made


def test_a_bad_row_is_refused_with_its_place():
    row = rows(DATA / "models.csv")[0] | {"num_hidden_layers": "many"}
    with pytest.raises(CatalogError) as refused:
        shape_of_row(row, "models.csv:2")
    assert refused.value.given == "models.csv:2"
    assert "num_hidden_layers" in refused.value.reason


def test_an_unknown_structure_key_is_refused():
    row = rows(DATA / "models.csv")[0] | {"structure": "heads_of_lettuce=3"}
    with pytest.raises(CatalogError, match=r"models\.csv:2"):
        shape_of_row(row, "models.csv:2")


def test_variants_differ_in_context_alone():
    base, variant = models.shape("qwen3-30b-a3b"), models.shape("qwen3-30b-a3b-2507")
    assert (base.max_position_embeddings, variant.max_position_embeddings) == (40_960, 262_144)
    assert variant.params_total == base.params_total == 30_532_122_624


def test_phi_3_mini_128k_has_no_window():
    shape = models.shape("phi-3-mini-128k")
    assert shape.kv_values_per_token * 2 == 393_216
    assert shape.sliding_window == 0
    assert models.shape("phi-3-mini").kv_values_per_token == 0


def test_an_unknown_id_is_a_key_error():
    with pytest.raises(KeyError):
        models.shape("llama-9-900b")


def test_search_takes_words_in_any_order():
    assert [shape.id for shape in models.search("70b llama 3.1")] == ["llama-3.1-70b"] + [
        shape.id for shape in models.search("70b nemotron")
    ]
    assert len(models.search("")) == 249
    assert models.search("no-such-model") == ()


def test_names_hold_ids_and_aliases_once():
    names = models.names()
    assert {"llama-3.1-70b", "llama3.1:70b", "mixtral", "kimi k2"} <= set(names)
    assert len(names) == len(set(names))

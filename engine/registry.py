"""One row of data/models.csv as a Shape."""

from collections.abc import Mapping
from typing import Final

from engine.shape import LinearMixer, Shape, Structure
from engine.tables import checked

_AS_THEY_STAND: Final = [
    "id",
    "kind",
    "params_total",
    "num_hidden_layers",
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "intermediate_size",
    "vocab_size",
    "tie_word_embeddings",
    "max_position_embeddings",
    "attention",
    "kv_lora_rank",
    "qk_rope_head_dim",
    "sliding_window",
    "sliding_layers",
    "full_attention_layers",
    "linear_layers",
    "recurrent_state_bytes_per_seq",
    "num_experts",
    "experts_per_token",
    "shared_experts",
    "moe_intermediate_size",
    "first_dense_layers",
    "vision_params",
    "hf_repo",
    "license",
    "release",
    "verify",
    "confidence",
    "source",
    "notes",
]

_NATIVE_FORMATS: Final = {"fp4": "mxfp4"}
"""Releases in four-bit floats are counted as MXFP4, whose block scales they share."""

_MAKERS: Final = ("Meta-", "NVIDIA-", "c4ai-", "AI21-", "Tencent-")
_TUNED_AS: Final = ("-hf", "-HF", "-BF16", "-Instruct", "-it", "-Chat", "-chat", "-instruct")

_16_BIT_BYTES: Final = 2


def shape_of_row(row: Mapping[str, str], place: str) -> Shape:
    """The shape of a row; an empty cell leaves the field at its default.

    Raises:
        CatalogError: a cell is missing or not what its column holds; names the place.
    """
    cells: dict[str, object] = {key: row[key] for key in _AS_THEY_STAND if row[key]}
    cells |= {
        "name": _display_name(row),
        "params_active": row["params_active"] or row["params_total"],
        "attention": row["attention"] or "none",
        "native_format": _NATIVE_FORMATS.get(row["native_dtype"], row["native_dtype"]),
        "components": _components(row["components"]),
        **_kv_values(row),
        **_experts(row),
        **_structure(row["structure"], place),
    }
    return checked(Shape, cells, place)


def variant_of(base: Shape, row: Mapping[str, str], place: str) -> Shape:
    """The shape of a row of model_variants.csv: its base with another native context, or without its window."""
    changes: dict[str, object] = {
        "id": row["id"],
        "name": row["aliases"].partition(";")[0],
        "max_position_embeddings": row["max_position_embeddings"],
        "source": f"{base.source}; {row['source']}",
    }
    if row["sliding_window"] == "0":
        changes |= {
            "sliding_window": 0,
            "sliding_layers": 0,
            "full_attention_layers": base.full_attention_layers + base.sliding_layers,
            "kv_values_per_token": base.kv_all_layers_values_per_token,
            "kv_window_values_per_token": 0,
        }
    return checked(Shape, base.model_dump() | changes, place)


def _display_name(row: Mapping[str, str]) -> str:
    """The repository's name without its maker and without how it was tuned or packed."""
    name = row["hf_repo"].rpartition("/")[2]
    for prefix in _MAKERS:
        name = name.removeprefix(prefix)
    for suffix in _TUNED_AS:
        name = name.removesuffix(suffix)
    return name.replace("-Instruct-", "-")


def _kv_values(row: Mapping[str, str]) -> dict[str, int]:
    """Cache values a token; the table gives bytes at 16 bit."""
    growing, window, every_layer = (
        int(row[key] or 0) // _16_BIT_BYTES
        for key in (
            "kv_bytes_per_token_16bit",
            "kv_sliding_bytes_per_token_16bit",
            "kv_bytes_per_token_all_layers_16bit",
        )
    )
    return {
        "kv_values_per_token": growing,
        "kv_window_values_per_token": window,
        "kv_all_layers_values_per_token": every_layer or growing,
    }


def _experts(row: Mapping[str, str]) -> dict[str, object]:
    """Layers with experts: all after the dense ones."""
    if not row["num_experts"]:
        return {}
    return {"moe_layers": int(row["num_hidden_layers"]) - int(row["first_dense_layers"] or 0)}


def _structure(cell: str, place: str) -> dict[str, object]:
    """Fields of the shape, of its structure and of its linear layers (`linear.heads`), from `key=value; ...`."""
    of_shape: dict[str, object] = {}
    of_structure: dict[str, object] = {}
    of_linear: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in cell.split(";"))):
        key, _, value = part.partition("=")
        if key.startswith("linear."):
            of_linear[key.removeprefix("linear.")] = value
        elif key in Structure.model_fields:
            of_structure[key] = value
        else:
            of_shape[key] = value
    if of_linear:
        of_structure["linear"] = checked(LinearMixer, of_linear, place)
    return {**of_shape, "structure": checked(Structure, of_structure, place)} if cell else {}


def _components(cell: str) -> tuple[tuple[str, str], ...]:
    parts = [part.strip().partition("=") for part in cell.split(";") if part.strip()]
    return tuple((name, count) for name, _, count in parts)

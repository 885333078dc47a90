"""The shape of a bare size (`13b`): the geometry of the nearest typical size, with the parameters as typed."""

from collections.abc import Callable
from functools import cache
from math import log
from typing import Final

from engine.errors import ImpossibleValue
from engine.shape import Shape
from engine.tables import packaged_rows

LEAST_B: Final = 0.05
MOST_B: Final = 5000.0
"""Billions of parameters that a bare size may have: outside it is a slip or a hash, no model."""


def shape_of_size(params_b: float, registry: Callable[[str], Shape]) -> Shape:
    """The shape of a bare size.

    Args:
        params_b: billions of parameters as typed, 0.05 to 5,000.
        registry: the shape of a registry id.

    Returns:
        The geometry of the row of bare_sizes.csv nearest in ratio; `params_total` as typed, all active. `source` says
        whose geometry it is.

    Raises:
        ImpossibleValue: no model is of such a size.

    Source: sizing guide, shapes and bare sizes.

    >>> from engine.models import shape
    >>> shape_of_size(13, shape).num_key_value_heads
    40
    """
    if not LEAST_B <= params_b <= MOST_B:
        raise ImpossibleValue(
            f"{params_b:g}b", allowed="a size from 0.05b to 5000b", reason="no language model is of that size"
        )
    row = min(_sizes(), key=lambda size: abs(log(params_b / size[0])))[1]
    geometry = _guide_shape(row.removeprefix("guide ")) if row.startswith("guide ") else _of_no_model(registry(row))
    count = round(params_b * 1e9)
    size = f"{params_b:g}"
    return geometry.model_copy(
        update={"id": f"{size}b", "name": f"{size}B", "params_total": count, "params_active": count}
    )


def typical_sizes_b() -> tuple[float, ...]:
    """Billions of parameters of the typical sizes, smallest first."""
    return tuple(size for size, _ in _sizes())


@cache
def _sizes() -> tuple[tuple[float, str], ...]:
    return tuple((float(row["size_b"]), row["shape"]) for _, row in packaged_rows("bare_sizes.csv"))


def _of_no_model(known: Shape) -> Shape:
    """The geometry of a model without what only that model has."""
    return known.model_copy(update={"source": f"geometry of {known.id}", **_NOT_OF_A_SIZE})


_NOT_OF_A_SIZE: Final[dict[str, object]] = {
    "max_position_embeddings": None,
    "native_format": "bf16",
    "hf_repo": "",
    "license": "",
    "release": "",
    "verify": "",
    "confidence": "",
    "notes": "",
}


@cache
def _guide_shape(size: str) -> Shape:
    row = next(row for _, row in packaged_rows("guide_shapes.csv") if row["size"] == size)
    layers, kv_heads, head_dim = int(row["layers"]), int(row["kv_heads"]), int(row["head_dim"])
    kv_values = 2 * layers * kv_heads * head_dim
    return Shape(
        id=size.lower(),
        name=size,
        params_total=round(float(row["params_b"]) * 1e9),
        params_active=round(float(row["params_b"]) * 1e9),
        num_hidden_layers=layers,
        hidden_size=int(row["hidden"]),
        num_attention_heads=int(row["heads"]),
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        intermediate_size=int(row["intermediate"]),
        vocab_size=int(row["vocab"]),
        attention="mha" if row["attention"] == "mha" else "gqa",
        full_attention_layers=layers,
        kv_values_per_token=kv_values,
        kv_all_layers_values_per_token=kv_values,
        source=f"geometry of the guide's {size}",
    )

"""What the counts of a configuration must be among one another; where they are not, its shape would be made up."""

from typing import Final

from engine.errors import ImpossibleValue
from engine.shape import Shape

_POSITIVE: Final = ("hidden_size", "vocab_size")
_POSITIVE_WITH_ATTENTION: Final = ("num_attention_heads", "num_key_value_heads", "head_dim")


def check_shape(shape: Shape) -> None:
    """Refuses a shape that no model can have.

    Args:
        shape: as the configuration gives it.

    Raises:
        ImpossibleValue: a count is 0 that cannot be, or does not divide what it must.
    """
    attends = shape.num_hidden_layers > shape.linear_layers
    for name in _POSITIVE + (_POSITIVE_WITH_ATTENTION if attends else ()):
        if getattr(shape, name) < 1:
            raise ImpossibleValue(f"{name}={getattr(shape, name)}", allowed="1 or more")
    if attends and shape.attention != "mla":
        structure = shape.structure
        for kv_heads in (shape.num_key_value_heads, structure.window_kv_heads, structure.global_kv_heads):
            _check_groups(shape.num_attention_heads, kv_heads)
    if shape.is_mixture and not 1 <= shape.experts_per_token <= shape.num_experts:
        raise ImpossibleValue(
            f"num_experts_per_tok={shape.experts_per_token}", allowed=f"1 to {shape.num_experts}, the number of experts"
        )
    if _dense_layers(shape) and shape.intermediate_size < 1:
        raise ImpossibleValue(
            "intermediate_size", reason="the configuration has none for its MLP", allowed="a whole number from 1 up"
        )


def _check_groups(heads: int, kv_heads: int) -> None:
    if kv_heads and heads % kv_heads:
        raise ImpossibleValue(
            f"num_key_value_heads={kv_heads}",
            reason=f"{heads} attention heads cannot be shared out evenly to them",
            allowed=f"a number that divides {heads}",
        )


def _dense_layers(shape: Shape) -> int:
    dense = shape.structure.dense_layers
    return shape.num_hidden_layers - shape.moe_layers if dense is None else dense

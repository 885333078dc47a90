"""Bytes of a model's weights in a format.

Two ways, never mixed in one figure: the sizing guide's bytes a parameter, and real bits: linear layers in the format
with its block scales, embeddings, head and towers in 16 bit; whole-model averages for GGUF types.
"""

from typing import Final

from engine.formats import WeightFormat
from engine.shape import Shape

EXPERTS_ONLY: Final = frozenset({"mxfp4"})
"""Formats that quantise the routed experts alone, where there are any. Source: model card of openai/gpt-oss-120b."""

ODD_DOWN_FORMATS: Final = frozenset({"q4_k_m"})
ODD_DOWN_BITS: Final = 1.47
ODD_DOWN_BLOCK: Final = 256
"""Bits a weight that `ffn_down` takes more where its rows do not divide into super-blocks of 256 and llama.cpp falls
back to legacy types. Source: fitted on the files of Qwen2.5-72B (5.22 bits whole) and DeepSeek-V2-Lite (5.28)."""

_16_BIT: Final = 16.0


def weight_bytes(shape: Shape, fmt: WeightFormat, *, guide: bool, head_twice: bool = False) -> float:
    """Bytes of all resident weights.

    Args:
        shape: the model.
        fmt: the weight format.
        guide: count the sizing guide's bytes a parameter, where it has them for this format.
        head_twice: a tied head is stored apart all the same, as transformers' FP8 checkpoints do.

    Returns:
        Bytes, not rounded.

    Source: sizing guide, rules (guide); block layouts of the formats (real bits).

    >>> from engine.formats import weight_format
    >>> from engine.models import bare
    >>> weight_bytes(bare(70), weight_format("int4"), guide=True)
    35000000000.0
    """
    if guide and fmt.guide_bytes is not None:
        return shape.params_total * fmt.guide_bytes
    extra_head = shape.vocab_size * shape.hidden_size * _16_BIT / 8 if head_twice and shape.tie_word_embeddings else 0.0
    return _real_bytes(shape, fmt, shape.params_total, shape.expert_params, shape.vision_params) + extra_head


def active_weight_bytes(shape: Shape, fmt: WeightFormat, *, guide: bool) -> float:
    """Bytes of weights read to decode one token: all of a dense model, the active part of a mixture of experts.

    Args, Returns: as `weight_bytes`.

    >>> from engine.formats import weight_format
    >>> from engine.models import shape
    >>> active_weight_bytes(shape("mixtral-8x7b"), weight_format("bf16"), guide=False)
    25759850496.0
    """
    if not shape.is_mixture:
        return weight_bytes(shape, fmt, guide=guide)
    if guide and fmt.guide_bytes is not None:
        return shape.params_active * fmt.guide_bytes
    active_experts = shape.expert_params * shape.experts_per_token // shape.num_experts
    return _real_bytes(shape, fmt, shape.params_active, active_experts, 0)


def _real_bytes(shape: Shape, fmt: WeightFormat, params: int, expert_params: int, vision_params: int) -> float:
    if fmt.kind == "gguf":
        return ((params - vision_params) * gguf_bits(shape, fmt) + vision_params * _16_BIT) / 8
    linear_bits, other_bits = _bits(fmt)
    native_bits = shape.native_expert_bits if fmt.name == shape.native_format else 0.0
    if expert_params and is_experts_only(shape, fmt):
        return (expert_params * (native_bits or linear_bits) + (params - expert_params) * _16_BIT) / 8
    if shape.components:
        return params * linear_bits / 8
    others = shape.embedding_params + vision_params
    return ((params - others) * linear_bits + others * other_bits) / 8


def is_experts_only(shape: Shape, fmt: WeightFormat) -> bool:
    """Whether a format holds the routed experts alone and leaves the rest in 16 bit.

    >>> from engine.formats import weight_format
    >>> from engine.models import shape
    >>> is_experts_only(shape("gpt-oss-120b"), weight_format("mxfp4"))
    True
    """
    released_so = fmt.name == shape.native_format and shape.native_expert_bits > 0
    return released_so or fmt.name in EXPERTS_ONLY


def gguf_bits(shape: Shape, fmt: WeightFormat) -> float:
    """Bits a weight over a whole GGUF file.

    Args:
        shape: the model.
        fmt: a GGUF type.

    Returns:
        The type's average, more where rows of `ffn_down` do not divide into super-blocks.

    >>> from engine.formats import weight_format
    >>> from engine.models import shape
    >>> round(gguf_bits(shape("qwen2.5-72b"), weight_format("q4_k_m")), 2)
    5.25
    """
    if fmt.whole_model_bits is None:
        raise ValueError(f"{fmt.name} has no whole-model bits")
    if fmt.name not in ODD_DOWN_FORMATS:
        return fmt.whole_model_bits
    return fmt.whole_model_bits + ODD_DOWN_BITS * _odd_down_params(shape) / shape.params_total


def _odd_down_params(shape: Shape) -> int:
    """Weights of `ffn_down` whose rows do not divide into super-blocks."""
    odd = 0
    if shape.moe_intermediate_size % ODD_DOWN_BLOCK:
        odd += shape.expert_params // shape.expert_matrices
    if shape.intermediate_size % ODD_DOWN_BLOCK:
        odd += (shape.num_hidden_layers - shape.moe_layers) * shape.hidden_size * shape.intermediate_size
    return odd


def _bits(fmt: WeightFormat) -> tuple[float, float]:
    if fmt.bits_linear is None or fmt.bits_embedding is None:
        raise ValueError(f"{fmt.name} has no linear bits")
    return fmt.bits_linear, fmt.bits_embedding

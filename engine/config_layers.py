"""Which layers of a configuration hold what: full attention, a window, a linear state, experts, an MLP alone."""

from dataclasses import dataclass
from typing import Final

from engine.config_families import Family
from engine.config_fields import Fields
from engine.errors import ImpossibleValue, NotModelled

_FULL: Final = frozenset({"full_attention", "attention", "deepseek_sparse_attention", "*"})
_WINDOWED: Final = frozenset({"sliding_attention", "chunked_attention"})
_LINEAR: Final = frozenset({"linear_attention", "mamba", "M"})
_EXPERTS_ALONE: Final = frozenset({"moe", "E"})
_MLP_ALONE: Final = frozenset({"mlp", "-"})


@dataclass(frozen=True, slots=True)
class Layers:
    """Counts of layers. `experts` None: as the fields of a mixture say; `dense` None: those without experts.

    `crossing` layers attend to image tokens alone: they have weights, but no cache that grows with text.
    """

    total: int
    full: int
    windowed: int = 0
    linear: int = 0
    window: int = 0
    crossing: int = 0
    experts: int | None = None
    dense: int | None = None


def layers_of(fields: Fields, family: Family) -> Layers:
    """The layers of a configuration, from its own list of them or by the family's rule."""
    listed = fields.items("layer_types", "layers_block_type", "hybrid_override_pattern")
    total = fields.whole("num_hidden_layers", "n_layer", "n_layers", "num_layers", default=len(listed) or None)
    if total < 1:
        raise ImpossibleValue(f"num_hidden_layers={total}", allowed="1 or more")
    if listed:
        layers = _listed_layers(fields, listed)
        _check_length(layers, total)
        return layers
    linear = _linear_layers(fields, total)
    if linear:
        return Layers(total, total - linear, linear=linear)
    window = _window(fields)
    windowed = _windowed_layers(fields, family, total) if window else 0
    crossing = len(fields.items("cross_attention_layers"))
    return Layers(total, total - windowed - crossing, windowed, window=window if windowed else 0, crossing=crossing)


def _check_length(layers: Layers, total: int) -> None:
    if layers.total != total:
        raise ImpossibleValue(
            f"num_hidden_layers={total}",
            reason=f"the configuration lists the kinds of {layers.total} layers",
            allowed="as many as it lists",
        )


def _listed_layers(fields: Fields, listed: tuple[object, ...]) -> Layers:
    kinds = [str(kind) for kind in listed]
    known = _FULL | _WINDOWED | _LINEAR | _EXPERTS_ALONE | _MLP_ALONE
    for kind in kinds:
        if kind not in known:
            raise NotModelled(kind[:40], reason="a kind of layer whose memory is not known here")
    counts = [sum(kind in group for kind in kinds) for group in (_FULL, _WINDOWED, _LINEAR, _EXPERTS_ALONE, _MLP_ALONE)]
    full, windowed, linear, experts, mlp = counts
    apart = bool(experts or mlp)
    window = _window(fields)
    if not window:
        full, windowed = full + windowed, 0
    return Layers(
        total=len(kinds),
        full=full,
        windowed=windowed,
        linear=linear,
        window=window,
        experts=experts if apart else None,
        dense=mlp if apart else None,
    )


def _window(fields: Fields) -> int:
    """Tokens of the window; 0 where there is none, or where it is as long as the model's context."""
    if fields.config.get("use_sliding_window") is False:
        return 0
    window = fields.whole("sliding_window", "attention_chunk_size", default=0)
    longest = fields.whole("max_position_embeddings", default=0)
    return 0 if longest and window >= longest else window


def _windowed_layers(fields: Fields, family: Family, total: int) -> int:
    pattern = fields.items("hybrid_layer_pattern")
    if pattern:
        return sum(bool(is_windowed) for is_windowed in pattern)
    match family.windows:
        case "all":
            return total
        case "alternate":
            return -(-total // 2)
        case "pattern":
            return _windowed_by_pattern(fields, total)
        case "chunked":
            return total - total // 4
        case "none" | "listed":
            return 0


def _windowed_by_pattern(fields: Fields, total: int) -> int:
    """Layers with a window by a pattern: a number (each so-manyth is full) or letters (`LLLG`)."""
    letters = fields.items("sliding_window_pattern")
    if letters:
        return sum(letters[layer % len(letters)] == "L" for layer in range(total))
    return total - total // max(1, fields.whole("sliding_window_pattern", "_sliding_window_pattern"))


def _linear_layers(fields: Fields, total: int) -> int:
    """Layers without a cache, where they are not listed by name."""
    kda = fields.part("linear_attn_config")
    if kda:
        return len(kda.items("kda_layers"))
    by_number = fields.items("attn_type_list")
    if by_number:
        return sum(kind == 0 for kind in by_number)
    if fields.config.get("model_type") in {"mamba", "falcon_mamba", "mamba2"}:
        return total
    period = fields.whole("full_attention_interval", default=0)
    if period:
        return total - total // period
    period = fields.whole("attn_layer_period", default=0)
    offset = fields.whole("attn_layer_offset", default=0)
    return total - sum(layer % period == offset for layer in range(total)) if period else 0

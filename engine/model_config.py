"""A Hugging Face config.json, or pasted fields, as a Shape. Unknown architectures are refused by name."""

from collections.abc import Mapping
from typing import Final

from engine.config_checks import check_shape
from engine.config_families import FAMILIES, Family
from engine.config_fields import Fields
from engine.config_layers import Layers, layers_of
from engine.config_mixers import mixer_of
from engine.config_release import released_as
from engine.config_towers import tower_params
from engine.errors import ImpossibleValue, NotModelled
from engine.kv_cache import recurrent_state_bytes
from engine.parameters import counted_active_params, counted_params
from engine.pasted_fields import shape_from_fields
from engine.shape import Attention, Shape, Structure

__all__ = ["shape_from_config", "shape_from_fields"]

TWO_MATRICES: Final = 2
"""Matrices of an MLP without a gate: up and down."""

INDEXER_KEY_BYTES: Final = 132
"""Bytes of one indexer key: 128 values in fp8 and a scale. Source: DeepSeek-V3.2-Exp, inference code."""


def shape_from_config(config: Mapping[str, object], name: str) -> Shape:
    """The shape that a model configuration describes, parameters counted from it.

    Args:
        config: the content of config.json.
        name: what to call the model.

    Raises:
        NotModelled: the architecture is not known; named as the file has it.
        ImpossibleValue: a field is missing or no sane number.

    >>> llama = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
    ...          "intermediate_size": 128, "vocab_size": 100}
    >>> shape_from_config(llama, "toy").kv_values_per_token
    256
    """
    text = next((part for key in ("text_config", "llm_config") if isinstance(part := config.get(key), Mapping)), config)
    family = _family(config, text)
    inherited = {key: value for key, value in config.items() if key == "tie_word_embeddings"}
    fields = Fields({**inherited, **text}, family.defaults)
    layers = layers_of(fields, family)
    draft = _geometry(fields, family, layers, name).model_copy(update=_mixture(fields, family, layers))
    check_shape(draft)
    draft = draft.model_copy(update=_cache(draft))
    tower = config.get("vision_config")
    vision = tower_params(Fields(tower, {}), draft.hidden_size) if isinstance(tower, Mapping) else 0
    counted = draft.model_copy(
        update={
            "vision_params": vision,
            "kind": "vlm" if tower else "llm",
            **released_as(config, text, is_mixture=draft.is_mixture),
            "notes": "the vision tower is not described and not counted" if tower and not vision else "",
        }
    )
    return counted.model_copy(
        update={"params_total": counted_params(counted), "params_active": counted_active_params(counted)}
    )


def _family(config: Mapping[str, object], text: Mapping[str, object]) -> Family:
    for kind in (text.get("model_type"), config.get("model_type")):
        if isinstance(kind, str) and kind in FAMILIES:
            return FAMILIES[kind]
    architectures = config.get("architectures")
    named = architectures[0] if isinstance(architectures, list) and architectures else config.get("model_type")
    raise NotModelled(
        str(named or "config.json")[:80],
        reason="its architecture is not known here, and a guessed shape would be wrong",
        allowed="a model of a known family, or its fields: layers= kv= hd= params=",
    )


def _geometry(fields: Fields, family: Family, layers: Layers, name: str) -> Shape:
    hidden = fields.whole("hidden_size", "n_embd", "d_model")
    heads = fields.whole(
        "num_attention_heads", "n_head", "n_heads", default=0 if layers.total == layers.linear else None
    )
    structure = _structure(fields, family, layers, hidden)
    attention_config = fields.part("attn_config")
    kv_heads = fields.whole("num_key_value_heads", "num_kv_heads", "n_head_kv", default=_grouped(fields, heads))
    if attention_config:
        kv_heads = attention_config.whole("kv_n_heads", default=kv_heads)
    latent = fields.whole("kv_lora_rank", default=0)
    rope = fields.whole("qk_rope_head_dim", default=0)
    head_dim = _head_dim(fields, hidden, heads)
    if latent:
        head_dim = fields.whole("qk_nope_head_dim") + rope
    return Shape(
        id=name,
        name=name,
        params_total=0,
        params_active=0,
        num_hidden_layers=layers.total,
        hidden_size=hidden,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        intermediate_size=_dense_width(fields, family, hidden) // family.width_divisor,
        vocab_size=fields.whole("vocab_size", "padded_vocab_size"),
        tie_word_embeddings=fields.flag("tie_word_embeddings", default=family.tied),
        max_position_embeddings=fields.whole(*_CONTEXT_FIELDS, default=0) or None,
        attention=_attention_kind(layers, latent, heads, kv_heads),
        kv_lora_rank=latent,
        qk_rope_head_dim=rope,
        sliding_window=layers.window,
        sliding_layers=layers.windowed,
        full_attention_layers=layers.full,
        linear_layers=layers.linear,
        structure=structure,
        source="its config.json",
    )


_CONTEXT_FIELDS: Final = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "max_sequence_length",
    "seq_length",
    "model_max_length",
)


_SHARED_WIDTHS: Final = (
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
)


def _grouped(fields: Fields, heads: int) -> int:
    """KV heads of families that say it by a flag: one with `multi_query`, some groups, else all."""
    if fields.flag("multi_query_attention"):
        return fields.whole("multi_query_group_num", default=1)
    if fields.flag("multi_query") and not fields.flag("new_decoder_architecture"):
        return 1
    return heads


def _head_dim(fields: Fields, hidden: int, heads: int) -> int:
    """The width of a head; where the file does not say it, the heads share `hidden_size` out evenly."""
    if not heads:
        return 0
    head_dim = fields.whole("head_dim", "attention_head_dim", "kv_channels", default=-1)
    if head_dim >= 0:
        return head_dim
    if hidden % heads and not fields.whole("kv_lora_rank", default=0):
        raise ImpossibleValue(
            f"num_attention_heads={heads}",
            reason=f"hidden_size {hidden} cannot be shared out evenly to them",
            allowed="a number that divides it, or head_dim beside it",
        )
    return hidden // heads


def _dense_width(fields: Fields, family: Family, hidden: int) -> int:
    """The width of an MLP. Of the families with two matrices most leave it out: four times `hidden_size`."""
    feed_forward = fields.part("ffn_config")
    if feed_forward:
        return feed_forward.whole("ffn_hidden_size")
    ratio = fields.whole("expansion_ratio", default=4) if family.mlp_matrices == TWO_MATRICES else 0
    return fields.whole(
        "dense_intermediate_size",
        "intermediate_size_mlp",
        "intermediate_size",
        "ffn_hidden_size",
        "n_inner",
        "ffn_dim",
        default=ratio * hidden,
    )


def _attention_kind(layers: Layers, latent: int, heads: int, kv_heads: int) -> Attention:
    if layers.linear:
        return "hybrid" if layers.full else "none"
    if latent:
        return "mla"
    return "mha" if kv_heads == heads else "mqa" if kv_heads == 1 else "gqa"


def _structure(fields: Fields, family: Family, layers: Layers, hidden: int) -> Structure:
    apart = layers.experts is not None
    indexers = fields.items("indexer_types")
    index_heads = fields.whole("index_n_heads", default=0)
    return Structure(
        mlp_matrices=family.mlp_matrices,
        attention_layers=layers.full + layers.windowed + layers.crossing if apart else None,
        dense_layers=_dense_layers(fields, layers),
        shared_expert_width=fields.whole(*_SHARED_WIDTHS, default=0),
        v_head_dim=fields.whole("v_head_dim", default=0),
        window_kv_heads=fields.whole("swa_num_key_value_heads", default=0),
        global_head_dim=fields.whole("global_head_dim", default=0),
        global_kv_heads=fields.whole("num_global_key_value_heads", "num_key_value_heads", default=0)
        if "global_head_dim" in fields.config
        else 0,
        keys_as_values=fields.flag("attention_k_eq_v"),
        output_gate=fields.flag(
            "attn_output_gate", "mla_use_output_gate", default="linear_num_value_heads" in fields.config
        ),
        q_lora_rank=fields.whole("q_lora_rank", default=0),
        indexer_heads=index_heads,
        indexer_head_dim=fields.whole("index_head_dim", default=0),
        indexer_layers=(sum(kind == "full" for kind in indexers) or layers.total) if index_heads else 0,
        linear=mixer_of(fields, hidden) if layers.linear else None,
    )


def _dense_layers(fields: Fields, layers: Layers) -> int | None:
    """Layers with a dense MLP, where they are not simply those without experts."""
    if layers.total == layers.linear:
        return 0
    return layers.total if fields.flag("enable_moe_block") else layers.dense


def _mixture(fields: Fields, family: Family, layers: Layers) -> dict[str, object]:
    """Fields of a mixture of experts; nothing where there are no experts."""
    feed_forward = fields.part("ffn_config") or fields
    experts = feed_forward.whole("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts", default=0)
    if experts <= 1:
        return {}
    width = feed_forward.whole(
        "moe_intermediate_size", "ffn_hidden_size", "expert_ffn_hidden_size", "intermediate_size"
    )
    shared = fields.whole(
        "n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts", default=0
    )
    return {
        "num_experts": experts,
        "experts_per_token": feed_forward.whole(
            "num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk", "moe_k", "top_k_experts"
        ),
        "shared_experts": shared or int(fields.whole(*_SHARED_WIDTHS, default=0) > 0),
        "moe_intermediate_size": width,
        "expert_matrices": family.mlp_matrices,
        "expert_hidden_size": fields.whole("moe_latent_size", "routed_expert_hidden_size", default=0),
        **_expert_layers(fields, layers),
    }


def _expert_layers(fields: Fields, layers: Layers) -> dict[str, object]:
    dense_first = fields.whole("first_k_dense_replace", "moe_layer_start_index", default=0)
    if layers.experts is not None:
        return {"moe_layers": layers.experts}
    listed = fields.items("moe_layer_freq")
    if listed:
        return {"moe_layers": sum(bool(has_experts) for has_experts in listed)}
    period = fields.whole("interleave_moe_layer_step", "expert_layer_period", "decoder_sparse_step", default=1) or 1
    dense_first = min(dense_first, layers.total)
    return {"moe_layers": (layers.total - dense_first) // period, "first_dense_layers": dense_first}


def _cache(shape: Shape) -> dict[str, object]:
    """Cache values a token, from the heads of full and of windowed layers."""
    structure = shape.structure
    value_dim = structure.v_head_dim or shape.head_dim
    per_full = shape.num_key_value_heads * (shape.head_dim + value_dim)
    per_windowed = (structure.window_kv_heads or shape.num_key_value_heads) * (shape.head_dim + value_dim)
    if shape.kv_lora_rank:
        per_full = shape.kv_lora_rank + shape.qk_rope_head_dim
    elif structure.global_head_dim:
        per_full = 2 * structure.global_kv_heads * structure.global_head_dim
    growing = shape.full_attention_layers * per_full
    windowed = shape.sliding_layers * per_windowed
    return {
        "kv_values_per_token": growing,
        "kv_window_values_per_token": windowed,
        "kv_all_layers_values_per_token": growing + windowed,
        "indexer_bytes_per_token": structure.indexer_layers * INDEXER_KEY_BYTES,
        "recurrent_state_bytes_per_seq": recurrent_state_bytes(shape),
    }

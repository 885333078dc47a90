"""Parameters of a model, counted from its shape.

The big matrices alone: embeddings and head, attention, MLPs, experts, routers, linear mixers. Norms, biases and small
gates are left out, together well under 1 %; towers are taken from `vision_params`.
"""

from engine.shape import LinearMixer, Shape


def counted_params(shape: Shape) -> int:
    """Weights of all layers, embeddings and towers.

    Args:
        shape: the model; its `params_total` is not read.

    Source: module shapes of the models' own code.

    >>> from engine.models import shape
    >>> counted_params(shape("llama-3.1-8b"))
    8029995008
    """
    return (
        shape.embedding_params
        + _attention_params(shape)
        + _linear_params(shape)
        + _dense_params(shape)
        + _mixture_params(shape)
        + shape.vision_params
    )


def counted_active_params(shape: Shape) -> int:
    """Weights read for one token: all but the experts that were not chosen, and towers.

    >>> from engine.models import shape
    >>> counted_active_params(shape("mixtral-8x7b"))
    12879659008
    """
    idle = shape.num_experts - shape.experts_per_token if shape.is_mixture else 0
    unread = shape.expert_params // shape.num_experts * idle + shape.vision_params if idle else 0
    return counted_params(shape) - unread


def _attention_params(shape: Shape) -> int:
    structure = shape.structure
    layers = structure.attention_layers
    if layers is None:
        layers = shape.num_hidden_layers - shape.linear_layers
    indexers = structure.indexer_layers * _indexer_params(shape)
    if shape.kv_lora_rank:
        return layers * _latent_attention_params(shape) + indexers
    if structure.global_head_dim:
        windowed = _head_params(shape, shape.head_dim, shape.num_key_value_heads, values=True)
        full = _head_params(
            shape, structure.global_head_dim, structure.global_kv_heads, values=not structure.keys_as_values
        )
        full_layers = structure.full_attention_weights or shape.full_attention_layers
        return (layers - full_layers) * windowed + full_layers * full
    with_values = not structure.keys_as_values
    per_layer = _head_params(shape, shape.head_dim, shape.num_key_value_heads, values=with_values)
    total = layers * per_layer + indexers
    key_and_value = shape.head_dim + (structure.v_head_dim or shape.head_dim)
    if structure.window_kv_heads:
        more_heads = structure.window_kv_heads - shape.num_key_value_heads
        total += shape.sliding_layers * shape.hidden_size * more_heads * key_and_value
    if structure.kv_projection_layers is not None:
        borrowed = layers - structure.kv_projection_layers
        total -= borrowed * shape.hidden_size * shape.num_key_value_heads * key_and_value
    return total


def _head_params(shape: Shape, head_dim: int, kv_heads: int, *, values: bool) -> int:
    """Query, key, value and output matrices of one layer."""
    value_dim = shape.structure.v_head_dim or head_dim
    gate = shape.num_attention_heads * value_dim * shape.hidden_size if shape.structure.output_gate else 0
    keys_and_values = shape.hidden_size * kv_heads * (head_dim + (value_dim if values else 0))
    return _query_params(shape, head_dim) + keys_and_values + _output_params(shape, value_dim) + gate


def _query_params(shape: Shape, head_dim: int) -> int:
    width = shape.num_attention_heads * head_dim
    rank = shape.structure.q_lora_rank
    return rank * (shape.hidden_size + width) if rank else shape.hidden_size * width


def _output_params(shape: Shape, value_dim: int) -> int:
    width = shape.num_attention_heads * value_dim
    rank = shape.structure.o_lora_rank
    return width * rank + shape.structure.o_groups * rank * shape.hidden_size if rank else width * shape.hidden_size


def _latent_attention_params(shape: Shape) -> int:
    """Matrices of one layer of multi-head latent attention."""
    value_dim = shape.structure.v_head_dim or shape.head_dim
    key_dim = shape.head_dim - shape.qk_rope_head_dim
    compress = shape.hidden_size * (shape.kv_lora_rank + shape.qk_rope_head_dim)
    expand = shape.kv_lora_rank * shape.num_attention_heads * (key_dim + value_dim)
    gate = shape.num_attention_heads * value_dim * shape.hidden_size if shape.structure.output_gate else 0
    return _query_params(shape, shape.head_dim) + compress + expand + _output_params(shape, value_dim) + gate


def _indexer_params(shape: Shape) -> int:
    """Matrices of one sparse-attention indexer: queries from the query's latent, one key head, head weights."""
    structure = shape.structure
    queries = (structure.q_lora_rank or shape.hidden_size) * structure.indexer_heads * structure.indexer_head_dim
    return queries + shape.hidden_size * (structure.indexer_head_dim + structure.indexer_heads)


def _dense_params(shape: Shape) -> int:
    structure = shape.structure
    layers = structure.dense_layers
    if layers is None:
        layers = shape.num_hidden_layers - shape.moe_layers
    width = structure.dense_width_total or layers * shape.intermediate_size
    per_layer_inputs = 3 * shape.num_hidden_layers * shape.hidden_size * structure.per_layer_embedding
    return structure.mlp_matrices * shape.hidden_size * width + per_layer_inputs


def _mixture_params(shape: Shape) -> int:
    """Routed and shared experts, routers, and the projections to a latent width where experts work in one."""
    shared_width = shape.structure.shared_expert_width or shape.shared_experts * shape.moe_intermediate_size
    shared = shape.expert_matrices * shape.hidden_size * shared_width
    router = shape.hidden_size * shape.num_experts
    latent = 2 * shape.hidden_size * shape.expert_hidden_size
    return shape.expert_params + shape.moe_layers * (shared + router + latent)


def _linear_params(shape: Shape) -> int:
    mixer = shape.structure.linear
    return shape.linear_layers * _mixer_params(mixer, shape.hidden_size) if mixer else 0


def _mixer_params(mixer: LinearMixer, hidden_size: int) -> int:
    """Matrices of one linear or state-space layer."""
    inner = mixer.heads * mixer.head_dim
    grouped = mixer.key_heads * mixer.state_dim
    match mixer.kind:
        case "mamba1":
            scan = inner * (mixer.rank + 2 * mixer.state_dim) + mixer.rank * inner + inner * mixer.state_dim
            return hidden_size * 3 * inner + inner * mixer.kernel + scan
        case "mamba2":
            convolved = inner + 2 * grouped
            return hidden_size * (2 * inner + 2 * grouped + mixer.heads + inner) + convolved * mixer.kernel
        case "deltanet":
            convolved = inner + 2 * grouped
            return hidden_size * (convolved + inner + 2 * mixer.heads + inner) + convolved * mixer.kernel
        case "kda":
            decay = mixer.rank * (hidden_size + inner)
            gate = hidden_size * inner if mixer.full_rank_gate else decay
            return hidden_size * (4 * inner + mixer.heads) + decay + gate + 3 * inner * mixer.kernel
        case "lightning":
            return hidden_size * 5 * inner

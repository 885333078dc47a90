"""How many parameters a LoRA adapter has."""

from engine.question import Targets
from engine.shape import Shape


def adapter_params(shape: Shape, rank: int, targets: Targets) -> int:
    """Parameters of an adapter: rank x sum of (in + out) over its targets, in every layer that has them.

    Experts get none; the MLP of a mixture counts its dense layers and shared experts.

    Args:
        shape: the model.
        rank: of both matrices of each target.
        targets: `qv`, `attn` (q, k, v, o), `all` or `default` (these and gate, up, down).

    >>> from engine.models import shape
    >>> adapter_params(shape("llama-2-7b"), 16, "attn") == 16 * 4 * (4096 + 4096) * 32
    True
    """
    hidden, head, heads = shape.hidden_size, shape.head_dim, shape.num_attention_heads
    query, keys = heads * head, shape.num_key_value_heads * head
    widths = {"q": hidden + query, "k": hidden + keys, "v": hidden + keys, "o": query + hidden}
    attention = sum(widths[name] for name in ("qv" if targets == "qv" else "qkvo"))
    attention_layers = shape.full_attention_layers + shape.sliding_layers or shape.num_hidden_layers
    total = attention * attention_layers
    if targets in {"default", "all"}:
        matrices = shape.structure.mlp_matrices
        dense_layers = shape.num_hidden_layers - shape.moe_layers if shape.is_mixture else shape.num_hidden_layers
        total += matrices * (hidden + shape.intermediate_size) * dense_layers
        if shape.shared_experts:
            width = shape.moe_intermediate_size * shape.shared_experts
            total += matrices * (hidden + width) * shape.moe_layers
    return rank * total

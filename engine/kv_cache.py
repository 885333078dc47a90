"""Bytes of the KV cache, by family of attention.

A shape says how many values a token adds: K and V of every KV head in each layer with full attention, the latent and
its rotary part under latent attention (no factor 2, no heads), nothing in linear layers, whose state is fixed. Windowed
layers pay for a window's worth of tokens at most.

Source: formulas and widths of the models' own configurations; exact against logged caches of llama.cpp and vLLM.
"""

from typing import Final

from engine.shape import Shape

_STATE_BYTES: Final = 4
_TAIL_BYTES: Final = 2

LLAMA_CPP_CELL_PADDING: Final = 256
"""Cells to which llama.cpp rounds a windowed cache up. Source: llama.cpp, src/llama-kv-cache-iswa.cpp."""


def kv_bytes(shape: Shape, context_tokens: int, sequences: int, bits: float) -> int:
    """Bytes of KV cache, windows honoured.

    Args:
        shape: the model.
        context_tokens: tokens that each sequence holds.
        sequences: sequences at once.
        bits: bits a cache value, block scales counted (16; fp8 8; q8_0 8.5; q5_1 6; q4_0 4.5).

    Returns:
        Bytes, recurrent state and indexer keys included, rounded up to a whole byte.

    >>> from engine.models import shape
    >>> kv_bytes(shape("llama-3-8b"), 1_048_576, 1, 16)
    137438953472
    """
    in_window = min(context_tokens, shape.sliding_window)
    values = shape.kv_values_per_token * context_tokens + shape.kv_window_values_per_token * in_window
    fixed = shape.recurrent_state_bytes_per_seq + shape.indexer_bytes_per_token * context_tokens
    return _bytes(values * sequences, bits) + fixed * sequences


def kv_bytes_all_layers(shape: Shape, context_tokens: int, sequences: int, bits: float) -> int:
    """Bytes of KV cache in an engine without window support: windowed layers hold the whole context.

    Args, Returns: as `kv_bytes`; never less than it.

    >>> from engine.models import shape
    >>> kv_bytes_all_layers(shape("gemma-3-27b"), 32_768, 1, 16) // 2**20
    15872
    """
    values = shape.kv_all_layers_values_per_token * context_tokens
    fixed = shape.recurrent_state_bytes_per_seq + shape.indexer_bytes_per_token * context_tokens
    every_layer = _bytes(values * sequences, bits) + fixed * sequences
    return max(every_layer, kv_bytes(shape, context_tokens, sequences, bits))


def kv_bytes_per_token(shape: Shape, bits: float) -> int:
    """Bytes that each further token of a sequence adds for ever; 0 where every layer has a window.

    Args:
        shape: the model.
        bits: bits a cache value.

    >>> from engine.models import shape
    >>> kv_bytes_per_token(shape("deepseek-v3"), 16)
    70272
    """
    return _bytes(shape.kv_values_per_token, bits) + shape.indexer_bytes_per_token


def kv_bytes_llama_cpp(shape: Shape, n_ctx: int, slots: int, ubatch: int, bits: float) -> int:
    """Bytes of KV cache that llama.cpp allocates at load.

    Windowed layers get window x slots + ubatch cells, padded to 256, and no more than `n_ctx`.

    Args:
        shape: the model.
        n_ctx: tokens of all slots together.
        slots: sequences at once.
        ubatch: tokens of one step of the prompt.
        bits: bits a cache value.

    Source: llama.cpp, src/llama-kv-cache-iswa.cpp; 1,536 cells logged at window 512, one slot, ubatch 1,024.

    >>> from engine.models import shape
    >>> gemma = shape("gemma-3-27b")
    >>> kv_bytes_llama_cpp(gemma, 32_768, 1, 512, 16) == 81_920 * 32_768 + 425_984 * 1_536
    True
    """
    cells = min(n_ctx, shape.sliding_window * slots + ubatch)
    padded = -(-cells // LLAMA_CPP_CELL_PADDING) * LLAMA_CPP_CELL_PADDING
    values = shape.kv_values_per_token * n_ctx + shape.kv_window_values_per_token * padded
    return _bytes(values, bits) + shape.recurrent_state_bytes_per_seq * slots + shape.indexer_bytes_per_token * n_ctx


def _bytes(values: int, bits: float) -> int:
    """Bytes of that many values, rounded up; bits come in halves."""
    return -(-values * round(bits * 2) // 16)


def recurrent_state_bytes(shape: Shape) -> int:
    """Bytes of state that each running sequence holds in linear and state-space layers, whatever its length.

    The state in fp32, the tail of the causal convolution in 16 bit.

    Source: state shapes of Mamba-1, Mamba-2, Gated DeltaNet, KDA and lightning attention in the models' own code.

    >>> from engine.models import shape
    >>> recurrent_state_bytes(shape("qwen3-next-80b-a3b"))
    77266944
    """
    mixer = shape.structure.linear
    if mixer is None:
        return 0
    inner = mixer.heads * mixer.head_dim
    grouped = mixer.key_heads * mixer.state_dim
    convolved = 3 * inner if mixer.kind == "kda" else inner + 2 * grouped
    tail = max(0, mixer.kernel - 1) * convolved
    return shape.linear_layers * (_STATE_BYTES * inner * mixer.state_dim + _TAIL_BYTES * tail)

"""How each term of the guide's need comes about, in words and figures."""

from collections.abc import Callable
from typing import Final

from engine.adapters import adapter_params
from engine.answer import TermName
from engine.job import Job
from engine.kv_cache import kv_bytes_per_token
from engine.tuning import (
    ADAPTER_BYTES,
    ADAPTER_RANK,
    ADAPTER_SHARE,
    DEFAULT_SEQUENCE_TOKENS,
    LOSS_BYTES,
    RECIPES,
    anchor_gb,
    computing_b,
    guide_targets,
)
from engine.weights import gguf_bits, is_experts_only


def _parameters(job: Job) -> str:
    return f"{job.shape.params_b:g} × 10⁹" if job.guide else f"{job.shape.params_total:,}"


def weights_formula(job: Job) -> str:
    """How the bytes of the stored weights come about."""
    shape, fmt = job.shape, job.fmt
    if shape.components:
        parts = " + ".join(f"{part} {count:,}" for part, count in shape.components)
        return f"({parts}) at {fmt.name}"
    if job.guide and fmt.guide_bytes:
        return f"{_parameters(job)} × {fmt.guide_bytes:g} B"
    if fmt.kind == "gguf":
        return _gguf_formula(job)
    if shape.expert_params and is_experts_only(shape, fmt):
        bits = shape.native_expert_bits or fmt.bits_linear
        rest = shape.params_total - shape.expert_params
        return f"{shape.expert_params:,} in experts × {bits:g} bit + {rest:,} others × 16 bit"
    if fmt.whole_model_bits:
        return f"{_parameters(job)} × {fmt.whole_model_bits:g} bit"
    apart = shape.embedding_params + shape.vision_params
    return (
        f"{shape.params_total - apart:,} × {fmt.bits_linear:g} bit"
        f" + {apart:,} embeddings{', head' if not shape.tie_word_embeddings else ''}"
        f"{', vision' if shape.vision_params else ''} × {fmt.bits_embedding:g} bit"
    )


def _gguf_formula(job: Job) -> str:
    shape, bits = job.shape, gguf_bits(job.shape, job.fmt)
    text = f"{shape.params_total - shape.vision_params:,} × {bits:.4g} bit, the file's average"
    return f"{text} + {shape.vision_params:,} in towers × 16 bit" if shape.vision_params else text


def _weights_term(job: Job) -> str:
    if job.workload == "full":
        return _states_formula(job, RECIPES[job.optimizer].weights, "weights")
    if job.workload == "qlora" and not job.guide and job.tuning.kbit_preparation is not False:
        return f"{weights_formula(job)} + {job.shape.embedding_params:,} × 2 B more, as preparation turns them to fp32"
    return weights_formula(job)


def _kv_formula(job: Job) -> str:
    shape = job.shape
    count = f"{job.context_tokens:,} tokens × {job.sequences:,}"
    per_token = kv_bytes_per_token(shape, job.kv.bits)
    if shape.attention == "mla":
        latent = f"({shape.kv_lora_rank} + {shape.qk_rope_head_dim}) latent"
        return f"{shape.num_hidden_layers} layers × {latent} × {job.kv.bits:g} bit × {count}"
    plain = 2 * shape.num_hidden_layers * shape.num_key_value_heads * shape.head_dim
    if shape.kv_values_per_token == plain and not shape.recurrent_state_bytes_per_seq:
        return (
            f"2 × {shape.num_hidden_layers} layers × {shape.num_key_value_heads} KV heads × {shape.head_dim} wide"
            f" × {job.kv.bits / 8:g} B × {count}"
        )
    text = f"{per_token:,} B a token × {count}"
    if shape.kv_window_values_per_token:
        window = int(shape.kv_window_values_per_token * job.kv.bits / 8)
        text += f" + {window:,} B × {shape.sliding_window:,} tokens of window at most, each"
    if shape.recurrent_state_bytes_per_seq:
        text += f" + {shape.recurrent_state_bytes_per_seq:,} B of state a sequence"
    return text


def _activations_formula(job: Job) -> str:
    shape = job.shape
    if job.workload == "full":
        text = f"15% of the states; {max(0, job.tokens - DEFAULT_SEQUENCE_TOKENS):,} tokens past 2,048"
    else:
        at_default_gb = anchor_gb(computing_b(shape, guide=job.guide))
        text = f"{at_default_gb:.3g} GB at 2,048 tokens; {job.tokens - DEFAULT_SEQUENCE_TOKENS:+,} tokens"
    loss = LOSS_BYTES[job.loss or "plain"]
    text += f" × (2 × {shape.num_hidden_layers} layers × {shape.hidden_size:,}"
    text += f" + {loss:g} × {shape.vocab_size:,} vocabulary) B"
    if job.loss and job.loss != "plain":
        text += f"; loss {job.loss} for all tokens"
    if job.checkpointing != "on":
        text += f"; checkpointing {job.checkpointing}"
    return text


def _states_formula(job: Job, bytes_each: float, what: str) -> str:
    return f"{_parameters(job)} × {bytes_each:g} B of {what}"


def _adapter_formula(job: Job) -> str:
    if job.guide:
        return f"{ADAPTER_SHARE:.1%} × {_parameters(job)} × {ADAPTER_BYTES} B × rank {job.rank} / {ADAPTER_RANK}"
    targets = guide_targets(job.tuning)
    on = {"qv": "q and v", "attn": "q, k, v and o"}.get(targets, "q, k, v, o and the MLP")
    count = adapter_params(job.shape, job.rank, targets)
    return f"{count:,} parameters of rank {job.rank} on {on} × {ADAPTER_BYTES} B"


TERM_FORMULAS: Final[dict[TermName, Callable[[Job], str]]] = {
    "weights": _weights_term,
    "kv": _kv_formula,
    "overhead": lambda _job: "CUDA context, framework, fragmentation of one process",
    "adapter": _adapter_formula,
    "gradients": lambda job: _states_formula(job, RECIPES[job.optimizer].gradients, "gradients"),
    "optimizer": lambda job: _states_formula(job, RECIPES[job.optimizer].optimizer, f"{job.optimizer} states"),
    "activations": _activations_formula,
}

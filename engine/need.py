"""The need: every term of the memory, by the sizing guide's rules.

`amounts_gb` gives the figures, `terms` the same with formula and basis. A bare size keeps the guide's bytes and
shapes; a named model has exact parameters and real bits. Nothing is rounded.
"""

from dataclasses import replace
from typing import Final

from engine.answer import Basis, KvCache, Need, Term, TermName
from engine.formats import weight_format
from engine.job import Job
from engine.kv_cache import kv_bytes, kv_bytes_per_token
from engine.overhead import RUNTIME_OVERHEAD_GB
from engine.tuning import (
    ADAPTER_BYTES,
    ADAPTER_RANK,
    ADAPTER_SHARE,
    DEFAULT_SEQUENCE_TOKENS,
    FULL_TUNING_ALLOWANCE,
    LEAST_ACTIVATIONS_GB,
    LOSS_BYTES,
    RECIPES,
    adapter_gb,
    anchor_gb,
    kept_bytes,
    slope_bytes,
)
from engine.units import GB
from engine.weights import weight_bytes

REAL_4BIT: Final = "awq"
"""The format whose files stand for the guide's half byte a parameter."""

Amounts = dict[TermName, float]


def _weights_gb(job: Job) -> float:
    stored = weight_bytes(job.shape, job.fmt, guide=job.guide)
    if job.workload == "qlora" and not job.guide:
        stored += _upcast_bytes(job)
    return stored / GB


def _upcast_bytes(job: Job) -> int:
    """k-bit preparation turns 16-bit embeddings and head to fp32: 2 bytes more each."""
    return 2 * job.shape.embedding_params


def _vocabulary_bytes(job: Job, tokens: int) -> float:
    return LOSS_BYTES[job.loss or "plain"] * tokens * job.shape.vocab_size


def _adapter_activations_gb(job: Job) -> float:
    """GB of activations of LoRA and QLoRA, and never less than 1 GB."""
    shape, beyond = job.shape, job.tokens - DEFAULT_SEQUENCE_TOKENS
    grown = (
        beyond * slope_bytes(shape.num_hidden_layers, shape.hidden_size)
        + _vocabulary_bytes(job, job.tokens)
        - LOSS_BYTES["plain"] * DEFAULT_SEQUENCE_TOKENS * shape.vocab_size
    )
    checkpointed_gb = max(LEAST_ACTIVATIONS_GB, anchor_gb(shape.params_b) + grown / GB)
    kept = kept_bytes(job.tokens, shape.num_hidden_layers, shape.hidden_size, job.checkpointing)
    return max(LEAST_ACTIVATIONS_GB, checkpointed_gb + kept / GB)


def _full_activations_gb(job: Job) -> float:
    """GB of activations of full tuning: 15% of the states, and the tokens past 2,048."""
    shape, beyond = job.shape, max(0, job.tokens - DEFAULT_SEQUENCE_TOKENS)
    states_gb = shape.params_b * RECIPES[job.optimizer].total
    grown = beyond * slope_bytes(shape.num_hidden_layers, shape.hidden_size) + _vocabulary_bytes(job, beyond)
    kept = kept_bytes(job.tokens, shape.num_hidden_layers, shape.hidden_size, job.checkpointing)
    return max(0.0, FULL_TUNING_ALLOWANCE * states_gb + (grown + kept) / GB)


def amounts_gb(job: Job) -> Amounts:
    """GB of every term, in the order in which a card shows them."""
    if job.workload == "full":
        recipe, params_b = RECIPES[job.optimizer], job.shape.params_b
        return {
            "weights": params_b * recipe.weights,
            "gradients": params_b * recipe.gradients,
            "optimizer": params_b * recipe.optimizer,
            "activations": _full_activations_gb(job),
        }
    if job.workload == "infer":
        kv_gb = kv_bytes(job.shape, job.context_tokens, job.sequences, job.kv.bits) / GB
        return {"weights": _weights_gb(job), "kv": kv_gb, "overhead": RUNTIME_OVERHEAD_GB}
    return {
        "weights": _weights_gb(job),
        "activations": _adapter_activations_gb(job),
        "overhead": RUNTIME_OVERHEAD_GB,
        "adapter": adapter_gb(job.shape.params_b, job.rank),
    }


def total_gb(job: Job) -> float:
    """The need in GB."""
    return sum(amounts_gb(job).values())


def real_4bit(job: Job) -> Job | None:
    """The same job with a real 4-bit file, where the guide's half byte a parameter was taken."""
    if not job.guide or job.fmt.name not in {"int4", "nf4"} or job.workload != "infer":
        return None
    return replace(job, fmt=weight_format(REAL_4BIT))


def band_gb(job: Job, need_gb: float) -> tuple[float, float]:
    """The lower and upper end of the need, GB.

    Tuning without a named loss: from a fused to an ordinary one. Inference of a bare size in 4 bit: up to the real
    file. Otherwise both are the need.
    """
    if job.is_tuning:
        return (need_gb, need_gb) if job.loss else (total_gb(replace(job, loss="fused")), need_gb)
    real = real_4bit(job)
    return need_gb, max(need_gb, total_gb(real)) if real else need_gb


def per_gpu_gb(need_gb: float, count: int) -> float:
    """GB that each GPU of a set takes: the need split evenly, but for one process' overhead on each.

    Source: sizing guide, rules ("Choice").

    >>> round(per_gpu_gb(34.8, 2), 1)
    18.4
    """
    return (need_gb - RUNTIME_OVERHEAD_GB) / count + RUNTIME_OVERHEAD_GB


def kv_cache(job: Job) -> KvCache:
    """KV cache of one more token, and of the whole question (0 in tuning, which keeps none)."""
    total = 0 if job.is_tuning else kv_bytes(job.shape, job.context_tokens, job.sequences, job.kv.bits)
    return KvCache(bytes_per_token=kv_bytes_per_token(job.shape, job.kv.bits), gb=total / GB)


def need_of(job: Job) -> Need:
    """The need with its terms; `per_gpu_gb` is left to the caller, who knows the sets."""
    amounts = amounts_gb(job)
    total = sum(amounts.values())
    low, high = band_gb(job, total)
    terms = tuple(
        Term(name=name, gb=gb, formula=_FORMULAS[name](job), basis=_basis(job, name)) for name, gb in amounts.items()
    )
    return Need(total_gb=total, per_gpu_gb=None, low_gb=low, high_gb=high, terms=terms)


def _basis(job: Job, name: TermName) -> Basis:
    if name == "kv":
        return "guide" if job.guide else "exact"
    if name == "weights" and job.workload != "full" and not (job.guide and job.fmt.guide_bytes):
        return job.fmt.term_basis
    return "guide"


def _parameters(job: Job) -> str:
    return f"{job.shape.params_b:g} × 10⁹" if job.guide else f"{job.shape.params_total:,}"


def _weights_formula(job: Job) -> str:
    shape, fmt = job.shape, job.fmt
    if job.workload == "full":
        return f"{_parameters(job)} × {RECIPES[job.optimizer].weights:g} B"
    if shape.components:
        parts = " + ".join(f"{part} {count:,}" for part, count in shape.components)
        return f"({parts}) at {fmt.name}"
    if job.guide and fmt.guide_bytes:
        return f"{_parameters(job)} × {fmt.guide_bytes:g} B"
    if fmt.whole_model_bits:
        return f"{_parameters(job)} × {fmt.whole_model_bits:g} bit, the file's average"
    apart = shape.embedding_params + shape.vision_params
    text = (
        f"{shape.params_total - apart:,} × {fmt.bits_linear:g} bit"
        f" + {apart:,} embeddings{', head' if not shape.tie_word_embeddings else ''}"
        f"{', vision' if shape.vision_params else ''} × {fmt.bits_embedding:g} bit"
    )
    if job.workload == "qlora":
        text += f" + {shape.embedding_params:,} × 2 B more, as preparation turns them to fp32"
    return text


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
        text = f"{anchor_gb(shape.params_b):.3g} GB at 2,048 tokens; {job.tokens - DEFAULT_SEQUENCE_TOKENS:+,} tokens"
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


_FORMULAS = {
    "weights": _weights_formula,
    "kv": _kv_formula,
    "overhead": lambda _job: "CUDA context, framework, fragmentation of one process",
    "adapter": lambda job: (
        f"{ADAPTER_SHARE:.1%} × {_parameters(job)} × {ADAPTER_BYTES} B × rank {job.rank} / {ADAPTER_RANK}"
    ),
    "gradients": lambda job: _states_formula(job, RECIPES[job.optimizer].gradients, "gradients"),
    "optimizer": lambda job: _states_formula(job, RECIPES[job.optimizer].optimizer, f"{job.optimizer} states"),
    "activations": _activations_formula,
}

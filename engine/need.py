"""The need: every term of the memory, by the sizing guide's rules.

`amounts_gb` gives the figures, `terms` the same with formula and basis. A bare size keeps the guide's bytes and
shapes; a named model has exact parameters and real bits. Nothing is rounded.
"""

from typing import Final

from engine.adapters import adapter_params
from engine.answer import Basis, KvCache, Need, Term, TermName
from engine.bands import band_of
from engine.formats import weight_format
from engine.formulas import TERM_FORMULAS
from engine.job import Job
from engine.kv_cache import kv_bytes, kv_bytes_per_token
from engine.overhead import RUNTIME_OVERHEAD_GB
from engine.profiles.load import Load
from engine.tuning import (
    ADAPTER_BYTES,
    DEFAULT_SEQUENCE_TOKENS,
    FULL_TUNING_ALLOWANCE,
    LEAST_ACTIVATIONS_GB,
    LOSS_BYTES,
    RECIPES,
    adapter_gb,
    anchor_gb,
    computing_b,
    guide_targets,
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
    if job.workload == "qlora" and not job.guide and job.tuning.kbit_preparation is not False:
        stored += _upcast_bytes(job)
    return stored / GB


def _upcast_bytes(job: Job) -> int:
    """k-bit preparation turns 16-bit embeddings and head to fp32: 2 bytes more each."""
    return 2 * job.shape.embedding_params


def _adapter_gb(job: Job) -> float:
    """GB of the adapter: the guide's share of the parameters, of a named model by its own attention projections."""
    if job.guide:
        return adapter_gb(job.shape.params_b, job.rank)
    return ADAPTER_BYTES * adapter_params(job.shape, job.rank, guide_targets(job.tuning)) / GB


def _trained_embeddings_gb(job: Job) -> float:
    """GB of embeddings and head that are trained beside the adapter: 16 bytes each."""
    if not job.tuning.train_embeddings:
        return 0.0
    return ADAPTER_BYTES * 2 * job.shape.vocab_size * job.shape.hidden_size / GB


def _vocabulary_bytes(job: Job, tokens: int) -> float:
    return LOSS_BYTES[job.loss or "plain"] * tokens * job.shape.vocab_size


def _adapter_activations_gb(job: Job) -> float:
    """GB of activations of LoRA and QLoRA, and never less than 1 GB."""
    shape, tokens = job.shape, job.tokens
    layers, hidden = shape.num_hidden_layers, shape.hidden_size
    vocabulary = _vocabulary_bytes(job, tokens) - LOSS_BYTES["plain"] * DEFAULT_SEQUENCE_TOKENS * shape.vocab_size
    grown = (tokens - DEFAULT_SEQUENCE_TOKENS) * slope_bytes(layers, hidden) + vocabulary
    checkpointed_gb = max(LEAST_ACTIVATIONS_GB, anchor_gb(computing_b(shape, guide=job.guide)) + grown / GB)
    if job.checkpointing == "on":
        return checkpointed_gb
    return max(LEAST_ACTIVATIONS_GB, checkpointed_gb + kept_bytes(tokens, layers, hidden, job.checkpointing) / GB)


def _full_activations_gb(job: Job) -> float:
    """GB of activations of full tuning: 15% of the states, and the tokens past 2,048."""
    shape, beyond = job.shape, max(0, job.tokens - DEFAULT_SEQUENCE_TOKENS)
    states_gb = shape.params_b * RECIPES[job.optimizer].total
    grown = beyond * slope_bytes(shape.num_hidden_layers, shape.hidden_size) + _vocabulary_bytes(job, beyond)
    kept = kept_bytes(job.tokens, shape.num_hidden_layers, shape.hidden_size, job.checkpointing)
    return max(0.0, FULL_TUNING_ALLOWANCE * states_gb + (grown + kept) / GB)


def amounts_gb(job: Job) -> Amounts:
    """GB of every term on the GPUs, in the order in which a card shows them."""
    if job.workload == "full":
        recipe, params_b = RECIPES[job.optimizer], job.shape.params_b
        optimizer: Amounts = {} if job.tuning.offload_cpu else {"optimizer": params_b * recipe.optimizer}
        return {
            "weights": params_b * recipe.weights,
            "gradients": params_b * recipe.gradients,
            **optimizer,
            "activations": _full_activations_gb(job),
        }
    if job.workload == "infer":
        if job.shape.kind == "diffusion":
            return {"weights": _weights_gb(job), "overhead": RUNTIME_OVERHEAD_GB}
        kv_gb = kv_bytes(job.shape, job.context_tokens, job.sequences, job.kv.bits) / GB
        return {"weights": _weights_gb(job), "kv": kv_gb, "overhead": RUNTIME_OVERHEAD_GB}
    return {
        "weights": _weights_gb(job),
        "activations": _adapter_activations_gb(job),
        "overhead": RUNTIME_OVERHEAD_GB,
        "adapter": _adapter_gb(job) + _trained_embeddings_gb(job),
    }


def total_gb(job: Job) -> float:
    """The need in GB."""
    return sum(amounts_gb(job).values())


def real_4bit(job: Job) -> Job | None:
    """The same job with a real 4-bit file, where the guide's half byte a parameter was taken."""
    if not job.guide or job.fmt.name not in {"int4", "nf4"} or job.workload != "infer":
        return None
    return job._replace(fmt=weight_format(REAL_4BIT))


def band_gb(job: Job, need_gb: float) -> tuple[float, float]:
    """The lower and upper end of the need, GB.

    A named model: over the engines that could run it. A bare size: tuning without a named loss from a fused to an
    ordinary one, inference in 4 bit up to the real file; otherwise both are the need.
    """
    if not job.guide and job.shape.kind != "diffusion":
        band = band_of(job)
        return min(need_gb, band.low_gb), max(need_gb, band.high_gb)
    if job.is_tuning:
        return (need_gb, need_gb) if job.loss else (total_gb(job._replace(loss="fused")), need_gb)
    real = real_4bit(job)
    return need_gb, max(need_gb, total_gb(real)) if real else need_gb


def per_gpu_gb(need_gb: float, count: int) -> float:
    """GB that each GPU of a set takes: the need split evenly, but for one process' overhead on each.

    Source: sizing guide, rules ("Choice").

    >>> round(per_gpu_gb(34.8, 2), 1)
    18.4
    """
    return (need_gb - RUNTIME_OVERHEAD_GB) / count + RUNTIME_OVERHEAD_GB


def kv_cache(job: Job, need: Need) -> KvCache:
    """KV cache of one more token, and of the whole question as the need counts it (0 in tuning, which keeps none)."""
    total_gb_of_cache = sum(term.gb for term in need.terms if term.name == "kv")
    return KvCache(bytes_per_token=kv_bytes_per_token(job.shape, job.kv.bits), gb=total_gb_of_cache)


def need_of(job: Job) -> Need:
    """The need with its terms; `per_gpu_gb` is left to the caller, who knows the sets."""
    amounts = amounts_gb(job)
    total = sum(amounts.values())
    low, high = band_gb(job, total)
    terms = tuple(
        Term(name=name, gb=gb, formula=TERM_FORMULAS[name](job), basis=_basis(job, name))
        for name, gb in amounts.items()
    )
    return Need(total_gb=total, per_gpu_gb=None, low_gb=low, high_gb=high, terms=terms)


def _basis(job: Job, name: TermName) -> Basis:
    if name == "kv":
        return "guide" if job.guide else "exact"
    if name == "adapter" and not job.guide:
        return "exact"
    if name == "weights" and job.workload != "full" and not (job.guide and job.fmt.guide_bytes):
        return job.fmt.term_basis
    return "guide"


def need_of_load(load: Load, *, per_gpu: bool) -> Need:
    """The need by an engine's profile; `per_gpu` says whether the GPUs are named."""
    terms = tuple(
        Term(
            name=part.name,
            gb=part.gb,
            formula=part.formula,
            basis=part.basis,
            rows=load.evidence if part.basis == "measured" else "",
        )
        for part in load.parts
    )
    return Need(
        total_gb=load.total_gb,
        per_gpu_gb=load.per_gpu_gb if per_gpu else None,
        low_gb=load.low_gb,
        high_gb=load.high_gb,
        terms=terms,
    )

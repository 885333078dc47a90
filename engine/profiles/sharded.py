"""FSDP and DeepSpeed ZeRO-3: states in shards, layers gathered while they are at work."""

from engine.formulas import weights_formula
from engine.job import Job
from engine.profiles.constants import constant
from engine.profiles.layers import (
    adapter_bytes,
    allocator_slack,
    cuda_context,
    eager_scores,
    kept_and_working_bytes,
    loss_bytes,
)
from engine.profiles.load import Load, Share, layout_of, parts_on
from engine.profiles.training import full_step_bytes, hf_adapter, quantised_inputs, states
from engine.profiles.weights import stored_bytes
from engine.units import GB

ROWS = "T119-T124; T157-T158; T209; T211-T212; T248-T253"


def sharded(job: Job, gpus: int) -> Load:
    """States over `gpus` shards, and on each GPU the gathered layers and the step's activations."""
    zero3 = job.engine == "zero3"
    each = _full(job, gpus, zero3=zero3) if job.workload == "full" else _adapter(job, gpus, zero3=zero3)
    parts = parts_on(gpus, (*each, eager_scores(job), cuda_context()))
    return Load(parts, gpus, layout_of(gpus, "sharded"), constant("sharded.low"), constant("sharded.high"), ROWS)


def _gathered_bytes(job: Job, stored: float) -> float:
    """Bytes of two layers as stored, and of embeddings and head in 16 bit (half of them under LoRA)."""
    shape = job.shape
    embeddings = 2.0 * shape.embedding_params
    layers = (stored - embeddings) / shape.num_hidden_layers * constant("sharded.gathered_layers")
    return layers + embeddings * (1.0 if job.workload == "full" else 0.5)


def _adapter(job: Job, gpus: int, *, zero3: bool) -> tuple[Share, ...]:
    stored = stored_bytes(job)
    activations = kept_and_working_bytes(job, quantised_inputs=quantised_inputs(job))
    logits = loss_bytes(job)
    return (
        Share("weights", stored / gpus, f"({weights_formula(job)}) / {gpus}"),
        Share("adapter", adapter_bytes(job, hf_adapter(job)) / gpus, f"rank {job.rank} / {gpus}"),
        Share("gather", _gathered_bytes(job, stored), "two layers, half of embeddings and head"),
        Share("activations", activations, f"{job.tokens:,} tokens, as in hf"),
        Share("logits", logits, f"{job.tokens:,} tokens × {job.shape.vocab_size:,} vocabulary"),
        allocator_slack(activations + logits),
        Share("overhead", constant("sharded.zero3_gb") * GB * zero3, "ZeRO-3's buckets"),
    )


def _full(job: Job, gpus: int, *, zero3: bool) -> tuple[Share, ...]:
    step = full_step_bytes(job)
    params = job.shape.params_total
    if zero3 and job.optimizer == "adam":
        each = constant("sharded.deepspeed_full_bytes" if gpus > 1 else "sharded.deepspeed_single_bytes")
        return (
            Share("optimizer", each * params / gpus, f"{params:,} × {each:g} B / {gpus}: weights, gradients, states"),
            Share("overhead", constant("sharded.deepspeed_full_gb") * GB, "DeepSpeed's buffers"),
            Share("activations", step, f"{job.tokens:,} tokens, as in hf"),
            allocator_slack(step),
        )
    stored = states(job)
    return (
        *(Share(name, size / gpus, f"({formula}) / {gpus}") for name, size, formula in stored),
        Share("gather", _gathered_bytes(job, stored[0].size_bytes), "two layers, embeddings and head"),
        Share("activations", step, f"{job.tokens:,} tokens, as in hf"),
        allocator_slack(step),
        Share("overhead", constant("sharded.zero3_gb") * GB * zero3, "ZeRO-3's buckets"),
    )

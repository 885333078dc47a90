"""Activations, logits and adapters of tuning: what the profiles share. Bytes on one GPU in one step.

Symbols of the formulas: t tokens (sequence x batch), L layers, h hidden, i intermediate (of a mixture: of the experts
that a token passes), V vocabulary.
"""

from engine.adapters import adapter_params
from engine.job import Job
from engine.profiles.constants import constant
from engine.profiles.load import Share
from engine.shape import Shape
from engine.units import GB


def intermediate_width(shape: Shape) -> int:
    """Width of the MLP that a token passes: of a mixture, of all its active experts."""
    if shape.is_mixture:
        return shape.moe_intermediate_size * (shape.experts_per_token + shape.shared_experts)
    return shape.intermediate_size


def layer_bytes(job: Job) -> float:
    """Bytes a token of one layer while its backward step runs."""
    shape = job.shape
    kind = "full" if job.workload == "full" else "frozen"
    if job.tuning.compile:
        kind = f"compiled_{kind}"
    elif shape.structure.mlp_matrices == 2:
        kind = "two_matrix"
    hidden, intermediate = constant(f"layer.{kind}_hidden"), constant(f"layer.{kind}_intermediate")
    return hidden * shape.hidden_size + intermediate * intermediate_width(shape)


def kept_and_working_bytes(job: Job, *, quantised_inputs: bool) -> float:
    """Bytes of activations in one step: what is kept until the backward step, and the layer at work.

    Args:
        job: workload, checkpointing and load.
        quantised_inputs: without checkpointing, a 4-bit base keeps every linear's input too.
    """
    shape, tokens = job.shape, job.tokens
    working = tokens * layer_bytes(job)
    kept = constant("checkpoint.bytes") * tokens * shape.num_hidden_layers * shape.hidden_size
    if job.checkpointing == "on":
        return kept + working
    if job.checkpointing == "selective":
        selective = constant("checkpoint.selective_bytes")
        return selective * tokens * shape.num_hidden_layers * shape.hidden_size + working
    if job.checkpointing == "offload":
        return constant("checkpoint.offload_bytes") * tokens * shape.hidden_size + working
    everything = shape.num_hidden_layers * working
    if quantised_inputs:
        inputs = constant("layer.quantised_hidden") * shape.hidden_size
        inputs += constant("layer.quantised_intermediate") * intermediate_width(shape)
        everything += tokens * shape.num_hidden_layers * inputs
    return everything if job.checkpointing == "off" else (everything + kept + working) / 2


def kept_bytes(job: Job) -> float:
    """Bytes that stay from the forward step with checkpointing on: 2 x t x L x h."""
    shape = job.shape
    return constant("checkpoint.bytes") * job.tokens * shape.num_hidden_layers * shape.hidden_size


def loss_bytes(job: Job, plain: str = "loss.plain") -> float:
    """Bytes of logits and their gradients: b x t x V, b by the loss; `plain` names the engine's ordinary one."""
    each = constant(plain) if job.loss in {None, "plain"} else constant(f"loss.{job.loss}")
    return each * job.tokens * job.shape.vocab_size


def trained_embedding_bytes(job: Job) -> float:
    """Bytes of embeddings and head that are trained beside the adapter, fp32 AdamW."""
    if not job.tuning.train_embeddings:
        return 0.0
    return constant("adapter.fp32") * 2 * job.shape.vocab_size * job.shape.hidden_size


def adapter_bytes(job: Job, name: str) -> float:
    """Bytes of the adapter with its gradients and optimizer states; `name` is the constant for one parameter."""
    return constant(name) * adapter_params(job.shape, job.rank, job.tuning.targets or "all") + trained_embedding_bytes(
        job
    )


def cuda_context() -> Share:
    """What a process takes before it does anything."""
    return Share("context", constant("context.gb") * GB, "CUDA context and libraries")


def allocator_slack(activations_bytes: float) -> Share:
    """What the allocator reserves beyond activations and logits."""
    share = constant("slack.share")
    return Share("slack", share * activations_bytes, f"{share:.0%} of activations and logits: the allocator's")


def eager_scores(job: Job) -> Share:
    """Attention scores and their softmax of one layer, where attention is not flash attention."""
    heads, each = job.shape.num_attention_heads, constant("transformers.eager_bytes")
    scores = each * heads * job.sequences * job.context_tokens**2 if job.options.eager_attention else 0.0
    return Share("workspace", scores, f"{each:g} B × {heads} heads × {job.sequences} × {job.context_tokens:,}²")

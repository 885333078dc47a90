"""Tuning on each GPU by itself: Hugging Face (PEFT, TRL, axolotl), torchtune and native loops, unsloth."""

from engine.formats import weight_format
from engine.formulas import weights_formula
from engine.job import Job
from engine.profiles.constants import constant
from engine.profiles.layers import (
    adapter_bytes,
    allocator_slack,
    cuda_context,
    eager_scores,
    kept_and_working_bytes,
    kept_bytes,
    layer_bytes,
    loss_bytes,
)
from engine.profiles.load import Load, Share, layout_of, parts_on
from engine.profiles.weights import double_quantised_bytes, stored_bytes
from engine.tuning import RECIPES
from engine.units import GB

HF_ADAPTER_ROWS = "T062-T130; T161; T163-T167; T169-T170; T172-T173; T175-T176; T178-T179; T182; T185-T192; T206; T208"
HF_FULL_ROWS = "T080-T085; T205"
TORCHTUNE_ROWS = "T001-T018; T024-T040; T254-T256; T260"
UNSLOTH_ROWS = "Y001-Y016; T268-T278; T286; T288; T290; T292-T294; T296; T298"

_ADAPTER_OF_OPTIMIZER = {"adam8bit": "adapter.8bit", "paged8bit": "adapter.8bit", "adam-bf16": "adapter.native"}


def prepares(job: Job) -> bool:
    """Whether k-bit preparation turns embeddings and head to fp32: PEFT's default for a 4-bit base."""
    if job.tuning.kbit_preparation is not None:
        return job.tuning.kbit_preparation
    return job.workload == "qlora" and job.engine == "hf"


def prepared_bytes(job: Job) -> float:
    """Bytes that k-bit preparation adds: 2 more for each entry of embeddings and head."""
    return 2.0 * job.shape.embedding_params if prepares(job) else 0.0


def quantised_inputs(job: Job) -> bool:
    """Whether a 4-bit base keeps the inputs of its linears when nothing is recomputed."""
    return job.workload == "qlora"


def hf(job: Job, gpus: int) -> Load:
    """PEFT, TRL, axolotl, ms-swift on each of `gpus` GPUs."""
    low, high = constant("hf.low"), constant("hf.high")
    if job.workload == "full":
        return Load(parts_on(gpus, _hf_full(job)), gpus, layout_of(gpus, "replica"), low, high, HF_FULL_ROWS)
    activations = kept_and_working_bytes(job, quantised_inputs=quantised_inputs(job))
    logits = loss_bytes(job, "loss.plain_fp32_head" if prepares(job) else "loss.plain")
    prepared = prepared_bytes(job)
    formula = weights_formula(job) + (f" + {prepared / GB:,.2f} GB, turned to fp32" if prepared else "")
    each = (
        Share("weights", stored_bytes(job) + prepared, formula),
        Share("activations", activations, _activations_formula(job)),
        Share("logits", logits, _loss_formula(job)),
        allocator_slack(activations + logits),
        Share("adapter", adapter_bytes(job, hf_adapter(job)), f"rank {job.rank}, {constant(hf_adapter(job)):g} B each"),
        eager_scores(job),
        cuda_context(),
    )
    return Load(parts_on(gpus, each), gpus, layout_of(gpus, "replica"), low, high, HF_ADAPTER_ROWS)


def hf_adapter(job: Job) -> str:
    """The constant for one adapter parameter under the optimizer."""
    return _ADAPTER_OF_OPTIMIZER.get(job.optimizer, "adapter.fp32")


def states(job: Job) -> tuple[Share, ...]:
    """Weights, gradients and optimizer states of full tuning, bytes."""
    recipe, params = RECIPES[job.optimizer], job.shape.params_total
    return (
        Share("weights", recipe.weights * params, f"{params:,} × {recipe.weights:g} B"),
        Share("gradients", recipe.gradients * params, f"{params:,} × {recipe.gradients:g} B"),
        Share("optimizer", recipe.optimizer * params, f"{params:,} × {recipe.optimizer:g} B, {job.optimizer}"),
    )


def full_step_bytes(job: Job, plain: str = "loss.plain") -> float:
    """Bytes of the step's peak: what is kept, and the larger of the layer at work and the logits."""
    working, logits = job.tokens * layer_bytes(job) * _has_working_layer(job), loss_bytes(job, plain)
    return kept_and_working_bytes(job, quantised_inputs=False) - working + max(working, logits)


def _has_working_layer(job: Job) -> bool:
    return job.checkpointing != "off"


def _hf_full(job: Job) -> tuple[Share, ...]:
    step = full_step_bytes(job)
    workspace = constant("hf.step_bytes") * job.shape.params_total
    peak: tuple[Share, ...]
    if (1 + constant("slack.share")) * step >= workspace:
        peak = (
            Share("activations", step, f"{_activations_formula(job)}, or the logits at the end"),
            allocator_slack(step),
        )
    else:
        peak = (Share("workspace", workspace, "2 B a parameter while the optimizer steps"),)
    return (*states(job), *peak, eager_scores(job), cuda_context())


def torchtune(job: Job, gpus: int) -> Load:
    """Torchtune and native PyTorch loops on each of `gpus` GPUs."""
    low, high = constant("torchtune.low"), constant("torchtune.high")
    each = _torchtune_full(job) if job.workload == "full" else _torchtune_adapter(job)
    parts = parts_on(gpus, (*each, eager_scores(job), cuda_context()))
    return Load(parts, gpus, layout_of(gpus, "replica"), low, high, TORCHTUNE_ROWS)


def _torchtune_full(job: Job) -> tuple[Share, ...]:
    weights, gradients, optimizer = states(job)
    forward = full_step_bytes(job, "loss.plain_native")
    backward = gradients.size_bytes + job.tokens * layer_bytes(job)
    if forward >= backward:
        formula = f"{_activations_formula(job)}, or the logits at the end"
        return weights, optimizer, Share("activations", forward, formula)
    return weights, optimizer, gradients, Share("activations", backward - gradients.size_bytes, "one layer at work")


def _torchtune_adapter(job: Job) -> tuple[Share, ...]:
    activations = kept_and_working_bytes(job, quantised_inputs=quantised_inputs(job))
    return (
        Share("weights", stored_bytes(job), weights_formula(job)),
        Share("activations", activations, _activations_formula(job)),
        Share("logits", loss_bytes(job, "loss.plain_native"), _loss_formula(job)),
        Share("adapter", adapter_bytes(job, "adapter.native"), f"rank {job.rank}, 8 B each"),
    )


def unsloth(job: Job, gpus: int) -> Load:
    """Unsloth on each of `gpus` GPUs: checkpoints in host memory, a fused loss."""
    activations = job.tokens * (layer_bytes(job) + constant("unsloth.hidden_bytes") * job.shape.hidden_size)
    formula = f"{job.tokens:,} tokens × (4 × hidden + one layer), fused loss"
    if job.checkpointing not in {"on", "offload"}:
        activations = kept_and_working_bytes(job, quantised_inputs=False)
        formula = _activations_formula(job)
    quantised = job.workload == "qlora"
    weights = double_quantised_bytes(job) if quantised else stored_bytes(job)
    base = f"nf4 with double quantisation, {weight_format('nf4-dq').bits_linear:g} bit linear, 16 bit embeddings"
    each = (
        Share("weights", weights, base if quantised else weights_formula(job)),
        Share("activations", activations, formula),
        Share("adapter", adapter_bytes(job, "adapter.8bit"), f"rank {job.rank}, 10 B each"),
        Share("context", constant("unsloth.context_gb") * GB, "context and buffers"),
    )
    low, high = constant("unsloth.low"), constant("unsloth.high")
    return Load(parts_on(gpus, each), gpus, layout_of(gpus, "replica"), low, high, UNSLOTH_ROWS)


def _activations_formula(job: Job) -> str:
    kept = f"{kept_bytes(job) / GB:,.2f} GB kept (2 B × tokens × layers × hidden)"
    if job.checkpointing != "on":
        kept = f"checkpointing {job.checkpointing}"
    return f"{job.tokens:,} tokens: {kept} + {layer_bytes(job):,.0f} B a token for the layer at work"


def _loss_formula(job: Job) -> str:
    return f"{job.tokens:,} tokens × {job.shape.vocab_size:,} vocabulary, loss {job.loss or 'plain'}"

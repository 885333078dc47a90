"""transformers and llama.cpp: what serving takes."""

from engine.formulas import weights_formula
from engine.job import Job
from engine.kv_cache import kv_bytes, kv_bytes_llama_cpp
from engine.profiles.constants import constant
from engine.profiles.layers import cuda_context, intermediate_width
from engine.profiles.load import Load, Part, Share, layout_of, parts_on
from engine.profiles.weights import stored_bytes
from engine.units import GB
from engine.weights import gguf_bits

TRANSFORMERS_ROWS = "I001-I134"
LLAMA_CPP_ROWS = "W016-W019; C015-C021; C023-C024; C030-C033; I213-I215"


def transformers(job: Job, gpus: int) -> Load:
    """Hugging Face transformers: weights, cache and the activations of the prompt, one process.

    Over several GPUs the layers are split, and each GPU sees the whole prompt.
    """
    shape, prompt = job.shape, job.prompt_tokens
    cache = kv_bytes(shape, job.context_tokens, job.sequences, job.kv.bits)
    cache_formula = f"{job.context_tokens:,} tokens × {job.sequences}"
    if job.options.growing_cache:
        growing = constant("transformers.growing_cache")
        cache, cache_formula = int(cache * growing), f"{cache_formula} × {growing:g}, copied to grow"
    width = (
        constant("prefill.intermediates") * intermediate_width(shape) + constant("prefill.hiddens") * shape.hidden_size
    )
    prefill = constant("prefill.value_bytes") * prompt * job.sequences * width
    scores = 0.0
    if job.options.eager_attention:
        scores = constant("transformers.eager_bytes") * shape.num_attention_heads * job.sequences * prompt**2
    logits = constant("transformers.full_logits_bytes") * prompt * job.sequences * shape.vocab_size
    once = (
        Part("weights", stored_bytes(job) / GB, weights_formula(job), job.fmt.term_basis),
        Part("kv", cache / GB, cache_formula, "exact"),
    )
    each = parts_on(
        gpus,
        (
            Share("workspace", prefill, f"prompt {prompt:,} × {job.sequences} × 2 B × (3 × intermediate + 4 × hidden)"),
            Share("activations", scores, f"8 B × {shape.num_attention_heads} heads × {job.sequences} × {prompt:,}²"),
            Share("logits", logits * job.options.full_logits, f"6 B × {prompt:,} × {shape.vocab_size:,} vocabulary"),
            Share("overhead", constant("transformers.rest_gb") * GB, "what stays at a short prompt"),
            cuda_context(),
        ),
    )
    is_long = prompt > constant("transformers.long_prompt_tokens")
    high = constant("transformers.high_long_prompt" if is_long else "transformers.high")
    low = constant("transformers.low")
    return Load(once + each, gpus, layout_of(gpus, "layer-split"), low, high, TRANSFORMERS_ROWS)


def llama_cpp(job: Job, gpus: int) -> Load:
    """llama.cpp: weights without the untied input embedding, the cache of all slots, the compute buffer."""
    shape, options = job.shape, job.options
    slots = options.slots or job.sequences
    ubatch = options.ubatch or int(constant("llama.cpp.ubatch"))
    n_ctx = job.context_tokens * slots
    in_host = 0.0
    if not shape.tie_word_embeddings:
        bits = gguf_bits(shape, job.fmt) if job.fmt.kind == "gguf" else (job.fmt.bits_embedding or 16)
        in_host = shape.vocab_size * shape.hidden_size * bits / 8
    formula = weights_formula(job) + ("; the input embedding stays in host memory" if in_host else "")
    once = (
        Part("weights", (stored_bytes(job) - in_host) / GB, formula, job.fmt.term_basis),
        Part("kv", kv_bytes_llama_cpp(shape, n_ctx, slots, ubatch, job.kv.bits) / GB, f"{n_ctx:,} cells", "exact"),
    )
    each = (
        Share("workspace", _compute_buffer_bytes(job, ubatch, n_ctx), _buffer_formula(job, ubatch)),
        Share("context", constant("llama.cpp.rest_gb") * GB, "context and what llama.cpp takes for itself"),
        Share("overhead", constant("llama.cpp.gpu_gb") * (gpus - 1) * GB, f"{gpus - 1} further GPUs"),
    )
    low, high = constant("llama.cpp.low"), constant("llama.cpp.high")
    return Load(once + parts_on(1, each), gpus, layout_of(gpus, "layer-split"), low, high, LLAMA_CPP_ROWS)


def _compute_buffer_bytes(job: Job, ubatch: int, n_ctx: int) -> float:
    shape = job.shape
    fused = ubatch * (
        constant("llama.cpp.logit_bytes") * shape.vocab_size + constant("llama.cpp.hidden_bytes") * shape.hidden_size
    )
    latent = 0.0
    if shape.attention == "mla" and shape.num_attention_heads >= constant("llama.cpp.mla_heads"):
        latent = constant("llama.cpp.mla_bytes") * n_ctx
    if job.options.flash_attention is not False:
        return fused + latent
    scores = constant("llama.cpp.score_bytes") * ubatch * shape.num_attention_heads * n_ctx
    scores += constant("llama.cpp.unfused_hidden_bytes") * ubatch * shape.hidden_size
    return max(fused, scores) + latent


def _buffer_formula(job: Job, ubatch: int) -> str:
    text = f"micro-batch {ubatch} × (4 × {job.shape.vocab_size:,} + 6 × {job.shape.hidden_size:,}) B"
    return text if job.options.flash_attention is not False else f"{text}, or the scores without flash attention"

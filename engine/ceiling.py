"""The ceiling: tokens/s of one stream that memory bandwidth allows. A limit, never a benchmark.

Decoding one token reads every weight it uses once. Source: sizing guide, rules ("Ceiling").
"""

from engine.answer import Ceiling
from engine.gpus import Gpu
from engine.job import Job
from engine.kv_cache import kv_bytes
from engine.units import GB
from engine.weights import active_weight_bytes


def tokens_per_second(bandwidth_gb_s: float, read_gb: float) -> float:
    """Tokens/s of one stream.

    Args:
        bandwidth_gb_s: memory bandwidth, GB/s.
        read_gb: GB read for one token.

    >>> round(tokens_per_second(696.0, 26.0), 1)
    26.8
    """
    return bandwidth_gb_s / read_gb


def read_gb(job: Job) -> float:
    """GB of weights that one token reads: the active ones of a mixture of experts.

    A tuning question is about the tuned model served in its base's format.
    """
    return active_weight_bytes(job.shape, job.fmt, guide=job.guide) / GB


def full_context_read_gb(job: Job) -> float:
    """GB that one token reads at full context: the weights and the KV cache of one stream."""
    if job.is_tuning:
        return read_gb(job)
    return read_gb(job) + kv_bytes(job.shape, job.context_tokens, 1, job.kv.bits) / GB


def ceiling_of(job: Job, gpu: Gpu, count: int) -> Ceiling | None:
    """The ceiling on a set; None without a known bandwidth. A diffusion model makes no tokens and has none either.

    Several GPUs are split by layers, which is no faster than one; with `tp=` they read in parallel, at most as many
    times as fast as there are GPUs. `bandwidth_gb_s` is what reads at once.
    """
    if gpu.bandwidth_gb_s is None or job.shape.kind == "diffusion":
        return None
    read = read_gb(job)
    in_parallel = count > 1 and bool(job.options.tensor_parallel)
    bandwidth_gb_s = gpu.bandwidth_gb_s * (count if in_parallel else 1)
    return Ceiling(
        tokens_per_second=tokens_per_second(bandwidth_gb_s, read),
        read_gb=read,
        bandwidth_gb_s=bandwidth_gb_s,
        at_full_context=tokens_per_second(bandwidth_gb_s, full_context_read_gb(job)),
        layout="tensor-parallel" if in_parallel else "single" if count == 1 else "layer-split",
    )

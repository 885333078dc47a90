"""Tokens/s of all streams together that memory bandwidth allows: a limit, never a benchmark.

One decoding step reads the weights once for all streams, and each stream's KV cache.
"""

from engine.ceiling import read_gb, tokens_per_second
from engine.gpus import Gpu
from engine.job import Job
from engine.kv_cache import kv_bytes
from engine.units import GB
from engine.weights import weight_bytes


def streams_per_second(job: Job, gpu: Gpu, streams: int) -> float | None:
    """Tokens/s of so many streams on one GPU, or on several by layer split.

    One stream counts with its weights alone, as the ceiling does; several with the cache of each at full context. The
    streams of a mixture of experts take different experts, up to all of them.

    Args:
        job: what is served.
        gpu: of a set; its bandwidth is that of one GPU.
        streams: 1 or more.

    Returns:
        Tokens/s; None without a known bandwidth or for a model that makes no tokens.

    Source: sizing guide, rules ("Ceiling").

    >>> from engine.gpus import gpu
    >>> from engine.job import job_of
    >>> from engine.question import Question
    >>> job = job_of(Question(model="70b", params_b=70.0, weight_format="int4"))[0]
    >>> round(streams_per_second(job, gpu("a40"), 1), 1), round(streams_per_second(job, gpu("a40"), 4), 1)
    (19.9, 60.9)
    """
    if gpu.bandwidth_gb_s is None or job.shape.kind == "diffusion":
        return None
    if streams == 1:
        return tokens_per_second(gpu.bandwidth_gb_s, read_gb(job))
    weights_gb = min(streams * read_gb(job), weight_bytes(job.shape, job.fmt, guide=job.guide) / GB)
    cache_gb = kv_bytes(job.shape, job.context_tokens, streams, job.kv.bits) / GB
    return streams * tokens_per_second(gpu.bandwidth_gb_s, weights_gb + cache_gb)

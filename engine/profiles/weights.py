"""Weights as an engine stores them."""

from engine.formats import weight_format
from engine.job import Job
from engine.weights import weight_bytes


def stored_bytes(job: Job) -> float:
    """Bytes of the weights as stored; a tied head stands twice in transformers' FP8 checkpoints."""
    head_twice = job.engine == "transformers" and job.fmt.name == "fp8"
    return weight_bytes(job.shape, job.fmt, guide=False, head_twice=head_twice)


def double_quantised_bytes(job: Job) -> float:
    """Bytes of the weights in nf4 with double quantisation."""
    return weight_bytes(job.shape, weight_format("nf4-dq"), guide=False)

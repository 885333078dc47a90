"""The largest typical model that one GPU holds in each format, at 8k of context."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.answer import Verdict
from engine.choice import runs_format
from engine.fit import fit_of
from engine.formats import weight_format
from engine.gpus import Gpu
from engine.job import job_of
from engine.need import total_gb
from engine.question import Question

TYPICAL_SIZES_B: Final = (7.0, 13.0, 34.0, 70.0, 405.0)
"""Source: sizing guide, shapes."""
FORMATS: Final = ("bf16", "fp8", "int8", "int4")
CONTEXT_TOKENS: Final = 8192


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest model in a format; `params_b` is None where not even the smallest fits."""

    weight_format: str
    params_b: float | None
    need_gb: float | None
    verdict: Verdict


@cache
def _need_gb(params_b: float, fmt: str) -> float:
    question = Question(
        model=f"{params_b:g}b",
        params_b=params_b,
        workload="infer",
        weight_format=fmt,
        context_tokens=CONTEXT_TOKENS,
    )
    return total_gb(job_of(question)[0])


def largest_in(fmt: str, gpu: Gpu, count: int = 1) -> Largest:
    """The largest typical model in one format.

    >>> from engine.gpus import gpu
    >>> largest_in("int4", gpu("a40")).params_b
    70.0
    """
    for params_b in reversed(TYPICAL_SIZES_B):
        need_gb = _need_gb(params_b, fmt)
        fit = fit_of(need_gb, gpu.memory_gb, count)
        if fit.verdict != "no":
            return Largest(fmt, params_b, need_gb, fit.verdict)
    return Largest(fmt, None, None, "no")


def largest_models(gpu: Gpu, count: int = 1) -> tuple[Largest, ...]:
    """The largest typical model in each format that the hardware runs."""
    runnable = (fmt for fmt in FORMATS if runs_format(gpu, weight_format(fmt)))
    return tuple(largest_in(fmt, gpu, count) for fmt in runnable)

"""What a set has to hold of a job, and the room it has for it: by the guide, or by an engine's profile.

The guide compares the need with nominal capacity. A profile compares each GPU's share with what a process can use of
it; there the interval decides: the upper end must fit for `fits`, a lower end that does not is `no`. vLLM's own test
decides for vLLM: its parts within the share it reserves, and CUDA's context outside that share.
"""

from dataclasses import dataclass

from engine.answer import Layout, Verdict
from engine.fit import Fit, fit_of
from engine.gpus import Gpu
from engine.job import Job
from engine.need import per_gpu_gb, total_gb
from engine.profiles import load_of
from engine.profiles.constants import constant
from engine.profiles.load import Load
from engine.profiles.vllm import fit_test
from engine.usable import usable_gb


@dataclass(frozen=True, slots=True)
class Holding:
    """A job on a set. GB over all GPUs of it."""

    need_gb: float
    low_gb: float
    high_gb: float
    per_gpu_gb: float
    room_gb: float
    fit: Fit
    layout: Layout | None


def divides(job: Job, count: int) -> bool:
    """Whether the attention heads divide by the number of GPUs: tensor parallel is refused where they do not."""
    return job.shape.num_attention_heads % count == 0


def room_gb(job: Job, gpu: Gpu, count: int) -> float:
    """GB of a set that the need may take."""
    if job.engine == "guide":
        return gpu.memory_gb * count
    share = (job.options.util or constant("vllm.util")) if job.engine == "vllm" else 1.0
    return share * usable_gb(gpu) * count


def need_on_gb(job: Job, gpu: Gpu, count: int) -> float:
    """GB that the job takes on all GPUs of a set."""
    if job.engine == "guide":
        return total_gb(job)
    return load_of(job, gpu, count).per_gpu_gb * count


def holds(job: Job, gpu: Gpu, count: int) -> bool:
    """Whether a set holds the need: on nominal capacity, with an engine on usable memory."""
    if job.engine == "vllm":
        return divides(job, count) and fit_test(job, load_of(job, gpu, count), usable_gb(gpu)).passes
    return need_on_gb(job, gpu, count) <= room_gb(job, gpu, count)


def holding_of(job: Job, gpu: Gpu, count: int) -> Holding:
    """The job on a set that an offer or the question names."""
    room = room_gb(job, gpu, count)
    if job.engine == "guide":
        need = total_gb(job)
        return Holding(need, need, need, per_gpu_gb(need, count), room, fit_of(need, gpu.memory_gb, count), None)
    load = load_of(job, gpu, count)
    need = load.per_gpu_gb * count
    fit = Fit(_verdict(job, load, gpu), room - need)
    each_low_gb, each_high_gb = load.low_gb / load.gpus, load.high_gb / load.gpus
    return Holding(need, each_low_gb * count, each_high_gb * count, load.per_gpu_gb, room, fit, load.layout)


def _verdict(job: Job, load: Load, gpu: Gpu) -> Verdict:
    usable = usable_gb(gpu)
    if job.engine == "vllm":
        if not divides(job, load.gpus):
            return "no"
        test = fit_test(job, load, usable)
        return "fits" if test.passes_safely else "tight" if test.passes else "no"
    if load.high_gb / load.gpus <= usable:
        return "fits"
    return "no" if load.low_gb / load.gpus > usable else "tight"

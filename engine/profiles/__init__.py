"""Engine profiles: what a run really takes, as a sum of physical terms for each engine.

Context: the guide's flat allowance says "fits" for most out-of-memory reports. Choice: every profile is a small module
of named terms; nothing is a regression over totals. The guide and the profiles are never mixed in one sum. What a
profile does not know it refuses as not modelled. The figures stand in data/profile_constants.csv.
"""

from collections.abc import Callable
from dataclasses import replace

from engine.calibration import calibrated
from engine.gpus import Gpu
from engine.job import Job
from engine.profiles.inference import llama_cpp, transformers
from engine.profiles.load import Load
from engine.profiles.sharded import sharded
from engine.profiles.training import hf, prepared_bytes, torchtune, unsloth
from engine.profiles.vllm import vllm
from engine.question import Engine
from engine.units import GB


def load_of(job: Job, gpu: Gpu | None, count: int) -> Load:
    """The load of a job under its engine on a set.

    Args:
        job: the job; its engine is not `guide`.
        gpu: the kind of GPU, None where none is named.
        count: how many; `tp=` and `shards=` of the question go before it.
    """
    load = _profile(job, gpu, count)
    return calibrated(replace(load, floor_gb=_weights_gb(job, load)), job.own_runs)


def _weights_gb(job: Job, load: Load) -> float:
    """GB of the weights as their files hold them; a GGUF type is an average over files, and no floor."""
    if job.fmt.kind == "gguf":
        return 0.0
    stored_gb = sum(part.gb for part in load.parts if part.name == "weights")
    return stored_gb - (prepared_bytes(job) * load.gpus / GB if job.engine == "hf" else 0.0)


def _profile(job: Job, gpu: Gpu | None, count: int) -> Load:
    options = job.options
    if job.engine == "vllm":
        return vllm(job, gpu, options.tensor_parallel or count)
    if job.engine in {"fsdp", "zero3"} or options.shards:
        return sharded(job, options.shards or count)
    return _ALONE[job.engine](job, count)


_ALONE: dict[Engine, Callable[[Job, int], Load]] = {
    "transformers": transformers,
    "llama.cpp": llama_cpp,
    "ollama": llama_cpp,
    "hf": hf,
    "torchtune": torchtune,
    "unsloth": unsloth,
}

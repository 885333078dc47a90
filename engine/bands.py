"""How far the need of a named model reaches over the engines that could run it."""

from dataclasses import dataclass

from engine.gpus import Gpu
from engine.job import Job
from engine.profiles import load_of
from engine.profiles.load import Load
from engine.question import Engine


@dataclass(frozen=True, slots=True)
class Band:
    """The lowest and the highest end of the intervals, GB, and each engine's own need."""

    low_gb: float
    high_gb: float
    needs_gb: tuple[tuple[Engine, float], ...]


def engines_for(job: Job) -> tuple[Engine, ...]:
    """The engines that could run the job on one GPU."""
    if job.workload == "full":
        return ("hf", "torchtune")
    if job.workload == "lora":
        return ("hf", "torchtune", "unsloth")
    if job.workload == "qlora":
        return ("hf", "torchtune", "unsloth")
    return ("llama.cpp",) if job.fmt.kind == "gguf" else ("transformers", "vllm")


def band_of(job: Job, gpu: Gpu | None = None, count: int = 1) -> Band:
    """The band of a job whose engine was not named, on one GPU or over a set."""
    loads: list[tuple[Engine, Load]] = [
        (engine, load_of(job._replace(engine=engine), gpu, count)) for engine in engines_for(job)
    ]
    return Band(
        low_gb=min(load.low_gb for _, load in loads),
        high_gb=max(load.high_gb for _, load in loads),
        needs_gb=tuple((engine, load.total_gb) for engine, load in loads),
    )

"""Which engine does what, in which formats, on how many GPUs."""

from engine.errors import ConflictingWords
from engine.job import Job
from engine.question import Engine

SERVING: tuple[Engine, ...] = ("transformers", "vllm", "llama.cpp", "ollama")
TUNING: tuple[Engine, ...] = ("hf", "torchtune", "fsdp", "zero3", "unsloth")
SHARDING: tuple[Engine, ...] = ("hf", "torchtune", "fsdp", "zero3")
"""Engines whose states can lie in shards; hf and torchtune do it by FSDP."""
VLLM_CACHES = frozenset({"fp16", "fp8"})
"""KV formats that vLLM has. Source: vLLM's option --kv-cache-dtype."""


def check_engine(job: Job) -> None:
    """Raises ConflictingWords where the engine does not do what is asked, or not so."""
    if job.engine == "guide":
        return
    _check_work(job)
    _check_formats(job)
    if job.options.shards and job.engine not in SHARDING:
        raise ConflictingWords(
            f"{job.engine} shards={job.options.shards}",
            reason=f"{job.engine} in shards is not modelled",
            allowed="tp= for vllm" if job.engine == "vllm" else f"shards= with {', '.join(SHARDING)}",
        )


def _check_work(job: Job) -> None:
    engine, other = job.engine, TUNING if job.is_tuning else SERVING
    if engine not in other:
        doing = "tunes" if engine in TUNING else "serves"
        raise ConflictingWords(f"{job.workload} {engine}", reason=f"{engine} {doing} models", allowed=", ".join(other))
    if engine == "unsloth" and job.workload == "full":
        raise ConflictingWords(
            "full unsloth", reason="unsloth is modelled for LoRA and QLoRA", allowed="hf, fsdp, zero3"
        )


def _check_formats(job: Job) -> None:
    if job.fmt.kind == "gguf" and job.engine not in {"llama.cpp", "ollama"}:
        raise ConflictingWords(
            f"{job.fmt.name} {job.engine}", reason=f"{job.engine} is not modelled with GGUF files", allowed="llama.cpp"
        )
    if job.engine == "vllm" and job.kv.name not in VLLM_CACHES:
        raise ConflictingWords(
            f"kv={job.kv.name} vllm", reason="vLLM has no such cache", allowed="kv=fp16 or kv=fp8, or llama.cpp"
        )

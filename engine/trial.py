"""The 30-minute test before paying: how a model is served for it, and what to hold the four figures against.

Arguments are those of vLLM's and llama.cpp's servers. A tuning question has no server: its own training script is run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.job import Job
from engine.profiles.constants import constant

MINUTES: Final = 30
OUTPUT_TOKENS: Final = 256
"""Output of the test's requests, the rest of the context being prompt; ours."""
REQUESTS_A_USER: Final = 10
"""Enough for a 95th percentile that is not one request's; ours."""
LEAST_REQUESTS: Final = 40
TUNING_STEPS: Final = 20

_DTYPES: Final = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
_QUANTISED_ON_LOAD: Final = {"fp8": "fp8", "nf4": "bitsandbytes", "nf4-dq": "bitsandbytes"}
"""Formats that vLLM makes of a 16-bit checkpoint while it loads. Source: vLLM, quantization."""
_EIGHT_BITS: Final = 8


@dataclass(frozen=True, slots=True)
class Trial:
    """A test.

    Attributes:
        commands: to be typed, each in its parts; `MODEL` stands for a model without a repository, or in a format
            that its own repository does not hold.
        checkpoint: the format that the model's files have to be in beforehand; empty where it does not matter.
        requests: how many the test sends.
    """

    commands: tuple[tuple[str, ...], ...]
    checkpoint: str
    requests: int


def trial(job: Job, count: int) -> Trial:
    """The test of a job on a set of so many GPUs."""
    requests = max(LEAST_REQUESTS, REQUESTS_A_USER * job.sequences)
    if job.is_tuning:
        watch = ("nvidia-smi --query-gpu=memory.used --format=csv,noheader -l 1",)
        return Trial((watch,), "", TUNING_STEPS)
    if job.fmt.kind == "gguf":
        return Trial((tuple(_llama_server(job)),), job.fmt.name, requests)
    return Trial((tuple(_serve(job, count)), tuple(_bench(job, requests))), _checkpoint(job), requests)


def memory_share(job: Job) -> float:
    """The share of a GPU that vLLM takes."""
    return job.options.util or constant("vllm.util")


def _model(job: Job) -> str:
    return "MODEL" if _checkpoint(job) else job.shape.hf_repo or "MODEL"


def _serve(job: Job, count: int) -> Iterator[str]:
    yield f"vllm serve {_model(job)}"
    yield f"--max-model-len {job.context_tokens} --gpu-memory-utilization {memory_share(job):.2f}"
    if job.fmt.name in _DTYPES:
        yield f"--dtype {_DTYPES[job.fmt.name]}"
    elif job.fmt.name in _QUANTISED_ON_LOAD and job.shape.native_format != job.fmt.name:
        yield f"--quantization {_QUANTISED_ON_LOAD[job.fmt.name]}"
    if job.kv.bits <= _EIGHT_BITS:
        yield "--kv-cache-dtype fp8"
    if job.options.seqs or job.sequences > 1:
        yield f"--max-num-seqs {job.options.seqs or job.sequences}"
    if count > 1:
        yield f"--tensor-parallel-size {count}"


def _bench(job: Job, requests: int) -> Iterator[str]:
    output = min(OUTPUT_TOKENS, max(1, job.context_tokens // 4))
    yield f"vllm bench serve --model {_model(job)} --dataset-name random"
    yield f"--random-input-len {max(1, job.context_tokens - output)} --random-output-len {output}"
    yield f"--num-prompts {requests} --max-concurrency {job.sequences}"
    yield "--percentile-metrics ttft,tpot,e2el --metric-percentiles 95"


def _llama_server(job: Job) -> Iterator[str]:
    yield f"llama-server -m MODEL.{job.fmt.name.upper()}.gguf"
    yield f"-c {job.context_tokens * job.sequences} -np {job.sequences} -ngl 99"


def _checkpoint(job: Job) -> str:
    """The format of files that vLLM cannot make by itself."""
    name = job.fmt.name
    made = name in _DTYPES or name in _QUANTISED_ON_LOAD or job.shape.native_format == name
    return "" if made else "awq" if name == "int4" else name

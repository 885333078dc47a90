"""What is asked, after parsing: the value that goes into the engine.

`None` means that the asker did not say; the engine fills it in and lists it as an assumption.
"""

from decimal import Decimal
from typing import Literal

from pydantic import Field

from engine.shape import Shape
from engine.values import Usd, Value, Workload

Checkpointing = Literal["on", "off", "selective", "alternate", "offload"]
Optimizer = Literal[
    "adam", "adam-fp32", "adam-bf16", "adam8bit", "adam4bit", "paged8bit", "inbackward", "inbackward8bit"
]
Loss = Literal["plain", "fused", "bf16", "chunked", "linear-chunked"]
Targets = Literal["default", "all", "attn", "qv"]
Engine = Literal["guide", "transformers", "vllm", "llama.cpp", "ollama", "hf", "torchtune", "fsdp", "zero3", "unsloth"]


class GpuSet(Value):
    """GPUs of one kind. `gpu` is an id of engine/data/gpus.csv, or `24gb` for a nameless GPU of that size."""

    gpu: str
    count: int = Field(default=1, ge=1)


class Limits(Value):
    """What an offer may cost and be. Money in US dollars; `term_hours` is how long it would be rented."""

    usd_month: Usd | None = None
    usd_hour: Usd | None = None
    cuda: bool = False
    max_gpus: int | None = None
    provider: str | None = None
    term_hours: Decimal | None = None


class Tuning(Value):
    """How it is tuned."""

    rank: int | None = None
    checkpointing: Checkpointing | None = None
    optimizer: Optimizer | None = None
    loss: Loss | None = None
    targets: Targets | None = None
    train_embeddings: bool = False
    kbit_preparation: bool | None = None
    compile: bool = False
    zero_stage: int | None = None
    offload_cpu: bool = False


class EngineOptions(Value):
    """How the engine is started; meaningful to some profiles only."""

    util: float | None = None
    seqs: int | None = None
    slots: int | None = None
    ubatch: int | None = None
    flash_attention: bool | None = None
    eager_attention: bool = False
    full_logits: bool = False
    growing_cache: bool = False
    shards: int | None = None
    tensor_parallel: int | None = None


class Question(Value):
    """One question. `shape` is given only for a model outside the registry (a config file or pasted fields).

    Attributes:
        text: the question in the words of the grammar, capped, as it is shown again.
        model: a bare size as typed (`13b`), an id of the registry, or the name of the config.
        params_b: billions of parameters of a bare size; None for a named model.
        ollama_tag: the model was named by an Ollama tag, which pulls q4_k_m.
        context_tokens: prompt and output together; the sequence length in tuning.
        prompt_tokens: the prompt alone, where `in=` said it.
        batch: sequences at once; `users` is the same for people, each holding a full context.
        slower_taken: ids of GPUs taken as the slowest of several that the words allow.
        noted: words that the need does not follow, each with what became of it; shown with the answer.
        asked_hours: the question speaks of hours or of a term (the pick then warns of the shortest one).
    """

    text: str = ""
    model: str
    params_b: float | None = None
    shape: Shape | None = None
    ollama_tag: bool = False
    workload: Workload | None = None
    weight_format: str | None = None
    kv_format: str | None = None
    context_tokens: int | None = None
    prompt_tokens: int | None = None
    batch: int | None = None
    users: int | None = None
    sets: tuple[GpuSet, ...] = ()
    slower_taken: tuple[str, ...] = ()
    noted: tuple[tuple[str, str], ...] = ()
    limits: Limits = Limits()
    tuning: Tuning = Tuning()
    engine: Engine | None = None
    options: EngineOptions = EngineOptions()
    asked_hours: bool = False
    private: bool = False

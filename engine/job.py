"""A question with every default filled in: what has to be held in memory."""

from typing import Final, NamedTuple

from engine.errors import ConflictingWords, ImpossibleValue, NotModelled
from engine.formats import KvFormat, WeightFormat, kv_format, weight_format
from engine.meaning import check_meaning
from engine.models import bare
from engine.models import shape as named_shape
from engine.question import Checkpointing, Engine, EngineOptions, Loss, Optimizer, Question, Tuning
from engine.shape import Shape
from engine.tuning import ADAPTER_RANK, DEFAULT_SEQUENCE_TOKENS
from engine.values import Workload

DEFAULT_CONTEXT_TOKENS: Final = 8192
"""Context of an inference question that names none. Source: sizing guide, rules."""
MOST_SEQUENCE_TOKENS: Final = 2**24
"""Tokens of one sample. Our choice, above every context that a model has been tuned at."""
OLLAMA_FORMAT: Final = "q4_k_m"
"""What an Ollama tag without a format pulls."""

_HALF = ("bf16", "fp16")


class Job(NamedTuple):
    """What is to be held: geometry, formats, load.

    `guide` is true for a bare size, which keeps the sizing guide's bytes and shapes; `loss` is None where the
    question leaves it open, and then counts as plain.
    """

    shape: Shape
    guide: bool
    workload: Workload
    fmt: WeightFormat
    kv: KvFormat
    context_tokens: int
    sequences: int
    rank: int
    checkpointing: Checkpointing
    optimizer: Optimizer
    loss: Loss | None
    engine: Engine
    prompt_tokens: int
    tuning: Tuning
    options: EngineOptions
    own_runs: tuple[float, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens in one step of tuning."""
        return self.context_tokens * self.sequences

    @property
    def is_tuning(self) -> bool:
        return self.workload != "infer"


def shape_of(question: Question) -> Shape:
    """The geometry that a question speaks of."""
    if question.shape is not None:
        return question.shape
    if question.params_b is not None:
        return bare(question.params_b)
    return named_shape(question.model)


def _format_name(question: Question, shape: Shape, workload: Workload) -> tuple[str, str]:
    """The weight format and why it was taken; no reason where it was named."""
    if question.weight_format is not None:
        return _named_format(question, shape, question.weight_format)
    if workload == "infer":
        return _format_to_serve(question, shape)
    if workload == "qlora":
        return ("nf4", "QLoRA's base") if question.params_b is not None else ("nf4-dq", "QLoRA's base")
    return "bf16", "not named"


def _named_format(question: Question, shape: Shape, named: str) -> tuple[str, str]:
    """A bare size keeps the guide's formats; of a named model they are read as what its files hold.

    An engine's profile knows nf4 with and without double quantisation apart.
    """
    if question.params_b is not None or named == shape.native_format:
        return named, ""
    if named == "int4":
        return ("nf4-dq", "int4 is nf4-dq") if question.workload == "qlora" else ("awq", "int4 is awq")
    if named == "nf4" and question.engine in {None, "guide"}:
        return "nf4-dq", "nf4 is nf4-dq"
    return named, ""


def _format_to_serve(question: Question, shape: Shape) -> tuple[str, str]:
    is_pulled = question.ollama_tag and question.engine in {None, "guide", "llama.cpp"}
    if is_pulled or question.engine == "ollama":
        if shape.native_format == "mxfp4":
            return "mxfp4", "what Ollama pulls of this model"
        return OLLAMA_FORMAT, "what an Ollama tag pulls" if question.ollama_tag else "what Ollama pulls"
    if question.params_b is not None or shape.native_format in _HALF:
        return "bf16" if question.params_b is not None else shape.native_format, "not named"
    return shape.native_format, "as it was released"


def _check_format(fmt: WeightFormat, workload: Workload) -> None:
    if workload == "infer":
        return
    if fmt.kind == "gguf":
        raise ConflictingWords(
            f"{fmt.name} {workload}",
            reason="GGUF formats are for inference",
            allowed="bf16, int8 or nf4 for LoRA, nf4 for QLoRA, bf16 for full tuning",
        )
    bits = fmt.bits_linear or 16
    if workload == "full" and fmt.name not in {*_HALF, "fp32"}:
        raise ConflictingWords(
            f"{fmt.name} full",
            reason="full tuning changes every weight and keeps them in 16 or 32 bit",
            allowed="bf16, or `qlora` to tune a quantised base",
        )
    if workload == "qlora" and bits > 6:
        raise ConflictingWords(
            f"{fmt.name} qlora", reason="QLoRA keeps its base in 4 bit", allowed=f"`lora {fmt.name}`, or `qlora` alone"
        )


def job_of(question: Question) -> tuple[Job, str]:
    """The question with its defaults filled in, and why its weight format was taken where it was not named.

    Raises:
        ConflictingWords, ImpossibleValue, NotModelled: what was asked cannot be.
    """
    shape = shape_of(question)
    workload: Workload = question.workload or "infer"
    if shape.kind == "diffusion" and workload != "infer":
        raise NotModelled(
            f"{workload} of {shape.name}",
            reason="tuning is modelled for language models only",
            allowed="the model without a workload, or a language model",
        )
    if shape.kind == "diffusion" and question.engine not in {None, "guide"}:
        raise NotModelled(
            f"{shape.name} {question.engine}",
            reason="this engine is modelled for language models only",
            allowed="the model without an engine word",
        )
    name, why = _format_name(question, shape, workload)
    fmt, kv = weight_format(name), kv_format(question.kv_format or "fp16")
    engine = question.engine or _implied_engine(question, workload, fmt)
    check_meaning(question, shape, engine)
    if question.batch is not None and question.users is not None:
        raise ConflictingWords(
            "batch and users", reason="both say how many sequences run at once", allowed="one of them"
        )
    _check_format(fmt, workload)
    context_tokens = question.context_tokens
    if context_tokens is None:
        context_tokens = _default_context(question, shape, workload)
    if workload != "infer" and context_tokens > MOST_SEQUENCE_TOKENS:
        raise ImpossibleValue(
            f"ctx={context_tokens:,}",
            reason="no sample is so long, and how many tokens all of them have takes no memory",
            allowed="the tokens of one sample, such as ctx=4k",
        )
    if context_tokens < 1:
        raise ImpossibleValue(f"ctx={context_tokens}", allowed="1 token or more")
    tuning = question.tuning
    optimizer = tuning.optimizer or ("adam-fp32" if fmt.name == "fp32" and workload == "full" else "adam")
    job = Job(
        shape=shape,
        guide=question.params_b is not None,
        workload=workload,
        fmt=fmt,
        kv=kv,
        context_tokens=context_tokens,
        sequences=question.batch or question.users or question.options.slots or 1,
        rank=tuning.rank or ADAPTER_RANK,
        checkpointing=tuning.checkpointing or "on",
        optimizer=optimizer,
        loss=tuning.loss,
        engine=engine,
        prompt_tokens=question.prompt_tokens or context_tokens,
        tuning=tuning,
        options=question.options,
    )
    return job, why


def _implied_engine(question: Question, workload: Workload, fmt: WeightFormat) -> Engine:
    """What the format, `zero=3` or `shards=` say without an engine word; the guide otherwise.

    A GGUF file, and what Ollama pulls, is llama.cpp's: the guide has no figures for it, and the profile none for `tp=`.
    """
    of_llama_cpp = fmt.kind == "gguf" or (question.ollama_tag and question.weight_format is None)
    if of_llama_cpp and workload == "infer" and question.options.tensor_parallel is None:
        return "llama.cpp"
    if question.params_b is not None or workload == "infer" or question.tuning.offload_cpu:
        return "guide"
    if question.tuning.zero_stage:
        return "zero3"
    return "fsdp" if question.options.shards else "guide"


def _default_context(question: Question, shape: Shape, workload: Workload) -> int:
    if workload != "infer":
        return DEFAULT_SEQUENCE_TOKENS
    if question.params_b is None and shape.max_position_embeddings:
        return min(DEFAULT_CONTEXT_TOKENS, shape.max_position_embeddings)
    return DEFAULT_CONTEXT_TOKENS

"""Every figure that the user did not give, with the value that was taken."""

from collections.abc import Iterator

from engine.answer import Assumption
from engine.gpus import Gpu
from engine.job import Job
from engine.profiles.constants import constant
from engine.profiles.training import prepares
from engine.profiles.vllm import default_sequences, sequences_at_once
from engine.question import Question
from engine.usable import wired_gb

NOT_NAMED = "not named"
_Open = tuple[str, str, str, bool]
"""Name, value, why, and whether the question left it open."""


def assumptions_of(question: Question, job: Job, why_format: str, gpu: Gpu | None) -> tuple[Assumption, ...]:
    """What the question left open.

    Args:
        question: as it was asked.
        job: with every default filled in.
        why_format: why the weight format was taken; empty where it was named.
        gpu: the GPU that an engine's defaults follow, where one is named.
    """
    if job.shape.kind == "diffusion":
        left_open = _of_a_diffusion_model(job, why_format)
    else:
        left_open = (*_of_the_question(question, job, why_format), *_of_the_engine(question, job, gpu))
    return tuple(Assumption(name=name, value=value, why=why) for name, value, why, is_open in left_open if is_open)


def _of_a_diffusion_model(job: Job, why_format: str) -> tuple[_Open, ...]:
    return (
        ("activations", "not counted", "they depend on resolution and batch", True),
        ("weight_format", job.fmt.name, why_format, bool(why_format)),
    )


def _of_the_question(question: Question, job: Job, why_format: str) -> tuple[_Open, ...]:
    tuning, adapter = question.tuning, job.workload in {"lora", "qlora"}
    format_word = "weight_format" if question.weight_format is None else "format_read_as"
    alone = question.batch is None and question.users is None and question.options.slots is None
    return (
        ("workload", "infer", NOT_NAMED, question.workload is None),
        ("engine", job.engine, _why_engine(job), question.engine is None and job.engine != "guide"),
        (format_word, job.fmt.name, why_format, bool(why_format)),
        ("shape", job.shape.source, "a size alone has no geometry", question.params_b is not None),
        ("context_tokens", f"{job.context_tokens:,}", NOT_NAMED, question.context_tokens is None),
        ("batch", "1", NOT_NAMED, alone),
        ("kv_format", job.kv.name, NOT_NAMED, job.workload == "infer" and question.kv_format is None),
        ("rank", str(job.rank), NOT_NAMED, adapter and tuning.rank is None),
        ("optimizer", job.optimizer, NOT_NAMED, job.workload == "full" and tuning.optimizer is None),
        (
            "checkpointing",
            "on",
            f"{NOT_NAMED}; 20-30% slower than without",
            job.is_tuning and tuning.checkpointing is None,
        ),
    )


def _why_engine(job: Job) -> str:
    return "what zero= and shards= mean" if job.is_tuning else "whose files Ollama pulls and GGUF is"


def _of_the_engine(question: Question, job: Job, gpu: Gpu | None) -> Iterator[_Open]:
    """What an engine's profile takes beyond the guide."""
    options, tuning = job.options, job.tuning
    if job.engine == "vllm":
        yield "util", f"{constant('vllm.util'):g}", "vLLM's default", options.util is None
        seqs = sequences_at_once(job, gpu)
        why = "vLLM's default for this GPU" if seqs == default_sequences(gpu) else "for all of them at once"
        yield "seqs", f"{seqs:,}", why, options.seqs is None
        yield "waiting", f"{job.sequences - seqs:,}", f"seqs={seqs} lets no more run at once", job.sequences > seqs
    if job.engine in {"llama.cpp", "ollama"}:
        yield "ubatch", f"{constant('llama.cpp.ubatch'):g}", "llama.cpp's default", options.ubatch is None
    if job.engine == "ollama":
        yield "ollama", "its slots and offload are not modelled", "they follow the machine", True
    if job.is_tuning and job.engine not in {"guide", "unsloth"}:
        yield "loss", "plain", NOT_NAMED, job.loss is None
    if job.workload in {"lora", "qlora"} and job.engine != "guide":
        yield "targets", "all linear layers", NOT_NAMED, tuning.targets is None
    if job.workload == "qlora" and job.engine == "hf":
        preparation = "on" if prepares(job) else "off"
        yield "kbit_preparation", preparation, "PEFT's default", question.tuning.kbit_preparation is None
    if gpu is not None and gpu.segment == "unified":
        share = (
            f"{wired_gb(gpu):g} GB for the GPU unless iogpu.wired_limit_mb says more" if gpu.is_mac else "not modelled"
        )
        yield "unified_memory", share, "the system sets the share that the GPU may take", True

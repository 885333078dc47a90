"""Where an option means something: the workloads and engines that it changes the need of.

An option that would change nothing is refused, never ignored: who writes `rank=64` beside inference asks for
something else than what would be answered. The table follows the profiles, which are all that reads these options.
`offload=` is not in it: `engine.offload` says where that is modelled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engine.errors import ConflictingWords, NotModelled
from engine.question import Engine, EngineOptions, Question, Tuning
from engine.shape import Shape
from engine.values import Workload

WithoutEngine = Literal["always", "named", "never"]
"""Whether an option counts with no engine named: by the guide's rules too, only in the range of a named model over
the engines that could run it, or not at all."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """One option, or some of its values.

    Attributes:
        key: how it is written.
        field: where it stands in the question, such as `tuning.rank`.
        workloads: that it changes.
        engines: that have it; all that do these workloads where empty.
        without_engine: whether it counts with no engine named.
        word: how True is written; `on` where empty.
        values: to which the row is limited; every value where empty.
    """

    key: str
    field: str
    workloads: tuple[Workload, ...]
    engines: tuple[Engine, ...] = ()
    without_engine: WithoutEngine = "always"
    word: str = ""
    values: tuple[str, ...] = ()

    def covers(self, workload: Workload, engine: Engine, *, is_bare: bool) -> bool:
        if workload not in self.workloads:
            return False
        if engine == "guide":
            return self.without_engine == "always" or (self.without_engine == "named" and not is_bare)
        return not self.engines or engine in self.engines


_INFER: Final[tuple[Workload, ...]] = ("infer",)
_ADAPTERS: Final[tuple[Workload, ...]] = ("lora", "qlora")
_ANY_TUNING: Final[tuple[Workload, ...]] = ("lora", "qlora", "full")
_LLAMA_CPP: Final[tuple[Engine, ...]] = ("llama.cpp", "ollama")
_TRANSFORMERS: Final[tuple[Engine, ...]] = ("transformers",)
_VLLM: Final[tuple[Engine, ...]] = ("vllm",)
_ORDINARY_LOSS: Final[tuple[Engine, ...]] = ("hf", "torchtune", "fsdp", "zero3")
_TUNERS: Final[tuple[Engine, ...]] = (*_ORDINARY_LOSS, "unsloth")
_PEFT: Final[tuple[Engine, ...]] = ("hf", "fsdp", "zero3")

_MEANINGS: Final = (
    _Meaning("rank", "tuning.rank", _ADAPTERS),
    _Meaning("ckpt", "tuning.checkpointing", _ANY_TUNING),
    _Meaning("optim", "tuning.optimizer", ("full",)),
    # of an adapter's optimizer states only these are reckoned, each engine with the one that it takes
    _Meaning("optim", "tuning.optimizer", _ADAPTERS, _PEFT, "always", values=("adam",)),
    _Meaning("optim", "tuning.optimizer", _ADAPTERS, _PEFT, "named", values=("adam-fp32", "adam8bit", "paged8bit")),
    _Meaning("optim", "tuning.optimizer", _ADAPTERS, (*_PEFT, "torchtune"), "named", values=("adam-bf16",)),
    _Meaning("optim", "tuning.optimizer", _ADAPTERS, ("unsloth",), "never", values=("adam8bit",)),
    _Meaning("optim", "tuning.optimizer", _ADAPTERS, ("hf",), "never", values=("adam4bit",)),
    _Meaning("loss", "tuning.loss", _ANY_TUNING, _ORDINARY_LOSS),
    _Meaning("loss", "tuning.loss", _ADAPTERS, ("unsloth",), values=("fused",)),
    _Meaning("targets", "tuning.targets", _ADAPTERS, without_engine="named"),
    _Meaning("targets", "tuning.targets", _ADAPTERS, values=("default",)),
    _Meaning("embed", "tuning.train_embeddings", _ADAPTERS, word="train"),
    _Meaning("prep", "tuning.kbit_preparation", _ADAPTERS, ("hf",), "never"),
    _Meaning("prep", "tuning.kbit_preparation", ("qlora",), ("hf",), "named"),
    _Meaning("compile", "tuning.compile", _ANY_TUNING, without_engine="named"),
    _Meaning("zero", "tuning.zero_stage", _ANY_TUNING, ("zero3",)),
    _Meaning("util", "options.util", _INFER, _VLLM, "never"),
    _Meaning("seqs", "options.seqs", _INFER, _VLLM, "never"),
    _Meaning("slots", "options.slots", _INFER, _LLAMA_CPP, "never"),
    _Meaning("ubatch", "options.ubatch", _INFER, _LLAMA_CPP, "never"),
    _Meaning("fa", "options.flash_attention", _INFER, _LLAMA_CPP, "never"),
    _Meaning("attn", "options.eager_attention", _INFER, _TRANSFORMERS, "never", word="eager"),
    _Meaning("attn", "options.eager_attention", _ANY_TUNING, _ORDINARY_LOSS, "never", word="eager"),
    _Meaning("logits", "options.full_logits", _INFER, _TRANSFORMERS, "never", word="full"),
    _Meaning("cache", "options.growing_cache", _INFER, _TRANSFORMERS, "never", word="growing"),
    _Meaning("shards", "options.shards", _ANY_TUNING, _ORDINARY_LOSS),
    _Meaning("tp", "options.tensor_parallel", _INFER, _VLLM),
)

_WORKLOAD_NAMES: Final[dict[Workload, str]] = {
    "infer": "inference",
    "lora": "LoRA",
    "qlora": "QLoRA",
    "full": "full tuning",
}


def check_meaning(question: Question, shape: Shape, engine: Engine) -> None:
    """What is said must change something under the engine that is named or implied.

    Raises:
        ConflictingWords: an option that means nothing for the workload or under the engine.
        NotModelled: a load of a language model beside a diffusion model.

    >>> from engine.models import bare
    >>> check_meaning(Question(model="7b", params_b=7.0, workload="lora", tuning=Tuning(rank=64)), bare(7), "guide")
    """
    if shape.kind == "diffusion":
        _check_diffusion(question, shape)
    workload = question.workload or "infer"
    is_bare = question.params_b is not None
    for field, value in _said(question):
        rows = [row for row in _MEANINGS if row.field == field and (not row.values or value in row.values)]
        if not any(row.covers(workload, engine, is_bare=is_bare) for row in rows):
            raise _refusal(field, value, rows, workload, engine)


def _said(question: Question) -> Iterator[tuple[str, object]]:
    """The options that are set, by field, with their values."""
    if question.tuning == _NO_TUNING and question.options == _NO_OPTIONS:
        return
    for row in {row.field: row for row in _MEANINGS}.values():
        group, _, name = row.field.partition(".")
        value = getattr(getattr(question, group), name)
        if value is not None and value is not _DEFAULTS[row.field]:
            yield row.field, value


_NO_TUNING: Final = Tuning()
_NO_OPTIONS: Final = EngineOptions()
_DEFAULTS: Final[dict[str, object]] = {
    row.field: getattr(_NO_TUNING if row.field.startswith("tuning.") else _NO_OPTIONS, row.field.partition(".")[2])
    for row in _MEANINGS
}


def _refusal(field: str, value: object, rows: list[_Meaning], workload: Workload, engine: Engine) -> ConflictingWords:
    first = next(row for row in _MEANINGS if row.field == field)
    given = f"{first.key}={_written(first, value)}"
    here = [row for row in rows if workload in row.workloads]
    if not here:
        allowed = dict.fromkeys(one for row in rows for one in row.workloads)
        return ConflictingWords(
            given,
            reason=f"it says nothing of {_WORKLOAD_NAMES[workload]}",
            allowed=f"leave it out, or {_listed(list(allowed))}",
        )
    engines = list(dict.fromkeys(f"engine={one}" for row in here for one in row.engines or _TUNERS))
    by_whom = "without an engine word" if engine == "guide" else f"with {engine}"
    return ConflictingWords(
        given,
        reason=f"it changes nothing in {_WORKLOAD_NAMES[workload]} {by_whom}",
        allowed=f"leave it out, or {_listed(engines)}",
    )


def _written(row: _Meaning, value: object) -> str:
    if isinstance(value, bool):
        return (row.word or "on") if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _listed(words: list[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _check_diffusion(question: Question, shape: Shape) -> None:
    """A diffusion model has no context and serves nobody by tokens: its activations are not reckoned."""
    load = {
        "ctx": question.context_tokens,
        "batch": question.batch,
        "users": question.users,
        "kv": question.kv_format,
    }
    said = [f"{key}={value}" for key, value in load.items() if value is not None]
    if said:
        raise NotModelled(
            " ".join(said),
            reason=f"{shape.name} is a diffusion model: only its weights are reckoned",
            allowed="the model, its weight format and GPUs, without these",
        )

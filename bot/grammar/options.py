"""Options with a value: `ctx=4k`, `batch 32`, `optim=adam8bit`. Every key, its other spellings, and what it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, get_args

from bot.grammar.pieces import Piece
from bot.grammar.values import plain, share, tokens, whole
from bot.grammar.words import ENGINE_WORDS
from engine.errors import ImpossibleValue
from engine.formats import kv_words
from engine.question import Checkpointing, Loss, Optimizer


class Read(NamedTuple):
    """A value that was understood, and how it is written."""

    value: object
    written: str


@dataclass(frozen=True)
class Option:
    """An option.

    Attributes:
        key: the key in its plainest spelling.
        role: the part of the question that it sets.
        read: from the value and the words as given; raises ImpossibleValue.
        numeric: takes numbers, and so `key value` with a number is meant for it whatever the number.
        least: with a space in place of `=`, the smallest number that is meant for it.
    """

    key: str
    role: str
    read: Callable[[str, str], Read]
    numeric: bool = False
    least: float = float("-inf")


def _tokens(key: str) -> Callable[[str, str], Read]:
    def read(value: str, given: str) -> Read:
        count = tokens(value, given=given, example=f"{key}=4k")
        return Read(count, str(count))

    return read


def _whole(key: str, low: int, high: int, example: int, what: str) -> Callable[[str, str], Read]:
    def read(value: str, given: str) -> Read:
        count = whole(value, given=given, low=low, high=high, what=what, example=f"{key}={example}")
        return Read(count, str(count))

    return read


def _share(value: str, given: str) -> Read:
    part = share(value, given=given)
    return Read(part, plain(part))


def _choice(key: str, choices: Callable[[], Mapping[str, object]]) -> Callable[[str, str], Read]:
    def read(value: str, given: str) -> Read:
        known = choices()
        for spelling in (value, value.replace("-", "_"), value.replace("_", "-")):
            if spelling in known:
                meant = known[spelling]
                first = next(word for word, other in known.items() if other == meant)
                return Read(meant, first)
        allowed = ", ".join(f"{key}={word}" for word in _firsts(known))
        raise ImpossibleValue(given, allowed=allowed, reason=f"{key} does not take this value")

    return read


def _firsts(choices: Mapping[str, object]) -> list[str]:
    return list({str(meant): word for word, meant in reversed(choices.items())}.values())[::-1]


_ON_OFF: Final[Mapping[str, bool]] = {
    "on": True, "yes": True, "true": True, "1": True, "off": False, "no": False, "false": False, "0": False,
}  # fmt: skip
_CHECKPOINTING: Final[Mapping[str, str]] = {
    **{word: word for word in get_args(Checkpointing)},
    "true": "on", "yes": "on", "full": "on", "1": "on", "false": "off", "no": "off", "none": "off", "0": "off",
    "cpu": "offload", "offloaded": "offload", "half": "alternate",
}  # fmt: skip
_OPTIMIZERS: Final[Mapping[str, str]] = {
    **{word: word for word in get_args(Optimizer)},
    "adamw": "adam", "adamw8bit": "adam8bit", "adamw-8bit": "adam8bit", "adam-8bit": "adam8bit", "8bit": "adam8bit",
    "adamw-fp32": "adam-fp32", "adamw-bf16": "adam-bf16", "adam-4bit": "adam4bit", "adamw4bit": "adam4bit",
    "paged-8bit": "paged8bit", "adamw-torch": "adam", "adamw-bnb-8bit": "adam8bit",
}  # fmt: skip
_LOSSES: Final[Mapping[str, str]] = {
    **{word: word for word in get_args(Loss)},
    "liger": "fused", "cce": "fused", "linear-chunk": "linear-chunked", "normal": "plain",
}  # fmt: skip
_TARGETS: Final[Mapping[str, str]] = {
    "all": "all", "all-linear": "all", "linear": "all", "attn": "attn", "attention": "attn", "qkvo": "attn",
    "q,k,v,o": "attn", "qv": "qv", "q,v": "qv", "q-v": "qv", "default": "default",
}  # fmt: skip


def _on_off(key: str) -> Callable[[str, str], Read]:
    return _choice(key, lambda: _ON_OFF)


_OPTIONS: Final = (
    (Option("ctx", "ctx", _tokens("ctx"), numeric=True),
     "context c ctx-len ctx-size n-ctx num-ctx context-len context-length context-size max-model-len seq seqlen seq-len seq-length"
     " max-seq-len max-seq-length max-len max-length maxlen sequence sequence-length length len cutoff-len window num-ctx"),
    (Option("in", "in", _tokens("in"), numeric=True, least=16), "input prompt in-len input-len input-tokens prompt-tokens"),
    (Option("out", "out", _tokens("out"), numeric=True, least=16),
     "output gen out-len output-len output-tokens max-tokens max-new-tokens"),
    (Option("batch", "batch", _whole("batch", 1, 100_000, 4, "a batch"), numeric=True),
     "bs b batch-size batchsize mbs micro-batch microbatch micro-batch-size micro-bs per-device-train-batch-size"),
    (Option("users", "users", _whole("users", 1, 1_000_000, 20, "a number of users"), numeric=True),
     "user concurrent concurrency concurrent-users requests clients streams sessions"),
    (Option("kv", "kv", _choice("kv", kv_words)), "kv-cache kvcache kv-cache-dtype cache-type cache-type-k cache-type-v ctk ctv kv-type"
     " kv-format kv-dtype"),
    (Option("max-gpus", "limits.max_gpus", _whole("max-gpus", 1, 10_000, 2, "a number of GPUs"), numeric=True),
     "maxgpus max-gpu max-cards gpus<= max-count"),
    (Option("rank", "tuning.rank", _whole("rank", 1, 65_536, 16, "a rank"), numeric=True), "r lora-r lora-rank lora-dim"),
    (Option("ckpt", "tuning.checkpointing", _choice("ckpt", lambda: _CHECKPOINTING)),
     "checkpoint checkpointing gc grad-ckpt gradient-checkpointing activation-checkpointing"),
    (Option("optim", "tuning.optimizer", _choice("optim", lambda: _OPTIMIZERS)), "optimizer optimiser opt"),
    (Option("loss", "tuning.loss", _choice("loss", lambda: _LOSSES)), ""),
    (Option("targets", "tuning.targets", _choice("targets", lambda: _TARGETS)), "target target-modules lora-target"),
    (Option("zero", "tuning.zero_stage", _whole("zero", 0, 3, 3, "a ZeRO stage"), numeric=True), "zero-stage stage"),
    (Option("offload", "tuning.offload_cpu",
            _choice("offload", lambda: {"cpu": True, "on": True, "off": False, "none": False, "no": False})), "cpu-offload"),
    (Option("compile", "tuning.compile", _on_off("compile")), "torch-compile"),
    (Option("embed", "tuning.train_embeddings",
            _choice("embed", lambda: {"train": True, "on": True, "frozen": False, "off": False})), "embeddings embedding"),
    (Option("prep", "tuning.kbit_preparation", _on_off("prep")), "kbit-prep kbit preparation"),
    (Option("engine", "engine", _choice("engine", lambda: {**ENGINE_WORDS, "peft": "hf"})), "runtime backend framework"),
    (Option("util", "options.util", _share, numeric=True), "gpu-memory-utilization gpu-util gpu-mem-util mem-util utilization"),
    (Option("seqs", "options.seqs", _whole("seqs", 1, 1_000_000, 256, "a number of sequences"), numeric=True),
     "max-num-seqs max-seqs num-seqs"),
    (Option("slots", "options.slots", _whole("slots", 1, 100_000, 4, "a number of slots"), numeric=True), "np parallel slot n-parallel"),
    (Option("ubatch", "options.ubatch", _whole("ubatch", 1, 1_000_000, 512, "a micro-batch"), numeric=True), "ub ubatch-size n-ubatch"),
    (Option("fa", "options.flash_attention", _on_off("fa")), "flash-attn flash-attention flash"),
    (Option("attn", "options.eager_attention",
            _choice("attn", lambda: {"eager": True, "sdpa": False, "flash": False, "fa2": False, "flash-attention-2": False})),
     "attention attn-implementation"),
    (Option("logits", "options.full_logits", _choice("logits", lambda: {"full": True, "all": True, "last": False})), ""),
    (Option("cache", "options.growing_cache", _choice("cache", lambda: {"growing": True, "static": False, "dynamic": False})), ""),
    (Option("shards", "options.shards", _whole("shards", 1, 100_000, 8, "a number of shards"), numeric=True), "shard"),
    (Option("tp", "options.tensor_parallel", _whole("tp", 1, 1024, 2, "a tensor-parallel size"), numeric=True),
     "tensor-parallel tensor-parallel-size tp-size"),
)  # fmt: skip


@cache
def options() -> Mapping[str, Option]:
    """Every spelling of a key, with dashes for underscores."""
    return {key: option for option, others in _OPTIONS for key in (option.key, *others.split())}


def option_keys() -> tuple[str, ...]:
    """The keys in their plainest spelling."""
    return tuple(option.key for option, _ in _OPTIONS)


def option_piece(option: Option, value: str, given: str) -> Piece:
    """The piece that an option with this value is.

    Raises:
        ImpossibleValue: the option does not take the value.
    """
    read = option.read(value, given)
    return Piece(option.role, read.value, given, f"{option.key}={read.written}")

"""Options with a value: `ctx=4k`, `batch 32`, `optim=adam8bit`. Every key, its other spellings, and what it takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.grammar import option_values as values
from bot.grammar.pieces import Piece
from bot.grammar.words import ENGINE_WORDS
from engine.formats import kv_words


@dataclass(frozen=True)
class Option:
    """An option.

    Attributes:
        key: the key in its plainest spelling.
        role: the part of the question that it sets.
        read: reads the value.
        numeric: takes numbers, and so `key value` with a number is meant for it whatever the number.
        least: with a space in place of `=`, the smallest number that is meant for it.
    """

    key: str
    role: str
    read: values.ReadValue
    numeric: bool = False
    least: float = float("-inf")


def _counted(key: str, role: str, high: int, example: int, *, low: int = 1) -> Option:
    return Option(key, role, values.whole_number(key, low, high, example), numeric=True)


def _chosen(key: str, role: str, choices: Mapping[str, object]) -> Option:
    return Option(key, role, values.one_of(key, lambda: choices))


_OPTIONS: Final = (
    Option("ctx", "ctx", values.token_count("ctx"), numeric=True),
    Option("in", "in", values.token_count("in"), numeric=True, least=16),
    Option("out", "out", values.token_count("out"), numeric=True, least=16),
    _counted("batch", "batch", 100_000, 4),
    _counted("users", "users", 1_000_000, 20),
    Option("kv", "kv", values.one_of("kv", kv_words)),
    _counted("max-gpus", "limits.max_gpus", 10_000, 2),
    _counted("rank", "tuning.rank", 65_536, 16),
    _chosen("ckpt", "tuning.checkpointing", values.CHECKPOINTING),
    _chosen("optim", "tuning.optimizer", values.OPTIMIZERS),
    _chosen("loss", "tuning.loss", values.LOSSES),
    _chosen("targets", "tuning.targets", values.TARGETS),
    _counted("zero", "tuning.zero_stage", 3, 3, low=0),
    _chosen("offload", "tuning.offload_cpu", values.OFFLOAD),
    Option("compile", "tuning.compile", values.on_off("compile")),
    _chosen("embed", "tuning.train_embeddings", values.EMBEDDINGS),
    Option("prep", "tuning.kbit_preparation", values.on_off("prep")),
    _chosen("engine", "engine", {**ENGINE_WORDS, "peft": "hf"}),
    Option("util", "options.util", values.share_of_one, numeric=True),
    _counted("seqs", "options.seqs", 1_000_000, 256),
    _counted("slots", "options.slots", 100_000, 4),
    _counted("ubatch", "options.ubatch", 1_000_000, 512),
    Option("fa", "options.flash_attention", values.on_off("fa")),
    _chosen("attn", "options.eager_attention", values.EAGER),
    _chosen("logits", "options.full_logits", values.FULL_LOGITS),
    _chosen("cache", "options.growing_cache", values.GROWING_CACHE),
    _counted("shards", "options.shards", 100_000, 8),
    _counted("tp", "options.tensor_parallel", 1024, 2),
)

_SPELLINGS: Final[Mapping[str, str]] = {
    "ctx": """context c ctx-len ctx-size n-ctx num-ctx context-len context-length context-size max-model-len seq seqlen
        seq-len seq-length max-seq-len max-seq-length max-len max-length maxlen sequence sequence-length length len
        cutoff-len window""",
    "in": "input prompt in-len input-len input-tokens prompt-tokens",
    "out": "output gen out-len output-len output-tokens max-tokens max-new-tokens",
    "batch": """bs b batch-size batchsize mbs mini-batch minibatch micro-batch microbatch micro-batch-size micro-bs
        per-device-train-batch-size""",
    "users": "user concurrent concurrency concurrent-users requests clients streams sessions",
    "kv": """kv-cache kvcache kv-cache-dtype cache-type cache-type-k cache-type-v ctk ctv kv-type kv-format
        kv-dtype""",
    "max-gpus": "maxgpus max-gpu max-cards max-count",
    "rank": "r lora-r lora-rank lora-dim",
    "ckpt": "checkpoint checkpointing gc grad-ckpt gradient-checkpointing activation-checkpointing",
    "optim": "optimizer optimiser opt",
    "targets": "target target-modules lora-target",
    "zero": "zero-stage stage",
    "offload": "cpu-offload",
    "compile": "torch-compile",
    "embed": "embeddings embedding",
    "prep": "kbit-prep kbit preparation",
    "engine": "runtime backend framework",
    "util": "gpu-memory-utilization gpu-util gpu-mem-util mem-util utilization",
    "seqs": "max-num-seqs max-seqs num-seqs",
    "slots": "np parallel slot n-parallel",
    "ubatch": "ub ubatch-size n-ubatch",
    "fa": "flash-attn flash-attention flash",
    "attn": "attention attn-implementation",
    "shards": "shard",
    "tp": "tensor-parallel tensor-parallel-size tp-size",
}


@cache
def options() -> Mapping[str, Option]:
    """Every spelling of a key, with dashes for underscores."""
    return {key: option for option in _OPTIONS for key in (option.key, *_SPELLINGS.get(option.key, "").split())}


def option_keys() -> tuple[str, ...]:
    """The keys in their plainest spelling."""
    return tuple(option.key for option in _OPTIONS)


def option_piece(option: Option, value: str, given: str) -> Piece:
    """The piece that an option with this value is.

    Raises:
        ImpossibleValue: the option does not take the value.
    """
    read = option.read(value, given)
    return Piece(option.role, read.value, given, f"{option.key}={read.written}")

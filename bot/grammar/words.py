"""The words of the grammar: the one place where they stand.

A table maps what people write, in lower case with dashes for underscores, to what it means. Words of several parts
are written with spaces. Options with a value (`ctx=4k`) stand in `options`, formats and names in the engine's tables.
"""

from collections.abc import Mapping
from typing import Final

from engine.question import Engine
from engine.values import WORKLOADS, Workload


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


TUNING: Final[frozenset[Workload]] = frozenset({"lora", "qlora", "full"})

_TUNE: Final = (
    "ft",
    "finetune",
    "finetuning",
    "fine-tune",
    "fine-tuning",
    "fine tune",
    "fine tuning",
    "tune",
    "tuning",
)
_FULL: Final = (
    "full",
    "full-param",
    "full-parameter",
    "full param",
    "full params",
    "full parameter",
    "full parameters",
)


def _meaning(workload: Workload, words: str) -> dict[str, frozenset[Workload]]:
    return dict.fromkeys(words.split(), frozenset({workload}))


WORKLOAD_WORDS: Final[Mapping[str, frozenset[Workload]]] = {
    **_meaning("infer", "infer inference inferencing serve serving host hosting deploy deploying deployment"),
    **_meaning("lora", "lora adapter adapters"),
    **_meaning("qlora", "qlora q-lora"),
    **_meaning("full", "fft full-ft full-finetune full-fine-tune"),
    **dict.fromkeys((*_FULL, *(f"{full} {tune}" for full in _FULL for tune in _TUNE)), frozenset[Workload]({"full"})),
    **dict.fromkeys(("full train", "full training"), frozenset[Workload]({"full"})),
    **dict.fromkeys((*_TUNE, "train", "training", "sft", "微调", "训练"), TUNING),
}
"""Words of a workload, with every workload they may mean."""

RUN_WORDS: Final = frozenset({"run", "running", "runs", "rag", "推理", "部署"})
"""Inference, unless a word of tuning stands beside them: a tuning runs too, and a tuned model may do retrieval."""

WORKLOAD_LABELS: Final[Mapping[Workload, str]] = {
    "infer": "inference",
    "lora": "LoRA",
    "qlora": "QLoRA",
    "full": "full tuning",
}

NOT_MODELLED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("dpo", "kto", "orpo", "simpo"), "preference tuning keeps a second model beside the first"),
    **dict.fromkeys(
        ("ppo", "grpo", "rlhf", "rl", "reinforce", "rloo"),
        "reinforcement learning keeps several models and their samples",
    ),
    **dict.fromkeys(
        ("pretrain", "pretraining", "pre-train", "pre-training", "pre train", "pre training"),
        "pre-training is a question of a cluster, not of a set of GPUs",
    ),
    **dict.fromkeys(
        ("quantize", "quantise", "quantizing", "quantising", "calibrate", "calibration"),
        "quantizing loads the 16-bit model and its calibration data",
    ),
    **dict.fromkeys(
        ("copies of", "instances of", "replicas of", "copies", "instances", "replicas"),
        "several copies of a model are not added up: one takes the need, and N of them N times it",
    ),
    **dict.fromkeys(("merge", "merging", "mergekit"), "merging is a matter of host memory"),
}
"""What the bot does not calculate, and why its figures would be wrong there."""

UNPUBLISHED: Final = ("gpt-3.5", "gpt-4", "gpt-5", "gpt3", "gpt4", "gpt5", "chatgpt", "claude", "gemini", "copilot")
"""Beginnings of the names of models whose weights nobody has but their makers."""

ENGINE_WORDS: Final[Mapping[str, Engine]] = {
    "guide": "guide",
    "transformers": "transformers",
    "vllm": "vllm",
    **dict.fromkeys(("llama.cpp", "llamacpp", "llama-cpp", "llama cpp", "lcpp"), "llama.cpp"),
    "ollama": "ollama",
    **dict.fromkeys(("hf", "trl", "axolotl"), "hf"),
    "torchtune": "torchtune",
    "fsdp": "fsdp",
    **dict.fromkeys(("zero3", "zero-3"), "zero3"),
    "unsloth": "unsloth",
}

PEFT: Final = "peft"
"""Alone a LoRA; beside a workload the engine `hf`."""


def _setting(role: str, value: object, written: str, *words: str) -> dict[str, tuple[str, object, str]]:
    return dict.fromkeys(words, (role, value, written))


SPOKEN_MODELS: Final[Mapping[str, str]] = {
    "r1": "deepseek-r1",
    "v3": "deepseek-v3",
    "k2": "kimi-k2",
    "k3": "kimi-k3",
    "grok": "grok-1",
    "alpaca 7b": "llama-1-7b",
    "alpaca 13b": "llama-1-13b",
}
"""What people call a model where no name of it says so.

Source: the models' own repositories; for alpaca tatsu-lab/stanford_alpaca (LLaMA 7B) and tloen/alpaca-lora (13B).
"""

SETTINGS: Final[Mapping[str, tuple[str, object, str]]] = {
    **_setting("tuning.checkpointing", "off", "ckpt=off", "nocheckpoint", "nocheckpointing", "no-checkpoint"),
    **_setting("tuning.checkpointing", "off", "ckpt=off", "no-checkpointing", "no checkpointing", "no checkpoint"),
    **_setting("tuning.checkpointing", "off", "ckpt=off", "without checkpointing", "no gradient checkpointing"),
    **_setting("tuning.checkpointing", "on", "ckpt=on", "ckpt", "checkpointing", "gradient checkpointing"),
    **_setting("tuning.checkpointing", "on", "ckpt=on", "gradient-checkpointing", "grad checkpointing"),
    **_setting("tuning.optimizer", "adam8bit", "optim=adam8bit", "adam8bit", "adamw8bit", "8bit adam", "adam 8bit"),
    **_setting("tuning.optimizer", "adam8bit", "optim=adam8bit", "8-bit adam", "8bit adamw", "adamw 8bit"),
    **_setting("tuning.optimizer", "adam8bit", "optim=adam8bit", "8bit optimizer", "8-bit optimizer"),
    **_setting("tuning.loss", "fused", "loss=fused", "liger", "fused loss", "cut cross entropy"),
    **_setting("tuning.zero_stage", 2, "zero=2", "zero2", "zero-2"),
    **_setting("tuning.zero_stage", 1, "zero=1", "zero1", "zero-1"),
    **_setting("tuning.offload_cpu", True, "offload=cpu", "cpu offload", "cpu-offload", "offload to cpu"),
    **_setting("tuning.compile", True, "compile=on", "torch.compile", "torch compile"),
    **_setting("options.eager_attention", True, "attn=eager", "eager attention", "eager-attention"),
    **_setting("limits.cuda", True, "cuda", "cuda", "nvidia only", "only nvidia", "no rocm", "no-rocm", "no amd"),
    **_setting("limits.cuda", True, "cuda", "not amd", "without amd", "nvidia gpu", "nvidia gpus", "nvidia card"),
    **_setting("limits.cuda", True, "cuda", "nvidia cards", "can't use amd", "cannot use amd"),
    **_setting("private", True, "private", "private"),
    **_setting("hours", True, "hours", "hours", "hour", "hrs"),
}
"""Words that say one setting: role, value, and the same as it is written plainest."""

SHOWN_ANYWAY: Final = word_set(
    """
    min minimum vram memory mem size sizes gpu gpus card cards count nodes node many much how how-many how-much load
    loading speed tok tokens/s tok/s tps t/s tokens/sec toks ms/token cost costs price prices cheapest cheap smallest
    least need needs needed requirements requirement hardware fit fits headroom ceiling bandwidth throughput
    maxctx max-ctx total ram /vram kv cache kv-cache kvcache
    显存 内存 显卡 多少 几 要 需要 跑 用 吗 能 的 张 卡 个 几张 几个 多大 可以 要几 g 一张 一个 大模型 模型
    """
)
"""Words that ask for what the card shows anyway."""

ASKING: Final = (
    "does it fit",
    "will it fit",
    "does it run",
    "will it run",
    "can a",
    "can my",
    "can the",
    "do it",
    "run it",
    "hold it",
    "is it enough",
    "enough",
)
"""Whole phrases that ask for the verdict, which the card shows anyway; their words alone mean nothing."""

JOINING: Final = word_set("on with for at of using via in a an the and to as w w/ per my model & = @ each only")
"""Words that only join others."""

OR_WORDS: Final = frozenset({"or", "vs", "vs.", "versus", "/", "还是", "或"})
"""Between two sets: alternatives."""

AND_WORDS: Final = frozenset({"+", "and", "plus", "&"})
"""Between two sets: a mixed set."""

COUNT_WORDS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("dual", "twin", "double", "pair of", "a pair of", "couple of", "a couple of", "couple"), 2),
    **dict.fromkeys(("second", "a second", "another"), 2),
    "triple": 3,
    "quad": 4,
    **dict.fromkeys(("single", "a single"), 1),
    **dict.fromkeys(("octo", "octa"), 8),
}

CONTEXT_UNITS: Final = word_set(
    "ctx context contexts token tokens seq seqlen sequence sequences window len length tok 上下文"
)
USER_UNITS: Final = word_set(
    """
    users user people person persons concurrent clients client customers customer requests request streams stream
    sessions session seats seat chats agents agent engineers engineer devs dev developers developer employees employee
    colleagues colleague coworkers coworker co-workers co-worker teammates teammate students student analysts analyst
    researchers researcher scientists scientist
    """
)
"""Who or what is served at once. `chat` is missing: it ends the names of models."""

USER_ADJECTIVES: Final = word_set("concurrent parallel simultaneous live active max total internal software data")
"""What may stand between a number and its users."""

BATCH_UNITS: Final = frozenset({"batch", "batches", "batch-size"})
COUNT_UNITS: Final = frozenset({"gpus", "cards", "gpu", "张", "张卡"})
RATE_UNITS: Final = word_set("tok/s tokens/s tokens/sec tps t/s ms/token tokens-per-second")

TERM_UNITS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 1),
    **dict.fromkeys(("d", "day", "days"), 24),
    **dict.fromkeys(("week", "weeks", "wk"), 24 * 7),
    **dict.fromkeys(("month", "months"), 720),
}
"""Hours of a term. A month is 720 hours, as in engine.units."""


def workload_words() -> tuple[str, ...]:
    """Every word of a workload, the workloads themselves first."""
    return tuple(dict.fromkeys((*WORKLOADS, *WORKLOAD_WORDS, *RUN_WORDS)))

"""The words of the grammar: the one place where they stand.

A table maps what people write, in lower case with dashes for underscores, to what it means. Words of several parts
are written with spaces. Options with a value (`ctx=4k`) stand in `options`, formats and names in the engine's tables.
"""

from collections.abc import Mapping
from typing import Final

from engine.question import Engine
from engine.values import WORKLOADS, Workload

TUNING: Final[frozenset[Workload]] = frozenset({"lora", "qlora", "full"})

_FULL_TAILS = (
    "",
    " ft",
    " finetune",
    " finetuning",
    " fine-tune",
    " fine-tuning",
    " fine tune",
    " fine tuning",
    " tune",
    " tuning",
)
_FULL_HEADS = ("full", "full-param", "full-parameter", "full param", "full params", "full parameter", "full parameters")

WORKLOAD_WORDS: Final[Mapping[str, frozenset[Workload]]] = {
    **dict.fromkeys(
        ("infer", "inference", "inferencing", "serve", "serving", "host", "hosting", "deploy", "deploying", "deployment"),
        frozenset[Workload]({"infer"}),
    ),
    **dict.fromkeys(("lora", "adapter", "adapters"), frozenset[Workload]({"lora"})),
    **dict.fromkeys(("qlora", "q-lora"), frozenset[Workload]({"qlora"})),
    **{head + tail: frozenset[Workload]({"full"}) for head in _FULL_HEADS for tail in _FULL_TAILS},
    **dict.fromkeys(("fft", "full-ft", "full-finetune", "full-fine-tune", "full train", "full training"), frozenset[Workload]({"full"})),
    **dict.fromkeys(
        (
            "finetune", "finetuning", "fine-tune", "fine-tuning", "fine tune", "fine tuning", "ft", "train", "training",
            "sft", "tune", "tuning", "微调", "训练",
        ),
        TUNING,
    ),
}  # fmt: skip
"""Words of a workload, with every workload they may mean."""

RUN_WORDS: Final = frozenset({"run", "running", "runs", "推理", "部署"})
"""Inference, unless a word of tuning stands beside them: a tuning runs too."""

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
    **dict.fromkeys(("merge", "merging", "mergekit"), "merging is a matter of host memory"),
}
"""What the bot does not calculate, and why its figures would be wrong there."""

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

PLAIN_TUNING: Final[Mapping[str, tuple[str, object, str]]] = {
    **dict.fromkeys(
        ("nocheckpoint", "nocheckpointing", "no-checkpoint", "no-checkpointing", "no checkpointing", "no checkpoint",
         "without checkpointing", "without gradient checkpointing", "no gradient checkpointing"),
        ("tuning.checkpointing", "off", "ckpt=off"),
    ),
    **dict.fromkeys(
        ("ckpt", "checkpointing", "gradient checkpointing", "gradient-checkpointing", "grad checkpointing"),
        ("tuning.checkpointing", "on", "ckpt=on"),
    ),
    **dict.fromkeys(
        ("8bit adam", "8-bit adam", "adam 8bit", "8bit adamw", "adamw 8bit", "8bit optimizer", "8-bit optimizer", "adam8bit", "adamw8bit"),
        ("tuning.optimizer", "adam8bit", "optim=adam8bit"),
    ),
    **dict.fromkeys(("liger", "fused loss", "cut cross entropy"), ("tuning.loss", "fused", "loss=fused")),
    **dict.fromkeys(("zero2", "zero-2"), ("tuning.zero_stage", 2, "zero=2")),
    **dict.fromkeys(("zero1", "zero-1"), ("tuning.zero_stage", 1, "zero=1")),
    **dict.fromkeys(("cpu offload", "cpu-offload", "offload to cpu"), ("tuning.offload_cpu", True, "offload=cpu")),
    **dict.fromkeys(("torch.compile", "torch compile"), ("tuning.compile", True, "compile=on")),
    **dict.fromkeys(("eager attention", "eager-attention"), ("options.eager_attention", True, "attn=eager")),
    **dict.fromkeys(("cuda", "nvidia only", "no rocm", "no-rocm", "no amd"), ("limits.cuda", True, "cuda")),
    "private": ("private", True, "private"),
    **dict.fromkeys(("hours", "hour", "hrs"), ("hours", True, "hours")),
    **dict.fromkeys(("double quant", "double quantization", "double-quant"), ("double-quant", True, "nf4-dq")),
}  # fmt: skip
"""Words that say one setting: role, value, the same as `key=value`."""

SHOWN_ANYWAY: Final = frozenset(
    """
    min minimum vram memory mem size sizes gpu gpus card cards count nodes node many much how how-many how-much load
    loading speed tok tokens/s tok/s tps t/s tokens/sec toks ms/token cost costs price prices cheapest cheap smallest
    least need needs needed requirements requirement hardware fit fits spec specs headroom ceiling bandwidth throughput
    maxctx max-ctx spill total ram laptop what which setup rig machine box server instance it does
    显存 内存 显卡 多少 几 要 需要 跑 用 吗 能 的 张 卡 个 几张 几个 多大 可以 要几 g 一张 一个 大模型 模型
    """.split()
)
"""Words that ask for what the card shows anyway."""

JOINING: Final = frozenset(
    "on with for at of using via in a an the and to as w w/ per my model & , = each only".split()
)
"""Words that only join others."""

OR_WORDS: Final = frozenset({"or", "vs", "vs.", "versus", "/", "还是", "或"})
"""Between two sets: alternatives."""

AND_WORDS: Final = frozenset({"+", "and", "plus", "&"})
"""Between two sets: a mixed set."""

COUNT_WORDS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("dual", "twin", "double", "pair of", "a pair of", "couple of", "a couple of", "couple"), 2),
    **dict.fromkeys(("triple",), 3),
    **dict.fromkeys(("quad",), 4),
    **dict.fromkeys(("single", "a single"), 1),
    **dict.fromkeys(("octo", "octa"), 8),
}

CONTEXT_UNITS: Final = frozenset(
    "ctx context contexts token tokens seq seqlen sequence sequences window len length tok 上下文".split()
)
USER_UNITS: Final = frozenset(
    "users user people concurrent clients client requests streams sessions seats users/requests".split()
)
TERM_UNITS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 1),
    **dict.fromkeys(("d", "day", "days"), 24),
    **dict.fromkeys(("week", "weeks", "wk"), 24 * 7),
    **dict.fromkeys(("month", "months"), 720),
}
"""Hours of a term. A month is 720 hours, as in engine.units."""

BATCH_UNITS: Final = frozenset({"batch", "batches", "batch-size"})
COUNT_UNITS: Final = frozenset({"gpus", "cards", "gpu", "张", "张卡"})
RATE_UNITS: Final = frozenset("tok/s tokens/s tokens/sec tps t/s ms/token tokens-per-second".split())


def workload_words() -> tuple[str, ...]:
    """Every word of a workload, the workloads themselves first."""
    return tuple(dict.fromkeys((*WORKLOADS, *WORKLOAD_WORDS, *RUN_WORDS)))

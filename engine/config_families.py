"""Families of models that a configuration can be of, by `model_type`: what their own code has and the file leaves out.

Source: configuration classes of transformers 5.24; modelling code of the models that bring their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Windows = Literal["none", "all", "alternate", "pattern", "chunked", "listed"]


@dataclass(frozen=True, slots=True)
class Family:
    """What the configurations of one family share.

    Attributes:
        tied: embeddings and head are one where the file does not say.
        mlp_matrices: gate, up and down, or two.
        windows: which layers have the sliding window, where the file does not list its layers: none; all; every second;
            all but each `sliding_window_pattern`th; all but each fourth, in chunks.
        width_divisor: matrices over which the file's MLP width is spread.
        defaults: fields that files leave out.
    """

    tied: bool = False
    mlp_matrices: int = 3
    windows: Windows = "none"
    width_divisor: int = 1
    defaults: Mapping[str, int] = field(default_factory=dict)


_PLAIN: Final = Family()
_TIED: Final = Family(tied=True)
_TWO_MATRICES: Final = Family(mlp_matrices=2)
_TIED_TWO_MATRICES: Final = Family(tied=True, mlp_matrices=2)
_WINDOW_WHERE_GIVEN: Final = Family(windows="all")

_GEMMA_3: Final = Family(
    tied=True,
    windows="pattern",
    defaults={
        "vocab_size": 262_208,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "sliding_window": 4096,
        "sliding_window_pattern": 6,
        "max_position_embeddings": 131_072,
    },
)

FAMILIES: Final[Mapping[str, Family]] = {
    **dict.fromkeys(
        ("llama", "mllama", "mllama_text_model", "stablelm", "stablelm_epoch", "internlm2", "internlm3"), _PLAIN
    ),
    **dict.fromkeys(
        ("olmo", "olmo2", "olmoe", "granite", "granitemoe", "seed_oss", "yi", "baichuan", "exaone"), _PLAIN
    ),
    **dict.fromkeys(("glm", "glm4", "glm4_moe", "chatglm", "dbrx", "mimo", "bailing_moe", "minimax_m2"), _PLAIN),
    **dict.fromkeys(("minimax_m3", "minimax_m3_vl", "minimax_m3_text", "mistral4", "ministral3"), _PLAIN),
    **dict.fromkeys(("deepseek", "deepseek_v2", "deepseek_v3", "deepseek_v32", "kimi_k2", "kimi_k25"), _PLAIN),
    **dict.fromkeys(
        ("glm_moe_dsa", "glm4_moe_lite", "kimi_linear", "minimax", "minimax_m1", "minimax_text_01"), _PLAIN
    ),
    **dict.fromkeys(
        ("qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe"), _PLAIN
    ),
    **dict.fromkeys(("qwen2_vl_text", "qwen2_5_vl_text", "qwen3_vl_text", "qwen3_vl_moe_text"), _PLAIN),
    **dict.fromkeys(("qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"), _PLAIN),
    **dict.fromkeys(("gemma", "smollm3", "hunyuan_v1_dense", "hunyuan_v1_moe", "ernie4_5", "ernie4_5_moe"), _TIED),
    **dict.fromkeys(("phi", "gpt_neox", "gptj", "nemotron", "nemotron_h"), _TWO_MATRICES),
    **dict.fromkeys(("gpt2", "opt", "bloom", "mpt"), _TIED_TWO_MATRICES),
    **dict.fromkeys(
        ("falcon", "RefinedWeb", "RefinedWebModel"),
        Family(tied=True, mlp_matrices=2, defaults={"max_position_embeddings": 2048}),
    ),
    "qwen": Family(width_divisor=2),
    "gpt_bigcode": Family(tied=True, mlp_matrices=2),
    "starcoder2": Family(tied=True, mlp_matrices=2, windows="all"),
    **dict.fromkeys(("mistral", "mixtral", "phi3", "phimoe"), _WINDOW_WHERE_GIVEN),
    "gemma2": Family(tied=True, windows="alternate", defaults={"sliding_window": 4096}),
    "gemma3": _GEMMA_3,
    "gemma3_text": _GEMMA_3,
    "gemma4": Family(tied=True, windows="listed"),
    "gemma4_text": Family(tied=True, windows="listed"),
    "gpt_oss": Family(windows="alternate"),
    "cohere": _TIED,
    "cohere2": Family(tied=True, windows="pattern", defaults={"sliding_window_pattern": 4, "sliding_window": 4096}),
    "olmo3": Family(windows="pattern", defaults={"sliding_window_pattern": 4, "sliding_window": 4096}),
    "exaone4": Family(windows="pattern", defaults={"sliding_window_pattern": 4}),
    **dict.fromkeys(("llama4", "llama4_text"), Family(windows="chunked", defaults={"n_shared_experts": 1})),
    "mimo_v2_flash": Family(windows="listed"),
    **dict.fromkeys(("mamba", "falcon_mamba"), _TIED),
    "mamba2": _PLAIN,
    "jamba": _PLAIN,
    "granitemoehybrid": Family(tied=True),
}
"""By `model_type`. What is not here is refused by name: its shape would be a guess."""

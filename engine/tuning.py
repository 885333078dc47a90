"""Memory of tuning by the sizing guide: states, adapter and activations.

Every figure is in bytes or GB (10**9 bytes) as its name says. Source of all rules: sizing guide, rules ("Need");
slopes per token are measured on public runs, as stated there.
"""

from bisect import bisect_right
from typing import Final, NamedTuple

from engine.question import Checkpointing, Loss, Optimizer, Targets, Tuning
from engine.shape import Shape

DEFAULT_SEQUENCE_TOKENS: Final = 2048
ADAPTER_SHARE: Final = 0.005
"""Adapter parameters at rank 16 as a share of the model's."""
ADAPTER_RANK: Final = 16
ADAPTER_BYTES: Final = 16
"""Bytes an adapter parameter: weights, gradients, fp32 copy and two moments."""
ACTIVATION_ANCHORS_GB: Final = ((7.0, 4.0), (13.0, 4.0), (34.0, 6.0), (70.0, 8.0), (405.0, 12.0))
"""(billions of parameters, GB of activations at 2,048 tokens with checkpointing)."""
_ANCHOR_SIZES_B: Final = tuple(size for size, _ in ACTIVATION_ANCHORS_GB)
LEAST_ACTIVATIONS_GB: Final = 1.0
CHECKPOINT_BYTES: Final = 2
"""Bytes a token, layer and hidden unit that checkpointing keeps."""
WITHOUT_CHECKPOINTING_BYTES: Final = 34
"""Bytes a token, layer and hidden unit on top when nothing is recomputed; measured 28 to 43."""
FULL_TUNING_ALLOWANCE: Final = 0.15
"""Activations and fragmentation of full tuning, as a share of the states."""

LOSS_BYTES: Final[dict[Loss, float]] = {"plain": 14, "bf16": 8, "chunked": 2, "linear-chunked": 1, "fused": 0}
"""Bytes a token and vocabulary entry: logits and their gradients."""


class Recipe(NamedTuple):
    """Bytes a parameter of weights, gradients and optimizer states."""

    weights: float
    gradients: float
    optimizer: float

    @property
    def total(self) -> float:
        return sum(self)


RECIPES: Final[dict[Optimizer, Recipe]] = {
    "adam": Recipe(2, 2, 12),
    "adam-fp32": Recipe(4, 4, 8),
    "adam-bf16": Recipe(2, 2, 4),
    "adam8bit": Recipe(2, 2, 2),
    "adam4bit": Recipe(2, 2, 1.06),
    "paged8bit": Recipe(2, 0, 0),
    "inbackward": Recipe(2, 0.15, 4),
    "inbackward8bit": Recipe(2, 0.15, 2),
}
"""Source: sizing guide, rules (adam, adam-bf16, adam8bit); the others fitted on measured runs of torchtune."""


def adapter_gb(params_b: float, rank: int) -> float:
    """GB of a LoRA adapter with its gradients and optimizer states.

    >>> round(adapter_gb(13.0, 16), 2)
    1.04
    """
    return ADAPTER_SHARE * params_b * ADAPTER_BYTES * rank / ADAPTER_RANK


def anchor_gb(params_b: float) -> float:
    """GB of activations at 2,048 tokens, batch 1, checkpointing on, plain loss.

    Interpolated between the guide's sizes; in proportion to the parameters outside them, 1 GB at least.

    >>> anchor_gb(7.0), anchor_gb(52.0), anchor_gb(0.5)
    (4.0, 7.0, 1.0)
    """
    at = bisect_right(_ANCHOR_SIZES_B, params_b)
    if at == 0:
        size, gb = ACTIVATION_ANCHORS_GB[0]
        return max(LEAST_ACTIVATIONS_GB, gb * params_b / size)
    if at == len(_ANCHOR_SIZES_B):
        size, gb = ACTIVATION_ANCHORS_GB[-1]
        return gb * params_b / size
    (low, low_gb), (high, high_gb) = ACTIVATION_ANCHORS_GB[at - 1 : at + 1]
    return low_gb + (high_gb - low_gb) * (params_b - low) / (high - low)


def computing_b(shape: Shape, *, guide: bool) -> float:
    """Billions of parameters that activations go by: those that a token passes, by the guide's letter all.

    >>> from engine.models import shape
    >>> computing_b(shape("mixtral-8x7b"), guide=False)
    12.879925248
    """
    return shape.params_b if guide else shape.params_active / 1e9


def guide_targets(tuning: Tuning) -> Targets:
    """What the guide's adapter is trained on where nothing is named: the attention projections."""
    return tuning.targets or "attn"


def kept_bytes(tokens: int, layers: int, hidden: int, checkpointing: Checkpointing) -> float:
    """Bytes of activations that stay until the backward step, beyond what checkpointing keeps.

    Args:
        tokens: sequence length times batch.
        layers: num_hidden_layers.
        hidden: hidden_size.
        checkpointing: `alternate` recomputes every second layer, `selective` keeps 16 bytes, `offload` moves the
            kept 2 bytes to host memory but for 4 bytes a token of one layer's border.

    >>> kept_bytes(1, 1, 1, "off"), kept_bytes(1, 1, 1, "alternate")
    (34, 17.0)
    """
    unit = tokens * layers * hidden
    if checkpointing == "off":
        return WITHOUT_CHECKPOINTING_BYTES * unit
    if checkpointing == "alternate":
        return WITHOUT_CHECKPOINTING_BYTES / 2 * unit
    if checkpointing == "selective":
        return (16 - CHECKPOINT_BYTES) * unit
    if checkpointing == "offload":
        return 4 * tokens * hidden - CHECKPOINT_BYTES * unit
    return 0


def slope_bytes(layers: int, hidden: int) -> int:
    """Bytes of checkpoints that one more token keeps.

    >>> slope_bytes(40, 5120)
    409600
    """
    return CHECKPOINT_BYTES * layers * hidden

"""One GPU for several small models: MIG slices, and plain processes side by side."""

import math
from dataclasses import dataclass
from typing import Final

from engine.gpus import Gpu

MEMORY_SLICES: Final = {7: 8, 4: 4, 2: 2}
"""Memory slices of a GPU by the most instances it makes. Source: NVIDIA MIG guide (profiles 1g to 7g, A30 1g to 4g)."""
PROFILES: Final = {
    7: ((1, 1), (2, 2), (3, 4), (4, 4), (7, 8)),
    4: ((1, 1), (2, 2), (4, 4)),
    2: ((1, 1), (2, 2)),
}
"""Compute and memory slices of each profile. Source: NVIDIA MIG guide."""
HALF_GPU_THROUGHPUT: Final = 0.77
"""Share of a whole GPU's throughput that half of one keeps with small models (Phi-4-mini 3.8B, about 8 GB).
Source: sizing guide, economics (fraction_half_gpu)."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A MIG profile: its name, the GB of each instance, and how many of them one GPU makes."""

    name: str
    memory_gb: float
    instances: int


@dataclass(frozen=True, slots=True)
class Sharing:
    """How many instances of a model share one GPU.

    Attributes:
        isolated: the smallest slice that holds the model; None without MIG or where only the whole GPU holds it.
        side_by_side: instances as plain processes, by memory alone.
    """

    isolated: Slice | None
    side_by_side: int


def slices_of(gpu: Gpu) -> tuple[Slice, ...]:
    """The MIG profiles of a GPU, the smallest first; () where it makes none.

    >>> from engine.gpus import gpu
    >>> [(one.name, one.instances) for one in slices_of(gpu("h100-sxm-80"))]
    [('1g.10gb', 7), ('2g.20gb', 3), ('3g.40gb', 2), ('4g.40gb', 1), ('7g.80gb', 1)]
    """
    memory_slices = MEMORY_SLICES.get(gpu.mig_max)
    if memory_slices is None:
        return ()
    each_gb = gpu.memory_gb / memory_slices
    return tuple(
        Slice(
            name=f"{compute}g.{math.floor(memory * each_gb + 0.5)}gb",
            memory_gb=memory * each_gb,
            instances=min(gpu.mig_max // compute, memory_slices // memory),
        )
        for compute, memory in PROFILES[gpu.mig_max]
    )


def sharing_of(need_gb: float, gpu: Gpu) -> Sharing:
    """How many instances of a model that needs `need_gb` share one GPU.

    >>> from engine.gpus import gpu
    >>> sharing_of(8.0, gpu("h100-sxm-80")).isolated.instances, sharing_of(8.0, gpu("rtx-4090"))
    (7, Sharing(isolated=None, side_by_side=3))
    """
    holding = next((one for one in slices_of(gpu) if one.memory_gb >= need_gb and one.instances > 1), None)
    return Sharing(holding, math.floor(gpu.memory_gb / need_gb))

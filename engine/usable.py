"""What a process can really use of a GPU."""

from typing import Final

from engine.gpus import Gpu
from engine.profiles.constants import constant

WIRED_SHARE: Final = 0.75
"""What macOS lets the GPU have of the memory unless `iogpu.wired_limit_mb` says more. Source: facts on GPUs."""


def wired_gb(gpu: Gpu) -> float:
    """GB of a Mac's memory that its GPU has by itself; of other GPUs all.

    >>> from engine.gpus import gpu
    >>> wired_gb(gpu("m2-ultra-192")), wired_gb(gpu("rtx-3090"))
    (144.0, 24.0)
    """
    return gpu.memory_gb * (WIRED_SHARE if gpu.is_mac else 1.0)


def usable_gb(gpu: Gpu) -> float:
    """GB (10**9 bytes) that CUDA reports to a process; the nominal memory where the driver's figure is not known.

    Source: facts on measured runs, section 6 (usable against nominal memory).

    >>> from engine.gpus import gpu
    >>> round(usable_gb(gpu("h100-sxm-80")), 1)
    85.0
    """
    if gpu.is_nameless or gpu.driver_gb == gpu.memory_gb:
        return gpu.memory_gb
    share = (
        "usable.share_h100" if gpu.id.startswith("h100") else "usable.share_t4" if gpu.id == "t4" else "usable.share"
    )
    return gpu.driver_gb * constant(share)

"""What a process can really use of a GPU."""

from engine.gpus import Gpu
from engine.profiles.constants import constant


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

"""Does a set hold a need? Capacities are nominal, decimal GB; what the driver reports is the outer limit.

Source: sizing guide, rules ("Choice": fits, tight).
"""

from typing import Final, NamedTuple

from engine.answer import Need, Verdict
from engine.gpus import Gpu
from engine.need import per_gpu_gb

TIGHT_SPARE_GB: Final = 5.0
"""Less than this to spare on one GPU is tight."""
FULL_SIZE_GPU_GB: Final = 24.0
"""On a smaller GPU the tight margin shrinks in proportion."""
TIGHT_SPARE_GB_A_GPU: Final = 2.0
"""Less than this to spare a GPU of a set is tight."""


class Fit(NamedTuple):
    """The verdict with the GB to spare on nominal capacity (negative where the need is larger)."""

    verdict: Verdict
    spare_gb: float


def tight_margin_gb(memory_gb: float, count: int) -> float:
    """GB to spare below which a set counts as tight.

    >>> tight_margin_gb(24.0, 1), tight_margin_gb(12.0, 1), tight_margin_gb(80.0, 8)
    (5.0, 2.5, 16.0)
    """
    if count > 1:
        return TIGHT_SPARE_GB_A_GPU * count
    return TIGHT_SPARE_GB * min(1.0, memory_gb / FULL_SIZE_GPU_GB)


def fit_of(need_gb: float, memory_gb: float, count: int) -> Fit:
    """The verdict of an offer: on nominal capacity alone, as the guide has it."""
    spare_gb = memory_gb * count - need_gb
    if spare_gb < 0:
        return Fit("no", spare_gb)
    return Fit("tight" if spare_gb < tight_margin_gb(memory_gb, count) else "fits", spare_gb)


def fit_of_named(need: Need, gpu: Gpu, count: int) -> Fit:
    """The verdict of a set that the question names.

    A need past the nominal capacity that the driver's figure still holds is tight, if each GPU's part of it goes into
    one GPU; so is a set that holds the lower end of the need and not the upper one.
    """
    driver_gb = max(gpu.driver_gb, gpu.memory_gb)
    plain = fit_of(need.total_gb, gpu.memory_gb, count)
    if plain.verdict == "no":
        held = _is_held(need.total_gb, driver_gb, count) or _is_held(need.low_gb, gpu.memory_gb, count)
        return Fit("tight" if held else "no", plain.spare_gb)
    if need.high_gb > gpu.memory_gb * count:
        return Fit("tight", plain.spare_gb)
    return plain


def _is_held(need_gb: float, memory_gb: float, count: int) -> bool:
    """Whether the GPUs together hold it, and one of them its part, with a process' overhead on each."""
    return need_gb <= memory_gb * count and per_gpu_gb(need_gb, count) <= memory_gb

"""GPUs as price lists name them. A name that covers several is taken as the smaller, slower one, unless the machine's
name says which.

Source: catalog conventions of SkyPilot and gpuhunt (names and machines), as read in 2026.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine import gpus
from engine.gpus import Gpu, normal_name

NEAR_MEMORY: Final = 0.15
"""Share by which a list's memory may differ from ours: name-plate, driver and GiB figures stand in the same column."""

_IDS: Final = {
    "a100": "a100-40-sxm",
    "a10080gb": "a100-80-pcie",
    "a10080gbsxm": "a100-80-sxm",
    "a10080gpcie": "a100-80-pcie",
    "a10080gsxm4": "a100-80-sxm",
    "h100": "h100-pcie-80",
    "h100mega": "h100-sxm-80",
    "h100sxm": "h100-sxm-80",
    "h10080gbhbm3": "h100-sxm-80",
    "h200": "h200-sxm-141",
    "v100": "v100-16",
    "v10032gb": "v100-32",
    "rtx3080": "rtx-3080-10",
    "rtx3060": "rtx-3060-12",
    "rtxpro6000": "rtx-pro-6000-server-96",
    "rtxpro6000s": "rtx-pro-6000-server-96",
    "rtxpro6000ws": "rtx-pro-6000-ws-96",
    "rtxpro6000wk": "rtx-pro-6000-ws-96",
    "rtxpro6000se": "rtx-pro-6000-server-96",
    "rtxpro6000we": "rtx-pro-6000-ws-96",
    "rtx6000": "quadro-rtx-6000",
}
_FORMS: Final = ((re.compile(r"nvl"), "nvl"), (re.compile(r"sxm|hgx"), "sxm"), (re.compile(r"pcie"), "pcie"))
_FRACTIONS: Final = (
    re.compile(r"(standard_)?nv(6|12|18)ads_a10_v5"),
    re.compile(r"(standard_)?nc24lds_.*rtxpro6000.*"),
    re.compile(r"gr?6f\..*"),
)
"""Machines with a part of a GPU. Source: Azure's and AWS's machine sizes (A10 in sixths, RTX PRO 6000 in quarters)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The GPU of a line; `assumed` says what was taken where the name covers several."""

    gpu: Gpu
    assumed: str = ""


def is_fraction(machine: str) -> bool:
    """Whether a machine has only a part of a GPU.

    >>> is_fraction("Standard_NV6ads_A10_v5"), is_fraction("Standard_NV36ads_A10_v5")
    (True, False)
    """
    return any(pattern.fullmatch(machine.lower()) for pattern in _FRACTIONS)


@cache
def gpu_named(name: str, machine: str = "", memory_gb: float | None = None) -> Reading | None:
    """The GPU of a line; None where none is known.

    Args:
        name: as the list names the GPU.
        machine: name of the machine, which may say more.
        memory_gb: of one GPU, GB, where the list can be trusted in it; decides between variants.

    >>> gpu_named("A100", memory_gb=80.0).gpu.id, gpu_named("H100", "gpu_8x_h100_sxm5").gpu.id
    ('a100-80-pcie', 'h100-sxm-80')
    """
    known = gpus.machine(machine)
    if known is not None:
        return Reading(gpus.gpu(known.gpu))
    usual = _usual(name)
    found = _of_memory({one.id: one for one in (*usual, *gpus.readings(name))}, memory_gb or _memory_gb(usual))
    if not found:
        return None
    meant = _of_form(found, f"{machine} {name}".lower())
    taken = next((one for one in meant if one in usual), None) or min(
        meant, key=lambda one: (one.memory_gb, one.bandwidth_gb_s or 0.0)
    )
    return Reading(taken, "" if len(meant) == 1 else f"listed as {name}: taken as {taken.full_name}")


def is_near(listed_gb: float, memory_gb: float) -> bool:
    """Whether a listed memory is that of a GPU.

    >>> is_near(276.0, 288.0), is_near(48.0, 24.0)
    (True, False)
    """
    return abs(listed_gb - memory_gb) <= NEAR_MEMORY * memory_gb


def _usual(name: str) -> tuple[Gpu, ...]:
    usual = _IDS.get(normal_name(name))
    return () if usual is None else (gpus.gpu(usual),)


def _memory_gb(usual: tuple[Gpu, ...]) -> float | None:
    return usual[0].memory_gb if usual else None


def _of_memory(found: Mapping[str, Gpu], memory_gb: float | None) -> tuple[Gpu, ...]:
    return tuple(one for one in found.values() if memory_gb is None or is_near(memory_gb, one.memory_gb))


def _of_form(found: tuple[Gpu, ...], words: str) -> tuple[Gpu, ...]:
    """Those of the form (SXM, PCIe, NVL) that the words speak of; all where they speak of none."""
    form = next((form for pattern, form in _FORMS if pattern.search(words)), None)
    of_form = tuple(one for one in found if form and form in one.id)
    return of_form or found

"""GPUs: their specification, and every way people write their names.

Rows are in data/gpus.csv, cloud machines in data/machines.csv; each names its source. GPUs of the packaged rental
catalog keep the sizing guide's figures, the rest those of their data sheets.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from engine.question import GpuSet
from engine.tables import checked, packaged_rows
from engine.units import gb_of_mib
from engine.values import Value

FULL_MESH_LINKS: Final = frozenset({"nvlink", "infinity-fabric", "roce", "ici"})
"""Links that join all GPUs of a node. Full tuning across GPUs needs one. Source: sizing guide, rules."""

LINK_NAMES: Final = {
    "none": "no link",
    "pcie3": "PCIe 3",
    "pcie4": "PCIe 4",
    "pcie5": "PCIe 5",
    "pcie6": "PCIe 6",
    "nvlink-bridge": "an NVLink bridge",
    "nvlink": "NVLink",
    "infinity-fabric": "Infinity Fabric",
    "roce": "RoCE",
    "ici": "ICI",
}

_NAMELESS = re.compile(r"(\d+(?:\.\d+)?)gb")
_VENDOR_WORDS = re.compile(r"^(nvidia|geforce|tesla|amd|instinct|radeon|intel|apple|google|quadro)+")
_SEPARATORS = re.compile(r"[\s\-_/]+")


class Gpu(Value):
    """One kind of GPU. Memory in GB (10**9), bandwidths in GB/s; None where it is not known.

    `driver_gb` is what the driver reports, the nominal figure where that is not known; `link_gb_s` is the total of
    both directions for NVLink and fabrics, one direction for PCIe (as the vendors state them).
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    vendor: str = ""
    segment: str = ""
    architecture: str = ""
    year: int | None = None
    memory_gb: float
    memory_type: str = ""
    driver_gb: float
    bandwidth_gb_s: float | None = None
    bf16: bool = True
    fp8: bool | None = None
    link: str = "none"
    link_gb_s: float | None = None
    tdp_w: float | None = None
    mig_max: int = 0
    software: tuple[str, ...] = ()
    msrp_usd: float | None = None
    street_usd: float | None = None
    source: str = ""
    confidence: str = ""
    notes: str = ""

    @property
    def is_mac(self) -> bool:
        return self.software[:1] == ("metal",)

    @property
    def is_nameless(self) -> bool:
        return self.bandwidth_gb_s is None

    @property
    def full_name(self) -> str:
        """Name and memory, as people say it: `A40 48 GB`."""
        return self.name if self.is_nameless else f"{self.name} {self.memory_gb:g} GB"

    @property
    def is_rocm(self) -> bool:
        return "rocm" in self.software


FORMS: Final = frozenset({"PCIe", "SXM", "SXM2", "NVL", "Server", "Workstation"})
"""Words of a GPU's name that say how it is built in; without them the name is that of the chip and its board."""


@dataclass(frozen=True)
class _Table:
    by_id: dict[str, Gpu]
    by_name: dict[str, tuple[str, ...]]
    written: tuple[str, ...]


def _rows() -> Iterator[Gpu]:
    for place, row in packaged_rows("gpus.csv"):
        cells: dict[str, object] = {key: cell or None for key, cell in row.items()}
        mib = row["driver_memory_mib"]
        cells |= {
            "aliases": tuple(row["aliases"].split("|")),
            "software": tuple(row["software"].split("|")),
            "driver_gb": gb_of_mib(float(mib)) if mib else row["memory_gb"],
            "notes": row["notes"],
        }
        del cells["driver_memory_mib"]
        yield checked(Gpu, cells, place)


def normal_name(words: str) -> str:
    """A GPU's name without case, separators and vendor.

    >>> normal_name("NVIDIA GeForce RTX-3090"), normal_name("A100 80 GB")
    ('rtx3090', 'a10080gb')
    """
    return _VENDOR_WORDS.sub("", _SEPARATORS.sub("", words.lower()))


def _spellings(gpu: Gpu) -> Iterator[str]:
    size = f"{gpu.memory_gb:g}"
    for name in {normal_name(name) for name in (gpu.id, gpu.name, *gpu.aliases)}:
        for short in {name, name.removeprefix("rtx").removeprefix("gtx")}:
            yield short
            # not after a name that carries its memory: `a10080` would become `a1008080`
            if not short.endswith((size, f"{size}gb", f"{size}g")):
                yield from (short + size, f"{short}{size}g", f"{short}{size}gb")
    for form in ("pcie", "sxm", "nvl"):
        if form in gpu.id:
            family = normal_name(gpu.id).split(form)[0].removesuffix(size)
            for memory in ("", size, f"{size}g", f"{size}gb"):
                suffixes = (form, f"{form}4", f"{form}5") if form == "sxm" else (form,)
                for suffix in suffixes:
                    yield from (family + memory + suffix, family + suffix + memory)


@cache
def _table() -> _Table:
    by_id = {gpu.id: gpu for gpu in _rows()}
    by_name: dict[str, list[str]] = {}
    for gpu in by_id.values():
        for spelling in set(_spellings(gpu)):
            by_name.setdefault(spelling, []).append(gpu.id)
    written = tuple(dict.fromkeys(name for gpu in by_id.values() for name in (gpu.id, *gpu.aliases)))
    return _Table(by_id, {name: tuple(ids) for name, ids in by_name.items()}, written)


def all_gpus() -> tuple[Gpu, ...]:
    """Every GPU known, in the order of the table."""
    return tuple(_table().by_id.values())


def gpu(gpu_id: str) -> Gpu:
    """The GPU of an id, or a nameless one of that size (`24gb`); KeyError otherwise.

    >>> gpu("rtx-3090").memory_gb, gpu("24gb").memory_gb
    (24.0, 24.0)
    """
    if size := _NAMELESS.fullmatch(gpu_id):
        memory_gb = float(size[1])
        return Gpu(id=gpu_id, name=f"GPU of {memory_gb:g} GB", memory_gb=memory_gb, driver_gb=memory_gb)
    return _table().by_id[gpu_id]


def find(words: str) -> tuple[Gpu, ...]:
    """Every reading of a written name, () where none is known.

    Readings of the same memory that differ in bandwidth come down to the slowest (`slower_taken` says so);
    a bare H100 is the exception: its forms are sold as different GPUs.

    >>> [g.id for g in find("a100")], [g.id for g in find("RTX 3090")]
    (['a100-40-pcie', 'a100-80-pcie'], ['rtx-3090'])
    """
    table = _table()
    found = [table.by_id[gpu_id] for gpu_id in table.by_name.get(normal_name(words), ())]
    if normal_name(words) == "h100":
        return tuple(found)
    slowest: dict[float, Gpu] = {}
    for one in found:
        held = slowest.get(one.memory_gb)
        if held is None or (one.bandwidth_gb_s or 0.0) < (held.bandwidth_gb_s or 0.0):
            slowest[one.memory_gb] = one
    return tuple(slowest.values())


def readings(words: str) -> tuple[Gpu, ...]:
    """Every GPU that a written name may mean, also those that differ in bandwidth or form alone.

    >>> [g.id for g in readings("a100 80gb")]
    ['a100-80-pcie', 'a100-80-sxm']
    """
    table = _table()
    return tuple(table.by_id[gpu_id] for gpu_id in table.by_name.get(normal_name(words), ()))


@lru_cache(maxsize=256)
def other_forms(one: Gpu) -> tuple[Gpu, ...]:
    """The same GPU with the same memory, built in otherwise.

    >>> [form.id for form in other_forms(gpu("a100-80-pcie"))], other_forms(gpu("rtx-4090"))
    (['a100-80-sxm'], ())
    """
    return tuple(
        other
        for other in all_gpus()
        if other.id != one.id and other.memory_gb == one.memory_gb and _without_form(other) == _without_form(one)
    )


def _without_form(one: Gpu) -> str:
    return " ".join(word for word in one.name.split() if word not in FORMS)


def slower_taken(words: str) -> tuple[Gpu, ...]:
    """The faster GPUs of the same memory that a written name could also have meant.

    >>> [g.id for g in slower_taken("a100 80gb")]
    ['a100-80-sxm']
    """
    table = _table()
    taken = {one.id: one for one in find(words)}
    others = [table.by_id[gpu_id] for gpu_id in table.by_name.get(normal_name(words), ()) if gpu_id not in taken]
    return tuple(
        one for one in others if (one.bandwidth_gb_s or 0) > min(t.bandwidth_gb_s or 0 for t in taken.values())
    )


def names() -> tuple[str, ...]:
    """Written names, for suggestions."""
    return _table().written


@cache
def _machines() -> dict[str, GpuSet]:
    return {
        row["machine"].lower(): checked(GpuSet, {"gpu": row["gpu"], "count": row["count"]}, place)
        for place, row in packaged_rows("machines.csv")
    }


def machine(name: str) -> GpuSet | None:
    """The GPUs of a cloud machine; None where its name is not known.

    >>> machine("g5.12xlarge")
    GpuSet(gpu='a10g', count=4)
    """
    lowered = name.lower()
    return _machines().get(lowered) or _machines().get(lowered.removeprefix("standard_"))


def machine_names() -> tuple[str, ...]:
    """Names of the cloud machines known."""
    return tuple(_machines())

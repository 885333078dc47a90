"""gpuhunt's catalog files: one line an instance and region, spot in lines of its own; the file's name is the provider.

Prices are of the whole instance, US dollars an hour. Memory is of one GPU and in GB, rounded. Forms (PCIe, SXM) are
not listed. Source: gpuhunt 0.1.34, catalog columns.
"""

from collections.abc import Iterable, Iterator

from engine.catalog_names import Reading, gpu_named, is_fraction
from engine.catalog_rows import (
    FRACTION,
    NO_GPU,
    OTHER_MEMORY,
    UNKNOWN,
    Left,
    Listed,
    NoOffer,
    Row,
    Source,
    amount,
    listed_at,
)
from engine.offers import Offer, Unpriced


def listed(source: Source, rows: Iterable[Row]) -> Iterator[Listed | Left]:
    """Every line's offer, or why it is none."""
    for row in rows:
        try:
            yield Listed(row.line, _offer(source, row.cells))
        except NoOffer as error:
            yield error.on(row.line)


def _offer(source: Source, cells: dict[str, str]) -> Offer | Unpriced:
    machine, count = cells["instance_name"].strip(), _count(cells)
    reading = _reading(cells, machine)
    price = amount(cells["price"])
    if not price:
        return Unpriced(gpu=reading.gpu.id, count=count, provider=source.provider, note=machine)
    return listed_at(
        source,
        reading.gpu,
        count,
        price,
        region=cells.get("location", "").strip(),
        commitment="spot" if cells.get("spot", "").strip().lower() == "true" else "on-demand",
        note="; ".join(filter(None, (machine, reading.assumed))),
    )


def _count(cells: dict[str, str]) -> int:
    count = amount(cells["gpu_count"] or "0")
    if count is None or count != int(count) or count < 0:
        raise NoOffer(f"gpu_count: no whole number, given {cells['gpu_count']!r}", is_bad=True)
    if count == 0 or not cells["gpu_name"].strip():
        raise NoOffer(NO_GPU)
    return int(count)


def _reading(cells: dict[str, str], machine: str) -> Reading:
    """The GPU; a listed memory far below that of the GPU is that of a part of it."""
    name, memory = cells["gpu_name"].strip(), amount(cells.get("gpu_memory", ""))
    if is_fraction(machine):
        raise NoOffer(FRACTION)
    reading = gpu_named(name, machine, float(memory) if memory else None)
    if reading is None:
        raise NoOffer(UNKNOWN if gpu_named(name, machine) is None else OTHER_MEMORY)
    return reading

"""SkyPilot's catalog files: one line a machine and zone, on-demand and spot price in the same line.

Prices are of the whole machine, US dollars an hour. A spot price that is empty, zero or equal to the other is none.
The memory in GpuInfo is in MiB or GB, of one GPU or of all, and is looked at for the marketplace of Vast alone,
where GPUs with other memory than they are sold with are on offer. On GCP a machine's GPUs stand in a line of their own
(without InstanceType): both prices are added. Source: skypilot-catalog, schemas v7 to v9.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

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
from engine.units import gb_of_mib

PLACEHOLDER_USD: Final = Decimal(700)
"""Price of TPU lines that have none."""
LEAST_MIB: Final = 1000
"""A size below this is in GB."""
MARKETPLACES: Final = frozenset({"vast"})
"""Where people rent out GPUs with other memory than they are sold with."""

_SIZE: Final = re.compile(r"""["']SizeInMiB["']\s*:\s*(\d+(?:\.\d+)?)""")
_VAST_MACHINE: Final = re.compile(r"\d+x-([A-Za-z0-9_]+)-\d+-\d+")

_HOSTS: Final = {
    "a100": re.compile(r"a2-(?:highgpu|megagpu)-(\d+)g"),
    "a100-80gb": re.compile(r"a2-ultragpu-(\d+)g"),
    "h100": re.compile(r"a3-highgpu-(\d+)g"),
    "h100-mega": re.compile(r"a3-megagpu-(\d+)g"),
    "h200": re.compile(r"a3-ultragpu-(\d+)g"),
    "b200": re.compile(r"a4-highgpu-(\d+)g"),
}
"""GCP's machines by their GPUs; the figure is how many of them. Source: Google Cloud, GPU machine types."""
_L4_HOSTS: Final = {"g2-standard-4": 1, "g2-standard-24": 2, "g2-standard-48": 4, "g2-standard-96": 8}
_FREE_HOST: Final = "n1-standard-4"
"""The host that T4, V100, P4 and P100 are reckoned with: they can be put into any n1 machine."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with a GPU; prices None where there is none."""

    line: int
    machine: str
    name: str
    count: int
    price: Decimal | None
    spot: Decimal | None
    region: str
    zone: str
    info: str


@dataclass(frozen=True, slots=True)
class _Host:
    price: Decimal
    spot: Decimal | None


Hosts = dict[tuple[str, str], _Host]
"""Machines without a GPU by name and zone."""


def listed(source: Source, rows: Iterable[Row]) -> Iterator[Listed | Left]:
    """Every line's offers, or why it has none."""
    hosts: Hosts = {}
    parts: list[_Line] = []
    for row in rows:
        try:
            line = _line(row)
        except NoOffer as error:
            if error.reason == NO_GPU:
                _keep_host(hosts, row)
            yield error.on(row.line)
            continue
        if line.machine:
            yield from _listed(source, line)
        else:
            parts.append(line)
    for part in parts:
        yield from _listed_with_host(source, part, hosts)


def _line(row: Row) -> _Line:
    cells = row.cells
    name, machine = cells["AcceleratorName"].strip(), cells["InstanceType"].strip()
    if not name:
        raise NoOffer(NO_GPU)
    count, price = amount(cells["AcceleratorCount"]), amount(cells["Price"])
    if count is None or count <= 0:
        raise NoOffer(f"AcceleratorCount: no number of GPUs, given {cells['AcceleratorCount']!r}", is_bad=True)
    if count != int(count) or is_fraction(machine):
        raise NoOffer(FRACTION)
    if name.lower().startswith("tpu") and price == PLACEHOLDER_USD:
        raise NoOffer("placeholder prices of TPUs")
    return _Line(
        row.line,
        machine,
        name,
        int(count),
        price or None,
        _spot(cells, price),
        cells.get("Region", "").strip(),
        cells.get("AvailabilityZone", "").strip(),
        cells.get("GpuInfo") or cells.get("GPUInfo") or "",
    )


def _spot(cells: dict[str, str], price: Decimal | None) -> Decimal | None:
    spot = amount(cells.get("SpotPrice", ""))
    return None if not spot or spot == price else spot


def _keep_host(hosts: Hosts, row: Row) -> None:
    price, machine = amount(row.cells["Price"]), row.cells["InstanceType"].strip()
    if not price or not machine:
        return
    host = _Host(price, _spot(row.cells, price))
    for place in (row.cells.get("AvailabilityZone", "").strip(), row.cells.get("Region", "").strip()):
        hosts.setdefault((machine, place), host)


def _listed_with_host(source: Source, part: _Line, hosts: Hosts) -> Iterator[Listed | Left]:
    """A line of GPUs with the price of the machine that they sit in."""
    machine = _machine_of(part, hosts)
    host = hosts.get((machine, part.zone)) or hosts.get((machine, part.region))
    if host is None:
        yield Left(part.line, "GPUs whose machine is not in the file")
        return
    price = part.price + host.price if part.price else None
    spot = part.spot + host.spot if part.spot and host.spot else None
    yield from _listed(source, replace(part, machine=machine, price=price, spot=spot))


def _machine_of(part: _Line, hosts: Hosts) -> str:
    name = part.name.lower()
    if name == "l4":
        return next((machine for machine, count in _L4_HOSTS.items() if count == part.count), "")
    pattern = _HOSTS.get(name)
    if pattern is None:
        return _FREE_HOST
    machines = {machine for machine, _ in hosts}
    return next((one for one in machines if (found := pattern.fullmatch(one)) and int(found[1]) == part.count), "")


def _listed(source: Source, line: _Line) -> Iterator[Listed | Left]:
    try:
        reading = _reading(source, line)
    except NoOffer as error:
        yield error.on(line.line)
        return
    if line.price is None and line.spot is None:
        yield Listed(line.line, Unpriced(gpu=reading.gpu.id, count=line.count, provider=source.provider))
        return
    for usd_hour, commitment in ((line.price, "on-demand"), (line.spot, "spot")):
        if usd_hour is None:
            continue
        try:
            yield Listed(line.line, _offer(source, line, reading, usd_hour, is_spot=commitment == "spot"))
        except NoOffer as error:
            yield error.on(line.line)


def _offer(source: Source, line: _Line, reading: Reading, usd_hour: Decimal, *, is_spot: bool) -> Offer:
    return listed_at(
        source,
        reading.gpu,
        line.count,
        usd_hour,
        region=line.region,
        commitment="spot" if is_spot else "on-demand",
        note="; ".join(filter(None, (line.machine, reading.assumed))),
    )


def _reading(source: Source, line: _Line) -> Reading:
    """The GPU of a line: on Vast by the machine's name, as the other is cut (RTX4060 for a 4060 Ti)."""
    listed_gb = _listed_gb(line) if source.provider in MARKETPLACES else None
    on_vast = _VAST_MACHINE.fullmatch(line.machine)
    names = (on_vast[1].replace("_", " "), line.name) if on_vast else (line.name,)
    for name in names:
        if reading := gpu_named(name, line.machine, listed_gb):
            return reading
    known = any(gpu_named(name, line.machine) for name in names)
    raise NoOffer(OTHER_MEMORY if known else UNKNOWN)


def _listed_gb(line: _Line) -> float | None:
    """GB of one GPU as listed; of Vast, whose sizes are those of all GPUs of the machine."""
    found = _SIZE.search(line.info)
    if not found:
        return None
    size = float(found[1])
    each_gb = (size if size < LEAST_MIB else gb_of_mib(size)) / line.count
    return each_gb if each_gb > 0 else None

"""Offers and catalogs: which sets somebody rents, at what price, as of when.

A catalog is sorted once, cheapest first; the choice takes the first offer that holds the need.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Final

from engine.answer import CatalogMark
from engine.gpus import Gpu, gpu
from engine.tables import checked, packaged_rows
from engine.units import HOURS_A_MONTH
from engine.values import Usd, Value

QUANTITY_DISCOUNTS: Final = {1: Decimal(0), 2: Decimal("0.05"), 4: Decimal("0.08"), 8: Decimal("0.10")}
"""Share taken off at that many GPUs. Source: sizing guide, economics (discount_2, discount_4, discount_8)."""

NODE_PRICES_USD: Final = {"a100-80-sxm": Decimal(7130), "mi300x-192": Decimal(11450)}
"""List price a month of a node of eight. Source: sizing guide, economics (node_price_8x_...)."""

SHORTEST_TERM_DAYS: Final = 7
"""Shortest rental term of gpu-rent-hub. Source: sizing guide, economics (min_term)."""

GPUS_A_NODE: Final = 8


class Offer(Value):
    """A set that someone rents. Money in US dollars for the whole set; memory in GB (10**9).

    `smallest_order` is how many GPUs of this kind must be taken at least; `counts_inferred` marks a rentable count
    that the price list does not state.
    """

    gpu: str
    count: int
    usd_month: Usd
    provider: str
    priced_on: date
    stock: int | None = None
    region: str = ""
    smallest_order: int = 1
    shortest_term_days: int = 0
    counts_inferred: bool = False
    note: str = ""

    @property
    def usd_hour(self) -> Decimal:
        """US dollars an hour of the whole set, not rounded; a month is 720 hours."""
        return self.usd_month / HOURS_A_MONTH


@dataclass(frozen=True, slots=True)
class Rentable:
    """An offer with its GPU and what the choice looks at, worked out once."""

    offer: Offer
    gpu: Gpu
    count: int
    capacity_gb: float
    usd_month: Decimal


@dataclass(frozen=True)
class Catalog:
    """Offers with a name, a date and a fingerprint; `singles` and `sets` are sorted, cheapest first."""

    name: str
    date: date
    offers: tuple[Offer, ...]
    is_packaged: bool = False
    singles: tuple[Rentable, ...] = field(init=False, repr=False, compare=False)
    sets: tuple[Rentable, ...] = field(init=False, repr=False, compare=False)
    mark: CatalogMark = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rentables = sorted(map(_rentable, self.offers), key=lambda r: (r.usd_month, r.count, r.capacity_gb, r.gpu.id))
        object.__setattr__(self, "singles", tuple(r for r in rentables if r.count == 1))
        object.__setattr__(self, "sets", tuple(r for r in rentables if r.count > 1))
        mark = CatalogMark(name=self.name, date=self.date, fingerprint=_fingerprint(self.offers))
        object.__setattr__(self, "mark", mark)

    def price_usd_month(self, gpu_id: str, count: int) -> Decimal | None:
        """The lowest price a month of exactly this set; None where nobody rents it."""
        prices = (r.usd_month for r in (*self.singles, *self.sets) if r.gpu.id == gpu_id and r.count == count)
        return min(prices, default=None)


def _rentable(offer: Offer) -> Rentable:
    kind = gpu(offer.gpu)
    return Rentable(offer, kind, offer.count, kind.memory_gb * offer.count, offer.usd_month)


def _fingerprint(offers: Iterable[Offer]) -> str:
    digest = hashlib.sha256()
    for offer in offers:
        digest.update(offer.model_dump_json().encode())
    return digest.hexdigest()[:16]


def set_price_usd(gpu_id: str, count: int, usd_month_each: Decimal) -> Decimal:
    """Price a month of a set at gpu-rent-hub, US dollars.

    Args:
        gpu_id: the GPU; two kinds have a list price for the node of eight.
        count: 1, 2, 4 or 8.
        usd_month_each: price a month of one.

    Source: sizing guide, rules ("Choice").

    >>> set_price_usd("a40", 2, Decimal(240))
    Decimal('456.00')
    """
    if count == GPUS_A_NODE and gpu_id in NODE_PRICES_USD:
        return NODE_PRICES_USD[gpu_id]
    return count * usd_month_each * (1 - QUANTITY_DISCOUNTS[count])


def _gpu_rent_hub() -> Iterator[Offer]:
    for place, row in packaged_rows("gpu_rent_hub.csv"):
        counts = sorted(int(count) for count in row["rentable_counts"].split("|"))
        for count in counts:
            yield checked(
                Offer,
                {
                    "gpu": row["gpu"],
                    "count": count,
                    "usd_month": set_price_usd(row["gpu"], count, Decimal(row["usd_month"])),
                    "provider": "gpu-rent-hub",
                    "priced_on": date(2026, 9, 1),
                    "stock": row["stock"] or None,
                    "region": row["region"],
                    "smallest_order": counts[0],
                    "shortest_term_days": SHORTEST_TERM_DAYS,
                    "counts_inferred": row["counts_basis"] == "inferred",
                    "note": row["note"],
                },
                place,
            )


@cache
def packaged_catalog() -> Catalog:
    """The rental catalog `gpu-rent-hub` of 2026-09-01.

    >>> packaged_catalog().price_usd_month("a100-80-sxm", 8)
    Decimal('7130')
    """
    return Catalog("gpu-rent-hub", date(2026, 9, 1), tuple(_gpu_rent_hub()), is_packaged=True)

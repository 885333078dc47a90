"""Offers and catalogs: which sets somebody rents, at what price, as of when.

A catalog is sorted once, cheapest first; the choice takes the first offer that holds the need. Of the same set it looks
at the cheapest on-demand offer alone (of one provider, where that is asked for), so that a hundred thousand offers cost
an answer no more than a few hundred. Spot and reserved prices stand apart and are never picked.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Final, Literal, NamedTuple

from engine.answer import CatalogMark
from engine.gpus import Gpu, gpu, other_forms
from engine.tables import checked, packaged_rows
from engine.units import HOURS_A_MONTH
from engine.values import Usd, Value

QUANTITY_DISCOUNTS: Final = {1: Decimal(0), 2: Decimal("0.05"), 4: Decimal("0.08"), 8: Decimal("0.10")}
"""Share taken off at that many GPUs. Source: sizing guide, economics (discount_2, discount_4, discount_8)."""

NODE_PRICES_USD: Final = {"a100-80-sxm": Decimal(7130), "mi300x-192": Decimal(11450)}
"""List price a month of a node of eight. Source: sizing guide, economics (node_price_8x_...)."""

SHORTEST_TERM_DAYS: Final = 7
"""Shortest rental term of gpu-rent-hub. Source: sizing guide, economics (min_term)."""

PRICE_OLD_DAYS: Final = 30
"""Prices move monthly: an older one is said. Source: dated price lists of 2026."""

GPUS_A_NODE: Final = 8

Commitment = Literal["on-demand", "spot", "reserved", "serverless"]
"""`spot` may be taken away at any time, `reserved` binds for long, `serverless` is billed by the second of use."""


class Offer(Value):
    """A set that someone rents. Money in US dollars for the whole set; memory in GB (10**9).

    `smallest_order` is how many GPUs of this kind must be taken at least; `counts_inferred` marks a rentable count
    that the price list does not state. `usd_month_each` is the list price of one, before any discount; `ages` says that
    its date is held against today's.
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
    commitment: Commitment = "on-demand"
    usd_month_each: Usd | None = None
    ages: bool = True

    @property
    def usd_hour(self) -> Decimal:
        """US dollars an hour of the whole set, not rounded; a month is 720 hours."""
        return self.usd_month / HOURS_A_MONTH

    def is_old(self, today: date) -> bool:
        """Whether the price has to be looked up again."""
        return self.ages and (today - self.priced_on).days > PRICE_OLD_DAYS


@dataclass(frozen=True, slots=True)
class Rentable:
    """An offer with its GPU and what the choice looks at, worked out once."""

    offer: Offer
    gpu: Gpu
    count: int
    capacity_gb: float
    usd_month: Decimal


class Unpriced(Value):
    """A set that someone lists without a price: shown last and never picked."""

    gpu: str
    count: int
    provider: str
    note: str = ""


class Pool(NamedTuple):
    """What the choice looks at: the cheapest offer of each set, sorted, cheapest first."""

    singles: tuple[Rentable, ...]
    sets: tuple[Rentable, ...]


@dataclass(frozen=True)
class Catalog:
    """Offers with a name, a date and a fingerprint.

    Attributes:
        unpriced: what is listed without a price.
        commitment: the kind of offers that the choice looks at.
    """

    name: str
    date: date
    offers: tuple[Offer, ...]
    unpriced: tuple[Unpriced, ...] = ()
    commitment: Commitment = "on-demand"
    mark: CatalogMark = field(init=False, repr=False, compare=False)
    _pools: dict[str | None, Pool] = field(init=False, repr=False, compare=False, default_factory=dict)
    _cheapest: Mapping[str, Mapping[int, Offer]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        mark = CatalogMark(name=self.name, date=self.date, fingerprint=_fingerprint(self.offers))
        object.__setattr__(self, "mark", mark)
        by_set: dict[str, dict[int, Offer]] = {}
        for rentable in sorted((*self.singles, *self.sets), key=_order):
            by_set.setdefault(rentable.gpu.id, {}).setdefault(rentable.count, rentable.offer)
        object.__setattr__(self, "_cheapest", by_set)

    @property
    def singles(self) -> tuple[Rentable, ...]:
        return self.pool().singles

    @property
    def sets(self) -> tuple[Rentable, ...]:
        return self.pool().sets

    def pool(self, provider: str | None = None) -> Pool:
        """The offers to choose from, of one provider or of all."""
        if provider not in self._pools:
            self._pools[provider] = _pool(
                offer
                for offer in self.offers
                if offer.commitment == self.commitment and provider in {None, offer.provider}
            )
        return self._pools[provider]

    def offer(self, gpu_id: str, count: int) -> Offer | None:
        """The cheapest offer of exactly this set; None where nobody rents it."""
        return self._cheapest.get(gpu_id, {}).get(count)

    def price_usd_month(self, gpu_id: str, count: int) -> Decimal | None:
        """The lowest price a month of exactly this set; None where nobody rents it."""
        found = self.offer(gpu_id, count)
        return found.usd_month if found else None

    def other_form(self, gpu: Gpu, count: int) -> tuple[Gpu, Decimal] | None:
        """The cheapest other form of a GPU that is rented, with its price a month: the SXM of an A100 PCIe."""
        rented = [(form, price) for form in other_forms(gpu) if (price := self.price_usd_month(form.id, count))]
        return min(rented, key=lambda pair: pair[1], default=None)

    def counts(self, gpu_id: str) -> tuple[int, ...]:
        """How many of a GPU are rented at once, the fewest first."""
        return tuple(sorted(self._cheapest.get(gpu_id, {})))

    def gpu_ids(self) -> tuple[str, ...]:
        """The GPUs that somebody rents, the cheapest set first."""
        return tuple(self._cheapest)

    def providers(self) -> tuple[str, ...]:
        """Who rents, in the order of the alphabet."""
        return tuple(sorted({offer.provider for offer in self.offers}))

    def of_commitment(self, commitment: Commitment) -> "Catalog":
        """The same offers, of which the choice looks at those of another kind."""
        return self if commitment == self.commitment else replace(self, commitment=commitment)


def joined(catalogs: Sequence[Catalog]) -> Catalog:
    """Several catalogs as one; its date is that of the newest.

    Args:
        catalogs: one at least.
    """
    if len(catalogs) == 1:
        return catalogs[0]
    return Catalog(
        name=" + ".join(one.name for one in catalogs),
        date=max(one.date for one in catalogs),
        offers=tuple(offer for one in catalogs for offer in one.offers),
        unpriced=tuple(offer for one in catalogs for offer in one.unpriced),
    )


def _pool(offers: Iterable[Offer]) -> Pool:
    cheapest: dict[tuple[str, int], Offer] = {}
    for offer in offers:
        held = cheapest.setdefault((offer.gpu, offer.count), offer)
        if offer.usd_month < held.usd_month:
            cheapest[offer.gpu, offer.count] = offer
    rentables = sorted(map(_rentable, cheapest.values()), key=_order)
    return Pool(tuple(r for r in rentables if r.count == 1), tuple(r for r in rentables if r.count > 1))


def _order(rentable: Rentable) -> tuple[Decimal, int, float, str]:
    return rentable.usd_month, rentable.count, rentable.capacity_gb, rentable.gpu.id


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
                    "usd_month_each": row["usd_month"],
                    "ages": False,
                },
                place,
            )


@cache
def packaged_catalog() -> Catalog:
    """The rental catalog `gpu-rent-hub` of 2026-09-01.

    >>> packaged_catalog().price_usd_month("a100-80-sxm", 8)
    Decimal('7130')
    """
    return Catalog("gpu-rent-hub", date(2026, 9, 1), tuple(_gpu_rent_hub()))

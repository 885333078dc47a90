"""Sets side by side: what each is, costs and runs, and which is best in what."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.answer import Answer, SetVerdict
from engine.economics import exact, hour_price_usd
from engine.gpus import Gpu, gpu
from engine.offers import Catalog, Offer
from engine.question import GpuSet


@dataclass(frozen=True, slots=True)
class Column:
    """One set. Sums over its GPUs, but for the link; money in US dollars, None where the catalog rents no such set.

    Attributes:
        usd_month: of the whole set.
        least_count: the smallest set of this GPU that is rented, where this one is not.
        offer: whose price it is.
    """

    gpu: Gpu
    count: int
    usd_month: Decimal | None
    offer: Offer | None
    least_count: int | None

    @property
    def provider(self) -> str:
        return self.offer.provider if self.offer else ""

    @property
    def memory_gb(self) -> float:
        return self.gpu.memory_gb * self.count

    @property
    def bandwidth_gb_s(self) -> float | None:
        return None if self.gpu.bandwidth_gb_s is None else self.gpu.bandwidth_gb_s * self.count

    @property
    def usd_hour(self) -> Decimal | None:
        return None if self.usd_month is None else hour_price_usd(self.usd_month)

    @property
    def usd_a_gb(self) -> Decimal | None:
        """US dollars a month for each GB."""
        return None if self.usd_month is None else self.usd_month / exact(self.memory_gb)

    @property
    def gb_s_a_usd(self) -> Decimal | None:
        """GB/s of bandwidth for each US dollar a month."""
        if self.usd_month is None or self.bandwidth_gb_s is None:
            return None
        return exact(self.bandwidth_gb_s) / self.usd_month


def column(named: GpuSet, catalog: Catalog) -> Column:
    """A set as a column, at the lowest price of the catalog.

    >>> from engine.offers import packaged_catalog
    >>> pair = column(GpuSet(gpu="rtx-5090", count=2), packaged_catalog())
    >>> pair.memory_gb, pair.bandwidth_gb_s, pair.usd_month
    (64.0, 3580.0, Decimal('1026.00'))
    """
    offer = catalog.offer(named.gpu, named.count)
    kind = gpu(named.gpu)
    if offer is not None:
        return Column(kind, named.count, offer.usd_month, offer, None)
    return Column(kind, named.count, None, None, min(catalog.counts(named.gpu), default=None))


def rented_form(named: Column, catalog: Catalog) -> Column | None:
    """As many of the same GPU in the cheapest other form that is rented; None where the set has a price itself.

    >>> from engine.offers import packaged_catalog
    >>> pcie = column(GpuSet(gpu="a100-80-pcie"), packaged_catalog())
    >>> rented_form(pcie, packaged_catalog()).usd_month
    Decimal('990')
    """
    if named.usd_month is not None:
        return None
    found = catalog.other_form(named.gpu, named.count)
    return column(GpuSet(gpu=found[0].id, count=named.count), catalog) if found else None


def tokens_per_second_a_usd(verdict: SetVerdict) -> Decimal | None:
    """Tokens/s of the ceiling for each US dollar an hour; None without price or ceiling."""
    if verdict.usd_month is None or verdict.tokens_per_second is None:
        return None
    return exact(verdict.tokens_per_second) / hour_price_usd(verdict.usd_month)


def winners(figures: Sequence[Decimal | float | None], *, least: bool) -> frozenset[int]:
    """Places of the best figures; none where all are alike or there is only one.

    Args:
        figures: one a column, None where it has none.
        least: the smallest is the best.

    >>> winners([1.0, None, 3.0], least=False)
    frozenset({2})
    """
    known = [figure for figure in figures if figure is not None]
    if len(figures) < 2 or not known:
        return frozenset()
    best = (min if least else max)(known)
    places = frozenset(place for place, figure in enumerate(figures) if figure == best)
    return frozenset() if len(places) == len(figures) else places


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What a question comes to on the sets: places of the columns, None where there is none."""

    cheapest_fit: int | None
    fastest_fit: int | None


def choice_among(columns: Sequence[Column], answer: Answer) -> Verdicts:
    """The cheapest and the fastest of the sets that hold the question's need."""
    held = [place for place, verdict in enumerate(answer.verdicts) if verdict.verdict != "no"]
    return Verdicts(
        cheapest_fit=_best(held, lambda place: columns[place].usd_month, least=True),
        fastest_fit=_best(held, lambda place: answer.verdicts[place].tokens_per_second, least=False),
    )


def _best(places: Iterable[int], figure: Callable[[int], Decimal | float | None], *, least: bool) -> int | None:
    known = [(value, place) for place in places if (value := figure(place)) is not None]
    if not known:
        return None
    return (min if least else max)(known, key=lambda one: one[0])[1]


def one_of(gpu_id: str, catalog: Catalog) -> Column:
    """One GPU of a kind at its list price, or at its share of the smallest set that is rented.

    >>> from engine.offers import packaged_catalog
    >>> b200 = one_of("b200-180", packaged_catalog())
    >>> b200.usd_month, b200.least_count
    (Decimal('3890'), 2)
    """
    count = min(catalog.counts(gpu_id), default=None)
    offer = None if count is None else catalog.offer(gpu_id, count)
    if count is None or offer is None:
        return Column(gpu(gpu_id), 1, None, None, None)
    each = offer.usd_month_each if offer.usd_month_each is not None else offer.usd_month / count
    return Column(gpu(gpu_id), 1, each, offer, None if count == 1 else count)


def fleet(catalog: Catalog) -> tuple[Column, ...]:
    """Every GPU of a catalog, one of each; those without a price last."""
    priced = catalog.gpu_ids()
    unpriced = dict.fromkeys(one.gpu for one in catalog.unpriced if one.gpu not in priced)
    return tuple(one_of(gpu_id, catalog) for gpu_id in (*priced, *unpriced))

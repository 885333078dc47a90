"""Words that the market's cards share."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Final

from bot.market.cards import BEST
from bot.wording import NO_BREAK, capacity, gpus, rounded, usd
from engine.comparison import Column
from engine.gpus import LINK_NAMES, Gpu, all_gpus
from engine.offers import PRICE_OLD_DAYS

NOTHING: Final = "-"
MOST_OLD: Final = 4
"""Old prices that are named one by one."""
NO_PRICE: Final = "no price"
SHORT_LINKS: Final = {"none": NOTHING, "nvlink-bridge": "bridge", "infinity-fabric": "IF"}
"""Where a whole name is too wide: IF is AMD's Infinity Fabric, a bridge joins two GPUs."""


def link(gpu: Gpu) -> str:
    return SHORT_LINKS.get(gpu.link, LINK_NAMES[gpu.link])


def yes(known: bool | None) -> str:
    return NOTHING if known is None else "yes" if known else "no"


def marked(text: str, *, best: bool) -> str:
    return f"{text}{BEST}" if best else text


def set_name(column: Column) -> str:
    """The set as a heading: `RTX 4090`, `2 × RTX 5090`; with its memory where other GPUs have the same name."""
    if column.gpu.name in _shared_names():
        return sized_name(column.gpu, column.count)
    return gpus(column.gpu.name, column.count)


@cache
def _shared_names() -> frozenset[str]:
    """Names that GPUs of several memory sizes are sold under: `A100 PCIe`."""
    return frozenset(name for name, count in Counter(one.name for one in all_gpus()).items() if count > 1)


def rented_as(form: Column | None) -> str:
    """Where a set has no price: the form of the same GPU that is rented, and its price; empty where none is."""
    if form is None or form.usd_month is None:
        return ""
    return f"rented as {gpus(form.gpu.name.replace(' ', NO_BREAK), form.count)}, {usd(form.usd_month)} a month"


def sized_name(gpu: Gpu, count: int = 1) -> str:
    """The set with the memory of each, where the name does not say it already.

    >>> from engine.gpus import gpu
    >>> sized_name(gpu("a40"), 2).replace(NO_BREAK, " ")
    '2 × A40 48 GB'
    """
    each = capacity(gpu.memory_gb)
    named = gpu.name.replace(" ", NO_BREAK)
    return gpus(named if each in named else f"{named}{NO_BREAK}{each}", count)


def prices(usd_month: Decimal, usd_hour: Decimal) -> str:
    return f"{usd(usd_month)} a month ({usd(usd_hour, 2)} an hour)"


def usd_span(low: Decimal, high: Decimal, places: int = 0) -> str:
    return f"{usd(low, places)} to{NO_BREAK}{usd(high, places)}"


def old_prices(columns: Iterable[Column], today: date) -> Iterator[str]:
    """Whose price has to be looked up again, with its day."""
    old = [one for one in columns if one.offer is not None and one.offer.is_old(today)]
    named = ", ".join(f"{set_name(one)} {one.offer.priced_on}" for one in old[:MOST_OLD] if one.offer is not None)
    more = f" and {len(old) - MOST_OLD} more" if len(old) > MOST_OLD else ""
    if old:
        yield f"Prices older than {PRICE_OLD_DAYS} days, to be looked up again: {named}{more}."


def percent(share: Decimal | float) -> str:
    return f"{rounded(100 * share)}%"


def times(ratio: Decimal | float) -> str:
    """A ratio with one decimal: `2.1 times`."""
    return f"{rounded(ratio, 1)}{NO_BREAK}times"


def money(amount: Decimal | None) -> float | None:
    """US dollars as JSON has them: two decimals."""
    return None if amount is None else float(round(amount, 2))


def number(figure: Decimal | float | None) -> float | None:
    """A figure as JSON has it, not rounded."""
    return None if figure is None else float(figure)

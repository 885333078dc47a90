"""What a GPU costs: renting against buying, hidden costs, idle time, tokens and finished jobs.

Money is Decimal, in US dollars; hours are clock hours, a month has 720 of them. Nothing is rounded.
"""

from decimal import Decimal
from typing import Final, NamedTuple

from engine.units import HOURS_A_MONTH

HOURS_A_YEAR: Final = 8760
HIDDEN_COSTS: Final = (Decimal("0.10"), Decimal("0.20"))
"""Transfer, storage, idle time and egress on top of the GPU hours.
Source: sizing guide, economics (hidden_cloud_costs)."""
USD_A_KWH: Final = Decimal("0.12")
"""Typical US price. Source: sizing guide, economics (electricity)."""
MACHINE_USD: Final = (Decimal(3000), Decimal(4000))
"""Whole machine around one RTX 4090. Source: sizing guide, economics (rtx4090_system)."""
VIEW_YEARS: Final = 3
"""Years over which a machine is written off. Source: sizing guide, economics (rtx4090_system)."""
GUIDE_BREAK_EVEN_HOURS: Final = 3500
"""The guide's hours, once, to break even against a rented A100. Source: sizing guide, economics (rent_vs_buy_hours)."""
GUIDE_PURCHASE_USD: Final = (Decimal(1600), Decimal(1800))
"""What an RTX 4090 costs to buy, as the guide has it. Source: sizing guide, economics (rent_vs_buy_hours)."""
CEILING_SHARE: Final = Decimal("0.6")
"""Share of the ceiling that a serving engine reaches; ours. Published dense decoding runs at 0.6 to 0.66 of it."""
PRETRAINING_UTILISATION: Final = (Decimal("0.30"), Decimal("0.50"))
"""Typical share of the peak in pre-training. Source: sizing guide, economics (mfu_pretraining)."""
PEFT_SAVING: Final = (4, 14)
"""Times less memory than full tuning, as the guides put it. Source: sizing guide, economics (peft_saving)."""
MILLION: Final = Decimal(10**6)
SECONDS_AN_HOUR: Final = 3600


class UsdRange(NamedTuple):
    """From, to; US dollars."""

    low: Decimal
    high: Decimal


class ReferencePrice(NamedTuple):
    """What the guide says of a GPU hour where the catalog rents none; US dollars an hour of one GPU."""

    low: Decimal
    usual: Decimal
    high: Decimal


REFERENCE_PRICES: Final = {
    "a800": ReferencePrice(Decimal("0.51"), Decimal("0.79"), Decimal("0.99")),
    "t4": ReferencePrice(Decimal("0.40"), Decimal("0.40"), Decimal("0.40")),
    "h100": ReferencePrice(Decimal(2), Decimal(3), Decimal(4)),
}
"""Source: sizing guide, economics (a800_80g_hour, t4_hour, h100_hour_example, rent_h100_3500h)."""


def exact(figure: float) -> Decimal:
    """A float as the decimal that it prints as.

    >>> exact(0.1)
    Decimal('0.1')
    """
    return Decimal(repr(float(figure)))


def hour_price_usd(usd_month: Decimal) -> Decimal:
    """US dollars an hour of a price a month.

    >>> round(hour_price_usd(Decimal(390)), 2)
    Decimal('0.54')
    """
    return usd_month / HOURS_A_MONTH


def running_usd_hour(watts: float, usd_kwh: Decimal = USD_A_KWH) -> Decimal:
    """US dollars of electricity an hour at full load.

    Args:
        watts: power of the whole set.
        usd_kwh: price of a kilowatt-hour.

    Source: sizing guide, economics (electricity).

    >>> running_usd_hour(450)
    Decimal('0.054')
    """
    return (exact(watts) * usd_kwh / 1000).normalize()


def break_even_hours(purchase_usd: Decimal, rent_usd_hour: Decimal, running_usd_hour: Decimal) -> Decimal | None:
    """Hours of use after which buying was cheaper than renting; None where it never is.

    Args:
        purchase_usd: price of what is bought.
        rent_usd_hour: price of the same rented.
        running_usd_hour: what an hour costs the owner.

    Source: sizing guide, economics (break_even_rule).

    >>> round(break_even_hours(Decimal(1700), hour_price_usd(Decimal(390)), running_usd_hour(450)))
    3486
    """
    saved = rent_usd_hour - running_usd_hour
    return purchase_usd / saved if saved > 0 else None


def hours_for(usd: Decimal, usd_hour: Decimal) -> Decimal:
    """Hours that a sum buys.

    >>> hours_for(Decimal(3000), Decimal("0.40")) == 7500
    True
    """
    return usd / usd_hour


def with_hidden_costs(usd: Decimal) -> UsdRange:
    """A price with transfer, storage, idle time and egress on top.

    >>> with_hidden_costs(Decimal(100))
    UsdRange(low=Decimal('110.00'), high=Decimal('120.00'))
    """
    low, high = HIDDEN_COSTS
    return UsdRange(usd * (1 + low), usd * (1 + high))


def used_hour_usd(usd_hour: Decimal, idle_share: Decimal) -> Decimal:
    """US dollars an hour that is really used.

    Args:
        usd_hour: price of an hour, used or not.
        idle_share: share of the time that nothing runs, 0 up to but not including 1.

    >>> used_hour_usd(Decimal("0.70"), Decimal("0.3")) == 1
    True
    """
    return usd_hour / (1 - idle_share)


class Owned(NamedTuple):
    """What a bought GPU costs over some years, US dollars. The machine around it is a range."""

    purchase: Decimal
    power: Decimal
    machine: UsdRange


def owned_usd(purchase_usd: Decimal, running_usd_hour: Decimal, hours: Decimal) -> Owned:
    """What owning costs over `hours` of use; the machine around the GPU stands apart.

    >>> owned_usd(Decimal(1700), Decimal("0.054"), Decimal(8760)).power
    Decimal('473.040')
    """
    return Owned(purchase_usd, running_usd_hour * hours, UsdRange(*MACHINE_USD))


def usd_a_million_tokens(usd_hour: Decimal, tokens_per_second: float, share: Decimal = Decimal(1)) -> Decimal:
    """US dollars a million tokens.

    Args:
        usd_hour: price of an hour of the set.
        tokens_per_second: the ceiling of the set.
        share: of the ceiling that is reached, above 0 and up to 1.

    >>> usd_a_million_tokens(Decimal("0.36"), 100.0) == 1
    True
    """
    return usd_hour * MILLION / (exact(tokens_per_second) * share * SECONDS_AN_HOUR)


def job_usd(usd_hour: Decimal, hours: Decimal, speed: Decimal = Decimal(1)) -> Decimal:
    """US dollars of a finished job.

    Args:
        usd_hour: price of an hour.
        hours: what the job takes at speed 1.
        speed: how many times as fast this set is.

    Source: sizing guide, economics (job_rule).

    >>> job_usd(Decimal(2), Decimal(30), Decimal(3)) < job_usd(Decimal(1), Decimal(30))
    True
    """
    return usd_hour * hours / speed

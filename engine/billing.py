"""What renting a set for some hours comes to: the price of the hours, but never less than the shortest term.

gpu-rent-hub rents for seven days at least and states one weekly price alone; the others are reckoned from the month.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from engine.offers import Offer
from engine.units import HOURS_A_MONTH

HOURS_A_DAY: Final = 24
STATED_WEEK_USD: Final = {("gpu-rent-hub", "rtx-a5000", 1): Decimal(55)}
"""Weekly prices that are stated. Source: sizing guide, economics (weekly_minimum_a5000, week_a5000)."""


@dataclass(frozen=True, slots=True)
class Bill:
    """A rental. Money in US dollars.

    Attributes:
        hours: what is used.
        usd_total: what is paid.
        usd_hours: what the hours alone would be.
        least_usd: price of the shortest term; 0 where there is none.
        least_is_stated: that price stands in the price list and is not reckoned from the month.
    """

    hours: Decimal
    usd_total: Decimal
    usd_hours: Decimal
    least_usd: Decimal
    least_is_stated: bool

    @property
    def is_shortest_term(self) -> bool:
        """Whether the shortest term decides the price."""
        return self.usd_total > self.usd_hours


def shortest_term_usd(offer: Offer) -> tuple[Decimal, bool]:
    """US dollars of the shortest term, and whether the price list states them.

    >>> from engine.offers import packaged_catalog
    >>> shortest_term_usd(next(o for o in packaged_catalog().offers if o.gpu == "rtx-a5000" and o.count == 1))
    (Decimal('55'), True)
    """
    stated = STATED_WEEK_USD.get((offer.provider, offer.gpu, offer.count))
    if stated is not None and offer.shortest_term_days:
        return stated, True
    return offer.usd_month * offer.shortest_term_days * HOURS_A_DAY / HOURS_A_MONTH, False


def bill(offer: Offer, hours: Decimal) -> Bill:
    """What an offer costs for so many hours.

    Args:
        offer: a set with its price a month.
        hours: above 0.

    Source: sizing guide, economics (hour_from_month, min_term).

    >>> from engine.offers import packaged_catalog
    >>> a40 = next(o for o in packaged_catalog().offers if o.gpu == "a40" and o.count == 1)
    >>> bill(a40, Decimal(200)).usd_total == 240 * Decimal(200) / 720
    True
    """
    usd_hours = offer.usd_month * hours / HOURS_A_MONTH
    least_usd, is_stated = shortest_term_usd(offer)
    return Bill(hours, max(usd_hours, least_usd), usd_hours, least_usd, is_stated)

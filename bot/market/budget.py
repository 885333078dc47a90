"""What a sum of money buys: hours, months, or a card; and when buying is cheaper."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from bot.cards import Line
from bot.market.wording import NOTHING, sized_name
from bot.tools import Tools
from bot.wording import NO_BREAK, rounded, usd
from engine.comparison import Column, fleet, one_of
from engine.economics import (
    GUIDE_BREAK_EVEN_HOURS,
    GUIDE_PURCHASE_USD,
    MACHINE_USD,
    REFERENCE_PRICES,
    break_even_hours,
    hours_for,
    running_usd_hour,
)
from engine.gpus import gpu

LEAST_GB: Final = 24
"""Smaller GPUs are left out of what a budget rents."""
BOUGHT: Final = ("rtx-4060-ti-16", "rtx-4090")
"""GPUs that the guides name for a budget. Source: sizing guide, workloads (budget rows)."""


def break_even_lines(tools: Tools) -> Iterator[Line]:
    """The guides' example of buying, against this catalog."""
    one = one_of("rtx-4090", tools.catalog)
    if one.usd_hour is None or one.gpu.tdp_w is None:
        return
    low, high = GUIDE_PURCHASE_USD
    bought = (low + high) / 2
    hours = break_even_hours(bought, one.usd_hour, running_usd_hour(one.gpu.tdp_w))
    if hours is not None:
        text = (
            f"an {one.gpu.name} bought at {usd(bought)} against {usd(one.usd_hour, 2)} an hour: {rounded(hours)} hours"
        )
        yield Line("Even at", f"{text} of use (the guides: about {rounded(GUIDE_BREAK_EVEN_HOURS)}, once)")


def budget_lines(tools: Tools, budget: Decimal) -> Iterator[Line]:
    """What a sum buys: hours at the guides' prices and of this catalog, or a card."""
    t4, a800, h100 = (REFERENCE_PRICES[name].usual for name in ("t4", "a800", "h100"))
    hours = ((f"T4 at {usd(t4, 2)}", t4), (f"A800 80 GB at {usd(a800, 2)}", a800), (f"H100 at {usd(h100, 2)}", h100))
    bought = (f"{rounded(hours_for(budget, price))} hours of {name}" for name, price in hours)
    yield Line("Buys", f"{', '.join(bought)} (guides' prices)")
    here = [one for one in fleet(tools.catalog) if one.usd_month is not None and one.least_count is None]
    months = (f"{sized_name(one.gpu)} {_months(budget, one)}" for one in _usual(here))
    yield Line("Here", ", ".join(months) or NOTHING)
    yield Line("Owning", ", ".join(_owned(budget)))


def _usual(here: list[Column]) -> Iterator[Column]:
    """The cheapest GPU of each memory size from 24 GB on."""
    seen: set[float] = set()
    for one in sorted(here, key=lambda one: one.usd_month or Decimal(0)):
        if one.memory_gb >= LEAST_GB and one.memory_gb not in seen:
            seen.add(one.memory_gb)
            yield one


def _months(budget: Decimal, one: Column) -> str:
    return f"{rounded(budget / (one.usd_month or Decimal(1)), 1)}{NO_BREAK}months"


def _owned(budget: Decimal) -> Iterator[str]:
    for gpu_id in BOUGHT:
        one = gpu(gpu_id)
        price = one.street_usd or one.msrp_usd
        if price:
            count = int(budget / Decimal(str(price)))
            yield f"{count} {sized_name(one)} at {usd(price)}" if count else f"no {sized_name(one)} ({usd(price)})"
    yield f"the machine around it {usd(MACHINE_USD[0])} to {usd(MACHINE_USD[1])}"

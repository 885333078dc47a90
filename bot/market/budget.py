"""What a sum of money buys: hours, months, or a card; and when buying is cheaper."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from bot.cards import Line
from bot.market.spending import Budget
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


def budget_lines(tools: Tools, budget: Budget) -> Iterator[Line]:
    """What a budget buys: hours at the guides' prices and of this catalog, or a card."""
    t4, a800, h100 = (REFERENCE_PRICES[name].usual for name in ("t4", "a800", "h100"))
    prices = ((f"T4 at {usd(t4, 2)}", t4), (f"A800 80 GB at {usd(a800, 2)}", a800), (f"H100 at {usd(h100, 2)}", h100))
    bought = (f"{rounded(hours_for(budget.usd_month, price))} hours of {name}" for name, price in prices)
    is_sum = budget.period == "sum"
    yield Line("Buys", f"{', '.join(bought)}{'' if is_sum else ' each month'} (guides' prices)")
    here = [one for one in fleet(tools.catalog) if one.usd_month is not None and one.least_count is None]
    yield Line("Here", _sum_here(here, budget) if is_sum else _month_here(here, budget, tools.catalog.name))
    if is_sum:
        yield Line("Owning", ", ".join(_owned(budget.usd)))


def _sum_here(here: list[Column], budget: Budget) -> str:
    known = (f"{sized_name(one.gpu)} {months(budget.usd, one.usd_month or Decimal(1))}" for one in _usual(here))
    return ", ".join(known) or NOTHING


def _month_here(here: list[Column], budget: Budget, catalog: str) -> str:
    """What is rented for an amount a month; where nothing is, what costs the least."""
    priced = sorted(here, key=lambda one: one.usd_month or Decimal(0))
    within = [one for one in priced if (one.usd_month or Decimal(0)) <= budget.usd_month]
    if within:
        return ", ".join(f"{sized_name(one.gpu)} {usd(one.usd_month or 0)} a month" for one in _usual(within))
    said = f"nothing in {catalog} costs so little"
    return (
        f"{said}: the cheapest is {sized_name(priced[0].gpu)}, {usd(priced[0].usd_month or 0)} a month"
        if priced
        else said
    )


def _usual(here: list[Column]) -> Iterator[Column]:
    """The cheapest GPU of each memory size from 24 GB on."""
    seen: set[float] = set()
    for one in sorted(here, key=lambda one: one.usd_month or Decimal(0)):
        if one.memory_gb >= LEAST_GB and one.memory_gb not in seen:
            seen.add(one.memory_gb)
            yield one


def months(usd_sum: Decimal, usd_month: Decimal) -> str:
    """How long a sum lasts."""
    return f"{rounded(usd_sum / usd_month, 1)}{NO_BREAK}months"


def _owned(budget: Decimal) -> Iterator[str]:
    for gpu_id in BOUGHT:
        one = gpu(gpu_id)
        price = one.street_usd or one.msrp_usd
        if price:
            count = int(budget / Decimal(str(price)))
            yield f"{count} {sized_name(one)} at {usd(price)}" if count else f"no {sized_name(one)} ({usd(price)})"
    yield f"the machine around it {usd(MACHINE_USD[0])} to {usd(MACHINE_USD[1])}"

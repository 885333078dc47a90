"""Lines of a cost: renting with what comes on top, owning, tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from bot.cards import Line
from bot.market.wording import percent, usd_span
from bot.wording import counted, rate, rounded, usd
from engine.billing import bill
from engine.comparison import Column
from engine.economics import (
    GUIDE_BREAK_EVEN_HOURS,
    HOURS_A_YEAR,
    VIEW_YEARS,
    break_even_hours,
    exact,
    owned_usd,
    running_usd_hour,
    usd_a_million_tokens,
    used_hour_usd,
    with_hidden_costs,
)
from engine.offers import Offer
from engine.units import HOURS_A_MONTH

CENTS_BELOW_USD: Final = 100
"""Smaller sums are shown with their cents."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the asker said of time and money. US dollars; `idle` and `share` are shares of one."""

    hours: Decimal | None
    buy: Decimal | None
    kwh: Decimal
    kwh_assumed: bool
    idle: Decimal | None
    egress: Decimal | None
    share: Decimal
    share_assumed: bool
    tokens: Decimal | None


def renting_lines(offer: Offer, wishes: Wishes) -> Iterator[Line]:
    """The bill for the hours, hidden costs, idle time, data going out."""
    paid = offer.usd_month
    if wishes.hours is not None:
        bound = bill(offer, wishes.hours)
        paid = bound.usd_total
        yield Line("", f"{rounded(wishes.hours)} hours: {_bill_text(offer, bound.usd_hours, bound.usd_total)}")
        if bound.is_shortest_term:
            known = "stated" if bound.least_is_stated else "reckoned from the month; a stated one may be higher"
            yield Line("", f"the shortest term is {offer.shortest_term_days} days: {usd(bound.least_usd, 2)} ({known})")
    low, high = with_hidden_costs(paid)
    period = "for that" if wishes.hours is not None else "a month"
    span = usd_span(low, high, 0 if paid >= CENTS_BELOW_USD else 2)
    yield Line("On top", f"10 to 20% for transfer, storage, idle time: {span} {period}")
    if wishes.egress is not None:
        months = (wishes.hours or Decimal(HOURS_A_MONTH)) / HOURS_A_MONTH
        out = wishes.egress * months
        text = f"{usd(out, 2)} {period} as you say, in place of its part of these: {usd(paid + out, 2)} with the rent"
        yield Line("Egress", text)
    if wishes.idle is not None:
        used = used_hour_usd(offer.usd_hour, wishes.idle)
        yield Line("Idle", f"{percent(wishes.idle)} of the time: an hour of use costs {usd(used, 2)}")


def _bill_text(offer: Offer, usd_hours: Decimal, usd_total: Decimal) -> str:
    if usd_total == usd_hours:
        return usd(usd_total, 2)
    return f"{usd(usd_total, 2)}, a week's price at {offer.provider} (the hours alone {usd(usd_hours, 2)})"


def owning_lines(one: Column, offer: Offer | None, wishes: Wishes) -> Iterator[Line]:
    """Power, break-even hours, three years."""
    kind = one.gpu
    if not kind.tdp_w:
        return
    running = running_usd_hour(kind.tdp_w * one.count, wishes.kwh)
    year = running * HOURS_A_YEAR
    watts = f"{rounded(kind.tdp_w * one.count)} W at full load"
    yield Line("Power", f"{watts}: {usd(running, 3)} an hour, {usd(year)} a year without pause")
    price, whose = _purchase(one, wishes)
    if price is None or offer is None:
        return
    yield Line("Buying", f"{usd(price)}{whose}: {_even(price, offer, running)}")
    yield from _three_years(one, price, running, offer)


def _purchase(one: Column, wishes: Wishes) -> tuple[Decimal | None, str]:
    """Price of the whole set, and whose figure it is."""
    if wishes.buy is not None:
        return wishes.buy * one.count, f" ({one.count} at {usd(wishes.buy)})" if one.count > 1 else ""
    known = one.gpu.street_usd or one.gpu.msrp_usd
    if known is None:
        return None, ""
    kind = "seen in shops" if one.gpu.street_usd else "list price"
    return exact(known) * one.count, f" ({kind}; buy=... is better)"


def _even(price: Decimal, offer: Offer, running: Decimal) -> str:
    hours = break_even_hours(price, offer.usd_hour, running)
    if hours is None:
        return "never cheaper than renting, whose hour costs less than its power"
    days = f"{rounded(hours / 24)} days without pause"
    guide = (
        f"; the guides say about {rounded(GUIDE_BREAK_EVEN_HOURS)} against an A100" if offer.gpu == "rtx-4090" else ""
    )
    return f"even after {rounded(hours)} hours of use ({days}{guide})"


def _three_years(one: Column, price: Decimal, running: Decimal, offer: Offer) -> Iterator[Line]:
    hours = Decimal(VIEW_YEARS * HOURS_A_YEAR)
    owned = owned_usd(price, running, hours)
    alone, (low, high) = owned.purchase + owned.power, owned.machine
    machine = "a server around it not counted"
    if one.gpu.segment == "consumer" and one.count == 1:
        machine = f"{usd_span(alone + low, alone + high)} with a machine around it"
    yield Line(
        "3 years", f"rented {usd(offer.usd_hour * hours)}, owned {usd(alone)} with power, {machine}, all without pause"
    )


def token_lines(offer: Offer, tokens_per_second: float, streams: int, wishes: Wishes) -> Iterator[Line]:
    """US dollars a million tokens, at the ceiling and at a share of it."""
    ceiling = usd_a_million_tokens(offer.usd_hour, tokens_per_second)
    shared = usd_a_million_tokens(offer.usd_hour, tokens_per_second, wishes.share)
    of_streams = f" over {counted(streams, 'stream')}" if streams > 1 else " of one stream"
    yield Line("Tokens", f"{usd(ceiling, 2)} a million at the ceiling, {rate(tokens_per_second)}{of_streams}")
    yield Line("", f"{usd(shared, 2)} a million at {percent(wishes.share)} of it")
    if wishes.tokens is None:
        return
    cost, hours = shared * wishes.tokens / 10**6, wishes.tokens / (exact(tokens_per_second) * wishes.share * 3600)
    yield Line("", f"{_count(wishes.tokens)} tokens: {usd(cost, 2)} in {rounded(hours, 1)} hours{_least(offer, hours)}")


def _count(tokens: Decimal) -> str:
    for scale, name in ((Decimal(10**9), "billion"), (Decimal(10**6), "million")):
        if tokens >= scale:
            return f"{rounded(tokens / scale, 0 if tokens % scale == 0 else 1)} {name}"
    return rounded(tokens)


def _least(offer: Offer, hours: Decimal) -> str:
    bound = bill(offer, hours)
    return f"; {usd(bound.usd_total, 2)} for the shortest term" if bound.is_shortest_term else ""

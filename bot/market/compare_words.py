"""The last line of a comparison: which for what, and why."""

from collections.abc import Sequence
from decimal import Decimal

from bot.market.wording import set_name, sized_name, times
from bot.wording import NO_BREAK, capacity, rounded, usd
from engine.answer import Answer
from engine.comparison import Column, choice_among
from engine.economics import job_usd


def which_for_what(columns: Sequence[Column]) -> str:
    """Of sets alone: the cheapest while it is enough, the largest past that, the fastest where that is a third."""
    priced = [one for one in columns if one.usd_month is not None]
    among = priced if len(priced) > 1 else columns
    largest = max(among, key=lambda one: (one.memory_gb, one.bandwidth_gb_s or 0.0))
    cheapest = min(priced, key=lambda one: one.usd_month or Decimal(0), default=largest)
    fastest = max(among, key=lambda one: (one.bandwidth_gb_s or 0.0, one is cheapest))
    said = [_base(cheapest, largest, priced=bool(priced))]
    if largest.memory_gb > cheapest.memory_gb:
        said.append(f"{set_name(largest)} past that: {_gains(largest, cheapest)}{_slices(largest, cheapest)}")
    is_told = fastest is cheapest or (fastest is largest and len(said) > 1)
    if fastest.bandwidth_gb_s and not is_told:
        said.append(f"{set_name(fastest)} for speed: {_gains(fastest, cheapest)}{_slices(fastest, cheapest)}")
    return "; ".join(said) + "."


def _base(cheapest: Column, largest: Column, *, priced: bool) -> str:
    if cheapest.memory_gb < largest.memory_gb:
        return f"{set_name(cheapest)} while the work fits in {capacity(cheapest.memory_gb)}{_for(cheapest)}"
    best = "as much memory as any" if cheapest is not largest else "the most memory"
    return f"{set_name(cheapest)}: {best}" + (f" and the lowest price{_for(cheapest)}" if priced else "")


def _for(one: Column) -> str:
    return "" if one.usd_month is None else f", {usd(one.usd_month)} a month"


def _gains(one: Column, other: Column) -> str:
    gains = [f"{times(one.memory_gb / other.memory_gb)} the memory"] if one.memory_gb > other.memory_gb else []
    if one.bandwidth_gb_s and other.bandwidth_gb_s:
        gains.append(f"{times(one.bandwidth_gb_s / other.bandwidth_gb_s)} the bandwidth")
    joined = " and ".join(gains)
    if one.usd_month and other.usd_month:
        return f"{joined} for {times(one.usd_month / other.usd_month)} the price"
    return joined


def _slices(one: Column, other: Column) -> str:
    if one.gpu.mig_max and not other.gpu.mig_max:
        return f", and up to {one.gpu.mig_max * one.count} MIG slices for tenants of their own"
    return ""


def for_this(columns: Sequence[Column], answer: Answer) -> str:
    """Of sets with a question: the cheapest that holds it, and what the fastest gains over it."""
    held = [place for place, verdict in enumerate(answer.verdicts) if verdict.verdict != "no"]
    if not held:
        return _none_holds(answer)
    found = choice_among(columns, answer)
    best = held[0] if found.cheapest_fit is None else found.cheapest_fit
    one, verdict = columns[best], answer.verdicts[best]
    spare = f"{rounded(verdict.spare_gb, 1)}{NO_BREAK}GB to spare"
    only = "the only one that holds it" if len(held) == 1 else "the cheapest that holds it"
    tight = ", which is tight" if verdict.verdict == "tight" else ""
    said = f"{set_name(one)} for this: {only}{_for(one)}, {spare}{tight}"
    return f"{said}{_faster(columns, answer, best, found.fastest_fit)}."


def _none_holds(answer: Answer) -> str:
    need = f"{rounded(answer.need.total_gb, 1)}{NO_BREAK}GB"
    pick = answer.pick
    if pick is None:
        return f"None of them holds {need}, and no single set of {answer.catalog.name} does."
    name = f"{pick.count}{NO_BREAK}×{NO_BREAK}{pick.name}" if pick.count > 1 else pick.name
    return f"None of them holds {need}: {name} does, {usd(pick.usd_month)} a month."


def _faster(columns: Sequence[Column], answer: Answer, best: int, fastest: int | None) -> str:
    if fastest is None or fastest == best:
        is_fastest = fastest == best and sum(one.verdict != "no" for one in answer.verdicts) > 1
        return ", and the fastest of those that do" if is_fastest else ""
    quick, slow = (answer.verdicts[place].tokens_per_second for place in (fastest, best))
    if not quick or not slow or quick <= slow:
        return ""
    price = ""
    if (dear := columns[fastest].usd_month) and (cheap := columns[best].usd_month):
        price = f" for {times(dear / cheap)} the price"
    return f"; {set_name(columns[fastest])} where speed counts: {times(quick / slow)} the tokens/s{price}"


def by_finished_job(columns: Sequence[Column], speeds: Sequence[Decimal], hours: Decimal) -> str:
    """The set on which the finished job is the cheapest."""
    costs = [
        (job_usd(one.usd_hour, hours, speed), one)
        for one, speed in zip(columns, speeds, strict=True)
        if one.usd_hour is not None
    ]
    if len(costs) < 2:
        return "Without the price of two sets there is no telling which job is cheaper."
    (least, cheapest), *_, (most, dearest) = sorted(costs, key=lambda cost: cost[0])
    if least == most:
        return "The finished job costs the same on each."
    return (
        f"By finished job: {sized_name(cheapest.gpu, cheapest.count)}, {usd(least, 2)} against {usd(most, 2)} on"
        f" {set_name(dearest)}."
    )

"""Everything known of one GPU, or of a set of one kind: what it is, what it costs, what fits on it."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from bot.cards import Line
from bot.market.cards import SheetCard
from bot.market.runs import contrary_notes, runs_text
from bot.market.wording import money, number, old_prices, prices, rented_as, sized_name
from bot.wording import capacity, gb, rounded, usd
from engine.comfort import comforts
from engine.comparison import Column, column, one_of, rented_form
from engine.economics import HOURS_A_YEAR, exact, running_usd_hour
from engine.gpus import FULL_MESH_LINKS, LINK_NAMES, Gpu
from engine.largest import largest_models
from engine.offers import Catalog, Commitment, Offer
from engine.question import GpuSet
from engine.slices import slices_of
from engine.units import HOURS_A_MONTH
from engine.usable import usable_gb

SEGMENTS = {"consumer": "for consumers", "workstation": "for workstations", "datacenter": "for data centres"}


def gpu_sheet(named: GpuSet, catalog: Catalog, today: date) -> SheetCard:
    """The sheet of a set; its title says the GPU."""
    one = column(named, catalog)
    found = comforts(one.gpu, one.count)
    return SheetCard(
        title=sized_name(one.gpu, one.count),
        lines=tuple(_lines(one, catalog)),
        commands=(),
        notes=(*contrary_notes(one.gpu, found), *old_prices((one_of(named.gpu, catalog),), today)),
    )


def _lines(one: Column, catalog: Catalog) -> Iterator[Line]:
    kind = one.gpu
    yield Line("Memory", _memory(one))
    if kind.bandwidth_gb_s is not None:
        yield Line("Speed", _speed(one))
        yield Line("Link", _link(kind, one.count))
    if kind.mig_max:
        slices = (f"{each.instances} × {each.name}" for each in slices_of(kind))
        yield Line("Slices", f"MIG: {', '.join(slices)}")
    yield from _price_lines(one, catalog)
    yield from _owning(one)
    yield Line("Largest", f"{_largest(one)} (at 8k of context)")
    yield from (Line("" if place else "Runs", text) for place, text in enumerate(runs_text(comforts(kind, one.count))))
    if kind.notes:
        yield Line("Notes", kind.notes)
    if kind.source:
        yield Line("Source", f"{kind.source.replace(';', ', ')}; confidence {kind.confidence}")


def _memory(one: Column) -> str:
    kind = one.gpu
    total = " ".join(filter(None, (capacity(one.memory_gb), kind.memory_type)))
    if kind.driver_gb == kind.memory_gb:
        return total
    each = " of each" if one.count > 1 else ""
    return f"{total}; the driver reports {gb(kind.driver_gb, 1)}{each}, a process can use {gb(usable_gb(kind), 1)}"


def _speed(one: Column) -> str:
    kind = one.gpu
    facts = [
        f"{rounded(kind.bandwidth_gb_s or 0.0)} GB/s" + (" each" if one.count > 1 else ""),
        "FP8" if kind.fp8 else "no FP8 hardware",
        "bf16" if kind.bf16 else "no bf16",
        ", ".join(filter(None, (kind.architecture, str(kind.year or "")))),
        SEGMENTS.get(kind.segment, kind.segment),
        " and ".join(word.upper() if word == "cuda" else "ROCm" if word == "rocm" else word for word in kind.software),
    ]
    return ", ".join(filter(None, facts))


def _link(kind: Gpu, count: int) -> str:
    speed = f", {kind.link_gb_s:g} GB/s" if kind.link_gb_s else ""
    if kind.link in FULL_MESH_LINKS:
        use = "joins all GPUs of a node"
    elif kind.link == "nvlink-bridge":
        use = "pairs only" if count <= 2 else f"pairs only: the {count} are not all joined"
    else:
        use = "full tuning across GPUs needs a faster one"
    return f"{LINK_NAMES[kind.link]}{speed}: {use}"


def _price_lines(one: Column, catalog: Catalog) -> Iterator[Line]:
    each = one_of(one.gpu.id, catalog)
    if each.usd_month is None or each.usd_hour is None:
        form = rented_as(rented_form(one, catalog))
        yield Line("Price", f"nobody in {catalog.name} rents it" + (f"; {form}" if form else ""))
    else:
        whose = f", {each.offer.provider}, {each.offer.priced_on}" if each.offer else ""
        least = f"; {each.least_count} at least" if each.least_count else ""
        yield Line("Price", f"{prices(each.usd_month, each.usd_hour)}{whose}{least}")
        ratio = f", {rounded(each.gb_s_a_usd, 2)} GB/s a dollar" if each.gb_s_a_usd is not None else ""
        yield Line("", f"{usd(each.usd_a_gb or 0, 2)} a GB and month{ratio}")
        sets = [offer for count in catalog.counts(one.gpu.id) if (offer := catalog.offer(one.gpu.id, count))]
        if any(offer.count > 1 for offer in sets):
            several = len({offer.provider for offer in sets}) > 1
            yield Line("Sets", ", ".join(_of_set(offer, with_provider=several) for offer in sets))
    yield from _apart(one.gpu, catalog)


def _of_set(offer: Offer, *, with_provider: bool) -> str:
    return f"{offer.count} for {usd(offer.usd_month)}" + (f" ({offer.provider})" if with_provider else "")


def _apart(kind: Gpu, catalog: Catalog) -> Iterator[Line]:
    """Spot and reserved prices, which are never picked."""
    for commitment, label in (("spot", "Spot"), ("reserved", "Reserved"), ("serverless", "By second")):
        cheapest = _cheapest_each(offer for offer in catalog.offers if _is(offer, kind, commitment))
        if cheapest:
            each = cheapest.usd_month / cheapest.count / HOURS_A_MONTH
            set_of = f" in a set of {cheapest.count}" if cheapest.count > 1 else ""
            yield Line(label, f"from {usd(each, 2)} an hour each{set_of}, {cheapest.provider}, {cheapest.priced_on}")


def _is(offer: Offer, kind: Gpu, commitment: str) -> bool:
    return offer.gpu == kind.id and offer.commitment == commitment


def _cheapest_each(offers: Iterable[Offer]) -> Offer | None:
    return min(offers, key=lambda offer: offer.usd_month / offer.count, default=None)


def _owning(one: Column) -> Iterator[Line]:
    kind = one.gpu
    bought = [
        f"list {usd(exact(kind.msrp_usd))}" if kind.msrp_usd else "",
        f"seen at {usd(exact(kind.street_usd))}" if kind.street_usd else "",
    ]
    if kind.tdp_w:
        hour = running_usd_hour(kind.tdp_w)
        bought.append(f"{kind.tdp_w:g} W: {usd(hour, 3)} an hour, {usd(hour * HOURS_A_YEAR)} a year at $0.12 a kWh")
    if text := ", ".join(filter(None, bought)):
        yield Line("Owning", text)


def _largest(one: Column) -> str:
    words = {"fits": "", "tight": " tight"}
    found = [each for each in largest_models(one.gpu, one.count) if each.params_b is not None]
    sizes = (f"{each.params_b:g}B {each.weight_format}{words[each.verdict]}" for each in found)
    return ", ".join(sizes) or "no typical size"


def gpu_row_json(named: GpuSet, catalog: Catalog) -> Mapping[str, object]:
    """One GPU as JSON has it: its specification, offers and what fits on it."""
    one = column(named, catalog)
    offers = [offer for offer in catalog.offers if offer.gpu == one.gpu.id]
    return one.gpu.model_dump(mode="json") | {
        "count": one.count,
        "offers": [_offer_json(offer) for offer in offers],
        "largest": [
            {"weight_format": each.weight_format, "params_b": each.params_b, "need_gb": each.need_gb}
            for each in largest_models(one.gpu, one.count)
        ],
        "runs": [
            {"what": each.use.name, "how": each.word, "weight_format": each.weight_format, "need_gb": each.need_gb}
            for each in comforts(one.gpu, one.count)
        ],
        "slices": [
            {"name": each.name, "memory_gb": number(each.memory_gb), "instances": each.instances}
            for each in slices_of(one.gpu)
        ],
        "catalog": catalog.name,
    }


def _offer_json(offer: Offer) -> Mapping[str, object]:
    commitment: Commitment = offer.commitment
    return {
        "count": offer.count,
        "usd_month": money(offer.usd_month),
        "usd_hour": money(offer.usd_hour),
        "provider": offer.provider,
        "commitment": commitment,
        "priced_on": offer.priced_on.isoformat(),
        "region": offer.region,
        "currency": "USD",
    }

"""`gpus [by:column] [gpu]`: the catalog as a table, or everything known of one GPU."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

from bot.commands import Called
from bot.grammar import nearest
from bot.market.asked import asked
from bot.market.cards import GpuRow, GpusCard
from bot.market.compare import compare_sets
from bot.market.gpu_sheet import gpu_row_json, gpu_sheet
from bot.market.wording import NO_PRICE, link, marked, money, number, old_prices, yes
from bot.reply import Reply, Request
from bot.tools import Tools
from bot.wording import rounded, usd
from engine.comparison import Column, fleet, winners
from engine.errors import UnknownWord

Figure = Callable[[Column], Decimal | float | str | None]

COLUMNS: Final[Mapping[str, tuple[Figure, bool]]] = {
    "memory": (lambda one: one.memory_gb, False),
    "bandwidth": (lambda one: one.bandwidth_gb_s, False),
    "fp8": (lambda one: 1.0 if one.gpu.fp8 else 0.0, False),
    "link": (lambda one: one.gpu.link_gb_s, False),
    "month": (lambda one: one.usd_month, True),
    "hour": (lambda one: one.usd_hour, True),
    "gb-per-dollar": (lambda one: one.usd_a_gb, True),
    "bandwidth-per-dollar": (lambda one: one.gb_s_a_usd, False),
    "name": (lambda one: one.gpu.name, True),
}
"""What the table can be sorted by, and whether the least comes first. The price of a GB a month tells GB per dollar."""

OTHER_WORDS: Final[Mapping[str, str]] = {
    "mem": "memory", "vram": "memory", "gb": "memory", "bw": "bandwidth", "gb/s": "bandwidth", "speed": "bandwidth",
    "price": "month", "cost": "month", "usd": "month", "$": "month", "mo": "month", "hr": "hour", "nvlink": "link",
    "usd-per-gb": "gb-per-dollar", "dollar-per-gb": "gb-per-dollar", "$/gb": "gb-per-dollar",
    "$/gb/month": "gb-per-dollar", "gb/$": "gb-per-dollar", "memory-per-dollar": "gb-per-dollar",
    "gb/s/$": "bandwidth-per-dollar", "gbs-per-dollar": "bandwidth-per-dollar", "bw-per-dollar": "bandwidth-per-dollar",
    "gb/s-per-dollar": "bandwidth-per-dollar", "speed-per-dollar": "bandwidth-per-dollar",
}  # fmt: skip
DEFAULT: Final = "month"
MOST_ROWS: Final = 30
"""Of a message in a chat."""

_BY: Final = re.compile(r"\b(?:sort(?:ed)?[ :=-]?)?by[:= ]\s*(\S+(?: per \S+)?)", re.IGNORECASE)


def gpus(tools: Tools, call: Called, request: Request) -> Reply:
    """The catalog's GPUs; of one that is named, everything.

    Raises:
        EngineError: an unknown GPU or column.
    """
    by, words = _sorted_by(call.words)
    if not words:
        return _table(tools, by)
    found = asked(words, tools.catalog, mention=request.mention)
    if found.reading is not None or found.loose or not found.sets:
        given = found.loose or words
        raise UnknownWord(
            given,
            reason="gpus shows GPUs alone, without a question",
            allowed="a GPU, or a column to sort by, as in gpus by:gb-per-dollar; compare takes a question too",
        )
    if len(found.sets) == 1:
        today = tools.clock.now().date()
        card, row = gpu_sheet(found.sets[0], tools.catalog, today), gpu_row_json(found.sets[0], tools.catalog)
        return Reply("list", "asker", tools.renderer.parts(card), rows=(row,))
    return compare_sets(tools, found.sets)


def _sorted_by(words: str) -> tuple[str, str]:
    found = _BY.search(words)
    if not found:
        return DEFAULT, words.strip()
    given = (
        found[1].lower().replace(" ", "-").replace("_", "-").replace("per-$", "per-dollar").replace("-usd", "-dollar")
    )
    by = OTHER_WORDS.get(given, given)
    if by not in COLUMNS:
        near = nearest(given, (*COLUMNS, *OTHER_WORDS))
        raise UnknownWord(
            found[0], near=tuple(f"by:{word}" for word in near), allowed=f"by: and one of {', '.join(COLUMNS)}"
        )
    return by, f"{words[: found.start()]} {words[found.end() :]}".strip()


def _table(tools: Tools, by: str) -> Reply:
    columns = sorted_columns(fleet(tools.catalog), by)
    rows = tuple(_json(place + 1, column) for place, column in enumerate(columns))
    most = len(columns) if tools.surface == "terminal" else MOST_ROWS
    return Reply("list", "asker", tools.renderer.parts(gpus_card(columns, tools, by, most)), rows=rows)


def sorted_columns(columns: Iterable[Column], by: str) -> list[Column]:
    """GPUs in the order of a figure, the best first; those without it last."""
    figure, least = COLUMNS[by]
    known = [one for one in columns if figure(one) is not None]
    lacking = [one for one in columns if figure(one) is None]
    return sorted(known, key=figure, reverse=not least) + lacking  # type: ignore[arg-type]


def gpus_card(columns: Sequence[Column], tools: Tools, by: str, most: int) -> GpusCard:
    """The first `most` of the catalog's GPUs as a table; the best of each column over all of them."""
    best = {name: _best(columns, name) for name in COLUMNS if name not in {"fp8", "link", "name"}}
    several = len({column.provider for column in columns if column.provider}) > 1
    return GpusCard(
        title=f"{len(columns)} GPUs of {tools.catalog.name}, {tools.catalog.date}, by {by}",
        rows=tuple(_row(place, column, best) for place, column in enumerate(columns[:most])),
        several_providers=several,
        notes=(*_left(len(columns) - most), *_notes(columns), *old_prices(columns, tools.clock.now().date())),
    )


def _left(count: int) -> Iterable[str]:
    if count > 0:
        yield f"{count} more: sort by another column, as in gpus by:gb-per-dollar, or name one."


def _best(columns: Sequence[Column], name: str) -> frozenset[int]:
    figure, least = COLUMNS[name]
    return winners([figure(one) for one in columns], least=least)  # type: ignore[misc]


def _row(place: int, one: Column, best: Mapping[str, frozenset[int]]) -> GpuRow:
    def cell(name: str, text: str) -> str:
        return marked(text, best=place in best[name])

    priced = one.usd_month is not None
    return GpuRow(
        name=one.gpu.name,
        memory=cell("memory", f"{one.memory_gb:g}"),
        bandwidth=cell("bandwidth", rounded(one.bandwidth_gb_s or 0.0) if one.bandwidth_gb_s else "-"),
        fp8=yes(one.gpu.fp8),
        link=link(one.gpu),
        month=cell("month", usd(one.usd_month)) if one.usd_month is not None else NO_PRICE,
        hour=cell("hour", usd(one.usd_hour, 2)) if one.usd_hour is not None else "",
        usd_gb=cell("gb-per-dollar", usd(one.usd_a_gb, 2)) if one.usd_a_gb is not None else "",
        bandwidth_usd=cell("bandwidth-per-dollar", rounded(one.gb_s_a_usd, 2)) if one.gb_s_a_usd is not None else "",
        provider=one.provider if priced else "",
    )


def _notes(columns: Sequence[Column]) -> Iterable[str]:
    yield "One GPU each, US dollars; a month is 720 hours. * best of its column."
    least = [f"{one.gpu.name} {one.least_count}" for one in columns if one.least_count]
    if least:
        yield f"Smallest order: {', '.join(least)}."
    if any(one.gpu.link == "infinity-fabric" for one in columns):
        yield "IF is AMD's Infinity Fabric; a bridge joins two GPUs."


def _json(rank: int, one: Column) -> Mapping[str, object]:
    return {
        "rank": rank,
        "gpu": one.gpu.id,
        "name": one.gpu.name,
        "memory_gb": one.memory_gb,
        "bandwidth_gb_s": one.bandwidth_gb_s,
        "fp8": one.gpu.fp8,
        "link": one.gpu.link,
        "link_gb_s": one.gpu.link_gb_s,
        "usd_month": money(one.usd_month),
        "usd_hour": money(one.usd_hour),
        "usd_per_gb_month": number(one.usd_a_gb),
        "gb_s_per_usd_month": number(one.gb_s_a_usd),
        "smallest_order": one.least_count or 1,
        "provider": one.provider,
        "currency": "USD",
    }

"""The engine and the card: no process, no database."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import cycle, islice

from bot.grammar import read
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from engine import Catalog, packaged_catalog, size
from engine.gpus import all_gpus
from engine.offers import Offer
from tests.bench.measure import Figure, median_seconds, microseconds, milliseconds
from tests.fakes import CountedIds, FixedClock, MemoryLog

QUESTION = "13b lora ctx=4k"
WITH_SETS = "70b int4 ctx=32k 2x3090"


def large_catalog(offers: int) -> Catalog:
    """As many offers, each with a price of its own."""
    kinds = islice(cycle(all_gpus()), offers)
    return Catalog(
        "large",
        date(2026, 11, 30),
        tuple(
            Offer(
                gpu=kind.id,
                count=1 + place % 8,
                usd_month=Decimal(100 + place) * (1 + place % 8),
                provider=f"provider-{place % 40}",
                priced_on=date(2026, 11, 30),
            )
            for place, kind in enumerate(kinds)
        ),
    )


def answering(catalog: Catalog) -> Service:
    return Service(
        catalog=catalog,
        clock=FixedClock(),
        new_id=CountedIds(),
        renderer=Renderer("terminal"),
        log=MemoryLog(),
        surface="terminal",
    )


def request(text: str) -> Request:
    return Request(text=text, platform="terminal", team="local", user="u", user_name="u", event_key="k")


def figures() -> Iterator[Figure]:
    catalog = packaged_catalog()
    plain, sets = (read(text).options[0].question for text in (QUESTION, WITH_SETS))
    seconds = median_seconds(lambda: size(plain, catalog), 2000)
    yield Figure(f"engine.size, `{QUESTION}`", microseconds(seconds), "under 200 µs")
    seconds = median_seconds(lambda: size(sets, catalog), 1000)
    yield Figure(f"engine.size, `{WITH_SETS}` with its alternatives", microseconds(seconds), "under 500 µs")
    seconds = median_seconds(lambda: read(QUESTION), 2000)
    yield Figure(f"reading `{QUESTION}`", microseconds(seconds), "part of the next")
    service = answering(catalog)
    seconds = median_seconds(lambda: service.answer(request(QUESTION)), 1000)
    yield Figure("text to rendered card", milliseconds(seconds), "under 1 ms")
    service = answering(large_catalog(10_000))
    seconds = median_seconds(lambda: service.answer(request(QUESTION)), 300)
    yield Figure("the same with 10,000 offers", milliseconds(seconds), "under 5 ms")

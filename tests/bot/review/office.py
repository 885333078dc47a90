"""A service on a real log of its own, asked as people ask: words in, a reply out."""

import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from bot.log.query_log import QueryLog
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from engine import Catalog, packaged_catalog
from tests.fakes import CountedIds

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ADA = Request(
    text="", platform="slack", team="T1", user="U0ADA", user_name="ada", event_key="", channel="C1", visibility="public"
)
BOB = replace(ADA, user="U0BOB", user_name="bob")
EVE = replace(ADA, team="T2", user="U0EVE", user_name="eve")


class TickingClock:
    """A second later each time that somebody looks."""

    def __init__(self, moment=NOON):
        self.moment = moment

    def now(self):
        self.moment += timedelta(seconds=1)
        return self.moment

    def seconds(self):
        return 0.0


class Office:
    """One log, several people. `catalog` is whose prices count from now on."""

    def __init__(self, log, surface="chat", **settings):
        self.log = log
        self.clock = TickingClock()
        self.ids = CountedIds()
        self._mark, self._keys = secrets.token_hex(4), 0
        self._surface = surface
        self._settings = settings
        self.use(packaged_catalog())

    def use(self, catalog):
        self.catalog = catalog
        self.service = Service(
            catalog=catalog,
            clock=self.clock,
            new_id=self.ids,
            renderer=Renderer("terminal"),
            log=self.log,
            surface=self._surface,
            **self._settings,
        )

    async def say(self, text, request=ADA, **changes):
        """What a person is replied; a question is stored as well."""
        self._keys += 1
        asked = replace(request, text=text, event_key=f"event {self._mark} {self._keys}", **changes)
        reply = await self.service.handle(asked)
        await self.service.record(reply)
        return reply


def dearer(catalog: Catalog, gpu: str, factor: str) -> Catalog:
    """The catalog with other prices for one GPU."""
    offers = tuple(
        offer.model_copy(update={"usd_month": offer.usd_month * Decimal(factor)}) if offer.gpu == gpu else offer
        for offer in catalog.offers
    )
    return replace(catalog, offers=offers)


async def opened(folder):
    return await QueryLog.open(f"sqlite:///{folder}/log.db", folder / "spool")

"""What a use case works with, handed to it by the service."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.commands import Surface
from bot.ports import Clock, Links, Log, NewId
from bot.rendering import Renderer
from engine import Catalog

if TYPE_CHECKING:
    from bot.market.catalog_source import CatalogFiles


@dataclass(frozen=True, slots=True)
class Tools:
    """One surface's catalog, clock, templates and log.

    Attributes:
        admins: ids of people who may unpin and delete anybody's.
        links: makes the addresses of web pages; None where there are none.
        files: opens files of offers; None where nobody may name a file.
    """

    catalog: Catalog
    clock: Clock
    new_id: NewId
    renderer: Renderer
    log: Log
    surface: Surface
    page_rows: int
    admins: frozenset[str] = frozenset()
    links: Links | None = None
    files: "CatalogFiles | None" = None

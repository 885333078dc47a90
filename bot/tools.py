"""What a use case works with, handed to it by the service."""

from dataclasses import dataclass

from bot.commands import Surface
from bot.ports import Clock, Log, NewId
from bot.rendering import Renderer
from engine import Catalog


@dataclass(frozen=True, slots=True)
class Tools:
    """One surface's catalog, clock, templates and log."""

    catalog: Catalog
    clock: Clock
    new_id: NewId
    renderer: Renderer
    log: Log
    surface: Surface
    page_rows: int

"""The parts of the bot that every chat platform gets, made for one of them."""

from dataclasses import dataclass
from typing import Final, Literal

from adapters.settings import Settings
from adapters.system import RandomId, SystemClock
from adapters.web_access import web_links
from bot.clicks import Clicks, DecidingLog
from bot.commands import QUESTION_EXAMPLES
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from bot.tokens import Tokens
from engine import Catalog

PAGE_ROWS: Final = 5
HELP: Final = "help"


class StartRefused(Exception):
    """Settings are missing or cannot be used; its text is one plain sentence that names them."""


@dataclass(frozen=True, slots=True)
class Surface:
    service: Service
    clicks: Clicks
    tokens: Tokens
    renderer: Renderer
    clock: SystemClock
    ids: RandomId


def surface(
    platform: Literal["slack", "discord"], settings: Settings, catalog: Catalog, log: DecidingLog, platform_secret: str
) -> Surface:
    """The surface of a platform; its buttons are signed with VRAM_SECRET, else with a secret of the platform."""
    clock, ids, renderer = SystemClock(), RandomId(), Renderer(platform)
    service = Service(
        catalog=catalog,
        clock=clock,
        new_id=ids,
        renderer=renderer,
        log=log,
        surface="chat",
        answers_to=settings.visibility,
        page_rows=PAGE_ROWS,
        admins=settings.admins,
        links=web_links(settings, clock),
    )
    _warm(service)
    secret = settings.secret.get_secret_value() if settings.secret else platform_secret
    clicks = Clicks(service=service, log=log, clock=clock, renderer=renderer)
    return Surface(service, clicks, Tokens(secret), renderer, clock, ids)


def _warm(service: Service) -> None:
    """Reads tables and templates before the first person asks, so that nobody's answer waits for them."""
    for text in (HELP, *QUESTION_EXAMPLES):
        service.answer(Request(text=text, platform="", team="", user="", user_name="", event_key=""))

"""The parts of the bot that every chat platform gets, made for one of them."""

import logging
from dataclasses import dataclass
from typing import Final, Literal

from adapters.settings import Settings
from adapters.system import RandomId, SystemClock
from adapters.web_access import web_links
from bot.clicks import Clicks, DecidingLog
from bot.commands import COMMANDS, QUESTION_EXAMPLES
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from bot.tokens import Tokens
from bot.use_cases import logged
from engine import Catalog

logger = logging.getLogger(__name__)

PAGE_ROWS: Final = 5


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
    """Loads code, tables and templates before the first person asks, so that nobody's answer waits for them."""
    for row in COMMANDS:
        if "chat" in row.surfaces and row.reads_log:
            logged(row.word)
    quick = [row.example for row in COMMANDS if "chat" in row.surfaces and not row.reads_log]
    for text in (*quick, *QUESTION_EXAMPLES):
        try:
            service.answer(Request(text=text, platform="", team="", user="", user_name="", event_key=""))
        except Exception:  # a bug in one command keeps nobody from the others
            logger.exception("bug in an example of the help")

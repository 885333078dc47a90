"""The log as web pages: a signed link opens them, nothing else does. No script, no cookie, nothing of third parties."""

import logging
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Final

from aiohttp import web

from bot.cards import WebPage
from bot.log.entry import LogAway
from bot.ports import Clock
from bot.rendering import PageRenderer
from bot.review.reading import NO_SUCH, Figures, Reading, notice
from bot.review.web_links import ROOT, WebLinks

logger = logging.getLogger(__name__)

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The address of a page is what opens it: it goes into no cache, no index and no other site's log."""

NOT_FOUND: Final = 404
AWAY: Final = 503

Show = Callable[[Reading, web.Request], Awaitable[WebPage | None]]


class Pages:
    """Answers requests for pages."""

    def __init__(self, log: Figures, links: WebLinks, clock: Clock) -> None:
        self._log = log
        self._links = links
        self._clock = clock
        self._renderer = PageRenderer()
        self._style = files("templates").joinpath("web/style.css").read_text(encoding="utf-8")

    def add_routes(self, server: web.Application) -> None:
        link = f"{ROOT}/{{token}}"
        server.router.add_get(f"{ROOT}/style.css", self._styled)
        server.router.add_get(link, self._page(lambda reading, request: reading.list(request.query)))
        server.router.add_get(
            f"{link}/decisions", self._page(lambda reading, request: reading.decisions(request.query))
        )
        server.router.add_get(f"{link}/charts", self._page(lambda reading, _: reading.charts()))
        server.router.add_get(f"{link}/q/{{id}}", self._page(lambda reading, request: reading.query(_id(request))))

    async def _styled(self, _request: web.Request) -> web.Response:
        return web.Response(text=self._style, content_type="text/css", headers={"X-Content-Type-Options": "nosniff"})

    def _page(self, show: Show) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def answer(request: web.Request) -> web.Response:
            token = request.match_info["token"]
            opened = self._links.opened(token)
            if opened is None:
                return self._response(notice(NO_SUCH), NOT_FOUND)
            try:
                page = await show(Reading(self._log, self._clock, token, opened), request)
            except LogAway as away:
                return self._response(notice(f"The log cannot be read: {away.reason}."), AWAY)
            return self._response(notice(NO_SUCH), NOT_FOUND) if page is None else self._response(page, 200)

        return answer

    def _response(self, page: WebPage, status: int) -> web.Response:
        return web.Response(text=self._renderer.page(page), status=status, content_type="text/html", headers=HEADERS)


def _id(request: web.Request) -> str:
    return request.match_info["id"]

"""`/`: what somebody finds who opens the bare address. One sentence, the same for everybody."""

from typing import Final

from aiohttp import web

TEXT: Final = (
    "This is the VRAM bot. It answers, in Slack, Discord and the terminal, how much GPU memory a language model needs. "
    "Pages of its query log, where there are any, open by a link that the bot gives: ask it for its log.\n"
)


def add_route(server: web.Application) -> None:
    async def front(_request: web.Request) -> web.Response:
        return web.Response(text=TEXT, headers={"X-Content-Type-Options": "nosniff", "X-Robots-Tag": "noindex"})

    server.router.add_get("/", front)

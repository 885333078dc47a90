"""`/metrics`: figures for Prometheus."""

from collections.abc import Callable

from aiohttp import web


def add_route(server: web.Application, text: Callable[[], bytes], content_type: str) -> None:
    """`text` makes the figures when they are asked for."""

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(body=text(), headers={"Content-Type": content_type})

    server.router.add_get("/metrics", metrics)

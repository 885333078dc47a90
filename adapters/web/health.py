"""Whether the process lives, and whether it can answer."""

import json
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

Check = Callable[[], Awaitable[bool]]


def add_routes(server: web.Application, checks: Mapping[str, Check], waiting: Callable[[], int]) -> None:
    """`/healthz` answers while the process lives; `/readyz` once every platform is connected.

    Args:
        server: gets the routes, before it starts.
        checks: whether each platform is connected.
        waiting: how many questions wait for the database, which keeps nobody from an answer.
    """

    async def alive(_request: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def ready(_request: web.Request) -> web.Response:
        states = {name: await check() for name, check in checks.items()}
        body = json.dumps({"ready": all(states.values()), **states, "not_logged_yet": waiting()})
        return web.Response(text=body, status=200 if all(states.values()) else 503, content_type="application/json")

    server.router.add_get("/healthz", alive)
    server.router.add_get("/readyz", ready)

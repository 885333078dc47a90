"""The bare address: one sentence, and nothing about the deployment."""

import aiohttp

from adapters.web import front
from adapters.web.server import Server


async def test_the_bare_address_says_what_there_is():
    server = Server("127.0.0.1", 0)
    front.add_route(server.application)
    address = f"http://127.0.0.1:{await server.start()}"
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{address}/") as answer:
            assert (answer.status, answer.content_type) == (200, "text/plain")
            said = await answer.text()
            assert "Server" not in answer.headers
        async with session.head(f"{address}/") as answer:
            assert answer.status == 200
        async with session.post(f"{address}/") as answer:
            assert answer.status == 405
    await server.close()
    assert said == front.TEXT
    assert said.startswith("This is the VRAM bot")

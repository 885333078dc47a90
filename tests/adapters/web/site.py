"""The pages on a server of their own, with a few questions in the log."""

import contextlib
from dataclasses import replace

from adapters.web.pages import Pages
from adapters.web.server import Server
from bot.log.entry import Viewer
from bot.review.web_links import WebLinks
from tests.bot.review.office import ADA, BOB, EVE, Office, opened

READER = Viewer(team=ADA.team, user=ADA.user)
HOSTILE = "<script>alert(1)</script>"


class Site:
    def __init__(self, office, links, address):
        self.office = office
        self.links = links
        self.address = address

    def list(self, words="", reader=READER):
        return self.links.to_list(reader, words)

    def under(self, path, reader=READER):
        return f"{self.list(reader=reader)}{path}"


@contextlib.asynccontextmanager
async def site_in(folder):
    async with await opened(folder) as log:
        office = Office(log)
        await asked(office)
        server = Server("127.0.0.1", 0)
        links = WebLinks("a secret of the tests", "http://127.0.0.1:0", office.clock)
        Pages(log, links, office.clock).add_routes(server.application)
        port = await server.start()
        links = WebLinks("a secret of the tests", f"http://127.0.0.1:{port}", office.clock)
        try:
            yield Site(office, links, f"http://127.0.0.1:{port}")
        finally:
            await server.close()


async def asked(office):
    """Six questions: an answer that is decided and measured, a choice, a refusal, a private one, two of others."""
    await office.say("13b lora ctx=4k")
    await office.say(f"pin 1 {HOSTILE} & cheapest")
    await office.say("measured 1 33.1GB 12tok/s with clipping")
    await office.say("13b finetune")
    await office.say(f"13b {HOSTILE}")
    await office.say("34b fp8 private", BOB)
    await office.say("70b int4 2x3090", replace(BOB, user_name="<b>bob</b>"))
    await office.say("7b qlora", EVE)

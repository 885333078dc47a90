"""The pages over HTTP: what they show, to whom, and what stands in their headers."""

import re
from dataclasses import replace

import aiohttp
import pytest

from adapters.web.pages import Pages
from adapters.web.server import Server
from bot.log.entry import Viewer
from bot.log.query_log import QueryLog
from bot.review.web_links import WebLinks
from tests.adapters.web.site import HOSTILE, READER, site_in
from tests.bot.review.office import TickingClock


@pytest.fixture
async def site(tmp_path):
    async with site_in(tmp_path) as made:
        yield made


async def get(address):
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return answer.status, await answer.text(), answer.headers


def numbers(page):
    return [int(number) for number in re.findall(r">#(\d+)</a>", page)]


async def test_the_list_is_the_log_of_the_reader(site):
    status, page, _ = await get(site.list())
    assert status == 200
    assert numbers(page) == [5, 3, 2, 1]
    assert "13b lora ctx=4k" in page
    assert "7b qlora" not in page
    assert numbers((await get(site.list(reader=Viewer(team="T1", user="U0BOB"))))[1]) == [5, 4, 3, 2, 1]
    assert numbers((await get(site.list(reader=Viewer(team="T2", user="U0ADA"))))[1]) == [1]
    assert numbers((await get(site.list(reader=Viewer(team="T3", user="U0ADA"))))[1]) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=70b", [5]),
        ("?q=by:me", [3, 2, 1]),
        ("?verdict=fits", [5, 1]),
        ("?workload=lora", [1]),
        ("?decided=yes", [1]),
        ("?since=2026-12-01", []),
        ("?until=2026-11-30&q=13b", [3, 2, 1]),
        ("?q=cheapest", [1]),
    ],
)
async def test_filters(site, query, found):
    assert numbers((await get(site.list() + query))[1]) == found


async def test_the_form_says_whose_days_are_meant(site):
    _, page, _ = await get(site.list())
    assert "From (UTC)" in page
    assert "To (UTC)" in page


@pytest.mark.parametrize("query", ["?q=modle:70b", "?verdict=x", "?since=soon", "?after=x", "?q=verdict:no&verdict=no"])
async def test_a_wrong_filter_is_said(site, query):
    status, page, _ = await get(site.list() + query)
    assert status == 200
    assert 'role="alert"' in page


async def test_a_query_has_its_bar_and_arithmetic(site):
    _, page, _ = await get(site.under("/q/id00000001"))
    for said in ("26.00\u00a0GB", "24.21\u00a0GiB", "Needs 35\u00a0GB", "$240 a month", "33.1\u00a0GB"):
        assert said in page
    assert 'role="img"' in page
    assert "asked" in (await get(site.under("/q/id00000002")))[1].lower()
    assert "is no word that I know" in (await get(site.under("/q/id00000003")))[1]


async def test_decisions_and_charts(site):
    assert numbers((await get(site.under("/decisions")))[1]) == [1]
    _, charts, _ = await get(site.under("/charts"))
    assert "Decided offers: $240 a month" in charts
    assert charts.count("<svg") == 3


async def test_text_from_people_is_text(site):
    for path in ("", "/decisions", "/q/id00000001", "/q/id00000003", "/q/id00000005", f"?q={HOSTILE}"):
        _, page, _ = await get(site.under(path))
        assert "<script" not in page
        assert "<b>" not in page
        assert " on" not in re.sub(r">[^<]*<", "><", page).replace(" one", "")


async def test_foreign_forged_and_unknown_read_the_same(site):
    _, unknown, _ = await get(site.under("/q/id99999999"))
    for address in (
        site.under("/q/id00000004"),  # bob's own
        site.under("/q/id00000006"),  # of another team
        site.list()[:-1] + "~",
        f"{site.address}/log/x.y",
        f"{site.address}/log/x.y/decisions",
    ):
        status, page, _ = await get(address)
        assert (status, page) == (404, unknown)


async def test_a_link_is_over_after_its_time(site):
    address = site.list()
    site.office.clock.moment = site.office.clock.moment.replace(year=2027)
    assert (await get(address))[0] == 404


async def test_a_link_for_a_channel_opens_one_query_and_nothing_else(site):
    alone = site.links.to_query_alone(replace(READER, user="", shown_to_channel=True), "id00000001")
    status, page, _ = await get(alone)
    assert status == 200
    assert "<nav" not in page
    root = alone.rpartition("/q/")[0]
    for path in ("", "/decisions", "/charts", "/q/id00000005"):
        assert (await get(root + path))[0] == 404


async def test_headers_keep_the_page_to_itself(site):
    for path in ("", "/q/nothing"):
        _, page, headers = await get(site.under(path))
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe-inline" not in policy
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "style=" not in page
        assert "<style" not in page
        assert set(re.findall(r'(?:src|href|action)="([^"]*)"', page)) <= {
            found for found in re.findall(r'"([^"]*)"', page) if found.startswith(("/log/", "#"))
        }


async def test_pages_lead_to_each_other(site):
    for turn in range(60):
        await site.office.say(f"13b lora ctx={turn + 1}")
    _, first, _ = await get(site.list())
    older = re.search(r'rel="next" href="([^"]*)"', first)[1].replace("&amp;", "&")
    _, second, _ = await get(site.address + older)
    assert len(numbers(first)) == 50
    assert numbers(first) + numbers(second) == [*range(65, 4, -1), 3, 2, 1]
    newer = re.search(r'rel="prev" href="([^"]*)"', second)[1].replace("&amp;", "&")
    assert numbers((await get(site.address + newer))[1]) == numbers(first)


async def test_a_log_that_is_away_is_said(tmp_path):
    clock = TickingClock()
    links = WebLinks("a secret of the tests", "http://127.0.0.1", clock)
    async with await QueryLog.open("postgresql://127.0.0.1:1/none", tmp_path / "spool") as log:
        server = Server("127.0.0.1", 0)
        Pages(log, links, clock).add_routes(server.application)
        port = await server.start()
        address = links.to_list(READER, "").replace("127.0.0.1", f"127.0.0.1:{port}")
        status, page, _ = await get(address)
        await server.close()
    assert status == 503
    assert "The log cannot be read" in page

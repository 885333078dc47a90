"""The pages in a real browser, headless Chromium with script turned off: by keyboard, on a phone, light and dark.

`make browser` installs Debian's chromium where apt is there. Without a browser, which a machine
without apt cannot install, these tests are skipped with a reason.
"""

import asyncio
import shutil
from itertools import pairwise

import pytest

from tests.adapters.web.devtools import tab_of
from tests.adapters.web.site import HOSTILE, site_in

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATHS = ("", "/decisions", "/charts", "/q/id00000001", "/q/id00000002", "/q/id00000003", "/q/id99999999")
LEAST_CONTRAST = 4.5
"""Of text to its background. Source: WCAG 2.2, 1.4.3."""


@pytest.fixture(scope="session")
def browser():
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is on the path (make browser installs Debian's)")
    return found


@pytest.fixture
async def site(tmp_path):
    async with site_in(tmp_path / "log") as made:
        yield made


@pytest.fixture
async def tab(browser, tmp_path):
    async with tab_of(browser, tmp_path / "profile") as made:
        yield made


async def test_every_page_is_shown_styled_and_without_a_complaint(site, tab):
    for path in PATHS[:-1]:
        await tab.open(site.under(path))
        assert await tab.value("document.styleSheets.length") == 1
        assert await tab.value("getComputedStyle(document.body).maxWidth") != "none"
        assert await tab.value("document.querySelectorAll('h1').length") == 1
    assert tab.said == []


async def test_nothing_is_wider_than_a_phone(site, tab):
    await tab.width(360)
    for path in PATHS:
        await tab.open(site.under(path))
        assert await tab.value("document.documentElement.scrollWidth") <= 360, path
        assert float((await tab.value("getComputedStyle(document.body).fontSize")).removesuffix("px")) >= 16


async def test_dark_and_light_are_both_readable(site, tab):
    backgrounds = set()
    for scheme in ("light", "dark"):
        await tab.scheme(scheme)
        for path in PATHS:
            await tab.open(site.under(path))
            background = await tab.value("getComputedStyle(document.body).backgroundColor")
            backgrounds.add(background)
            colours = await tab.value(
                "[...document.querySelectorAll('main *, header *, footer *')]"
                ".filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))"
                ".map(e => e.namespaceURI.endsWith('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color)"
            )
            for colour in set(colours):
                assert contrast(colour, background) >= LEAST_CONTRAST, (scheme, path, colour)
    assert len(backgrounds) == 2


async def test_the_keyboard_reaches_everything_in_reading_order(site, tab):
    await tab.open(site.list())
    reached = []
    for _ in range(18):
        await tab.key("Tab")
        reached.append(await tab.value("document.activeElement.id || document.activeElement.textContent.trim()"))
        assert await tab.value("getComputedStyle(document.activeElement).outlineStyle") != "none"
    order = ["Skip to the content", "Questions", "Decisions", "Charts", "q", "verdict", "workload", "decided", "since"]
    assert [one for one in reached if one in order][: len(order)] == order
    assert "Find" in reached


async def test_the_first_key_leads_past_the_menu(site, tab):
    await tab.open(site.list())
    await tab.key("Tab")
    assert await tab.value("document.activeElement.getBoundingClientRect().left") >= 0
    await tab.key("Enter")
    assert await tab.value("location.hash") == "#main"


async def test_a_filter_works_by_keyboard_alone(site, tab):
    await tab.open(site.list())
    await tab.value("document.getElementById('q').focus()")
    await tab.call("Input.insertText", text="70b")
    await tab.key("Enter")
    for _ in range(50):
        if "q=70b" in await tab.value("location.search"):
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.3)
    assert await tab.value("document.querySelectorAll('tbody tr').length") == 1
    assert await tab.value("document.getElementById('q').value") == "70b"


async def test_a_screen_reader_finds_a_name_on_everything(site, tab):
    for path in PATHS:
        await tab.open(site.under(path))
        await tab.call("Accessibility.enable")
        nodes = (await tab.call("Accessibility.getFullAXTree"))["nodes"]
        told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if "role" in node]
        for role, name in told:
            if role in {"link", "button", "textbox", "searchbox", "combobox", "image", "table", "Date", "navigation"}:
                assert name, (path, role)
        roles = [role for role, _ in told]
        assert roles.count("main") == 1
        levels = await tab.value("[...document.querySelectorAll('h1,h2,h3')].map(e => Number(e.tagName[1]))")
        assert levels[0] == 1
        assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    assert "image" in roles or path == PATHS[-1]


async def test_text_from_people_stays_text(site, tab):
    await tab.open(site.under("/q/id00000001"))
    assert HOSTILE in await tab.value("document.body.innerText")
    assert await tab.value("document.scripts.length") == 0
    assert await tab.value("performance.getEntriesByType('resource').every(e => e.name.startsWith(location.origin))")


def contrast(one, other):
    """Source: WCAG 2.2, contrast ratio."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    """Source: WCAG 2.2, relative luminance."""
    parts = [float(part) / 255 for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

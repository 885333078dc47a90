"""Nothing shows a row outside: every command, filter, export, page and link, over random teams, channels and people.

What may be seen is written out here from the agreement, not taken from the code.
"""

import asyncio
import secrets
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.log.entry import Filters, Viewer
from bot.rendering import PageRenderer
from bot.review.exporting import FORMATS
from bot.review.reading import Reading
from bot.review.web_links import Pass, WebLinks
from tests.bot.review.office import ADA, NOON, Office, opened

TEAMS = ("T1", "T2")
PEOPLE = ("U0ADA", "U0BOB", "C1")
CHANNELS = ("C1", "C2", "user:U0BOB")
VISIBILITIES = ("public", "private-channel", "direct")

places = st.tuples(
    st.sampled_from(TEAMS), st.sampled_from(PEOPLE), st.sampled_from(CHANNELS), st.sampled_from(VISIBILITIES)
)
askings = st.lists(st.tuples(places, st.booleans(), st.booleans()), min_size=1, max_size=5)
"""Who asked where; whether with the word private; whether it was pinned and measured."""

readers = st.tuples(places, st.booleans())


class IdsOf:
    """Ids of one example; all examples share a log."""

    def __init__(self, example):
        self._example = example
        self.made = []

    def new(self):
        self.made.append(f"{self._example}{len(self.made):02d}")
        return self.made[-1]


def request_of(place, example):
    team, user, channel, visibility = place
    return replace(
        ADA,
        team=f"{team}-{example}",
        user=user,
        user_name=user,
        channel=None if visibility == "direct" else channel,
        visibility=visibility,
    )


def may_see(reader, asker, *, private, in_browser=False):
    """Design, the query log: team is the wall; a private channel's rows in that channel; the rest by the asker."""
    if asker.team != reader.team:
        return False
    if private or asker.visibility == "direct":
        return asker.user == reader.user
    if asker.visibility == "private-channel":
        return asker.channel == reader.channel and not in_browser
    return True


def name_of(place):
    """A size that nobody else asks for: it is found in whatever shows the row."""
    return f"7.{place + 11}b"


def seen_in(text):
    return {place for place in range(8) if name_of(place) in text.casefold()}


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=askings, reading=readers)
def test_nothing_shows_a_row_outside(tmp_path, asked, reading):
    asyncio.run(check(tmp_path, asked, reading))


async def check(folder, asked, reading):
    example = secrets.token_hex(4)
    place, is_admin = reading
    reader = replace(request_of(place, example), is_admin=is_admin)
    async with await opened(folder) as log:
        office = Office(log, page_rows=50)
        office.ids = IdsOf(example)
        office.use(office.catalog)
        allowed, in_browser = set(), set()
        for row, (where, private, decided) in enumerate(asked):
            asker = request_of(where, example)
            await office.say(f"{name_of(row)} lora{' private' if private else ''}", asker)
            if decided:
                number = (await office.say(f"log {name_of(row)}", asker)).rows[0]["id"]
                await office.say(f"pin {number} agreed on {name_of(row)}", asker)
                await office.say(f"measured {number} 30GB sure", asker)
            if may_see(reader, asker, private=private):
                allowed.add(row)
            if may_see(reader, asker, private=private, in_browser=True):
                in_browser.add(row)
        await check_lists(office, reader, allowed, asked)
        await check_export(office, reader, allowed)
        await check_pages(office, reader, in_browser)
        await check_numbers(office, reader, allowed, len(asked))


async def check_lists(office, reader, allowed, asked):
    for words in ("log", "log lora", "log workload:lora", "log kind:answer", "log since:2026-01-01"):
        assert seen_in((await office.say(words, reader)).text) == allowed
    decided = {row for row, (_, _, is_decided) in enumerate(asked) if is_decided}
    for words in ("log decided:yes", "log measured", "log measured:yes"):
        assert seen_in((await office.say(words, reader)).text) == allowed & decided
    assert seen_in((await office.say("log stale", reader)).text) <= allowed


async def check_export(office, reader, allowed):
    viewer = Viewer(team=reader.team, user=reader.user, channel=reader.channel, is_admin=reader.is_admin)
    for _, line in FORMATS.values():
        lines = [line(row) async for row in office.log.export(viewer, Filters())]
        assert seen_in("".join(lines)) == allowed


async def check_pages(office, reader, allowed):
    links = WebLinks("a secret of the tests", "http://127.0.0.1", office.clock)
    for_team_alone = Viewer(team=reader.team, user="", shown_to_channel=True)
    everything = Viewer(team=reader.team, user="anybody")
    for viewer, most in ((Viewer(team=reader.team, user=reader.user), allowed), (for_team_alone, allowed)):
        token = links.to_list(viewer, "").rpartition("/")[2]
        opened_link = links.opened(token)
        assert opened_link.reader == viewer
        pages = Reading(office.log, office.clock, token, opened_link)
        renderer = PageRenderer()
        listed = seen_in(renderer.page(await pages.list({})))
        assert listed <= most
        assert viewer.shown_to_channel or listed == most
        for page in (
            await pages.decisions({}),
            await pages.charts(),
            await pages.list({"q": "lora", "decided": "yes"}),
        ):
            assert seen_in(renderer.page(page)) <= listed
        for public_id in office.ids.made:
            page = await pages.query(public_id)
            assert page is None or seen_in(renderer.page(page)) <= listed
    alone = Reading(office.log, office.clock, "t", Pass(everything, NOON, office.ids.made[0]))
    assert await alone.list({}) is None
    assert await alone.decisions({}) is None
    assert await alone.charts() is None
    assert await alone.query("another-id") is None


async def check_numbers(office, reader, allowed, rows):
    """By number nobody sees, pins, measures, asks again or deletes what they do not see; last, since it deletes."""
    for number in range(1, rows + 1):
        for words in ("show {}", "again {}", "pin {} x", "measured {} 30GB sure", "unpin {}", "forget {}"):
            reply = await office.say(words.format(number), reader)
            assert seen_in(reply.text) <= allowed, words

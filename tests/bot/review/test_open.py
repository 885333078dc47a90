"""Which replies carry "Open in browser", and what each link opens."""

from dataclasses import replace

import pytest

from bot.review.web_links import WebLinks
from tests.bot.review.office import ADA, NOON, Office, TickingClock, opened

DIRECT = replace(ADA, channel=None, visibility="direct")
PRIVATE_CHANNEL = replace(ADA, visibility="private-channel")
LINKS = WebLinks("a secret of the tests", "https://vram.example.org", TickingClock())


@pytest.fixture
async def office(tmp_path):
    async with await opened(tmp_path) as log:
        yield Office(log, links=LINKS)


def link_of(reply):
    found = [action.argument for action in reply.actions if action.code == "open"]
    assert len(found) <= 1
    return found[0] if found else None


def opens(address):
    return LINKS.opened(address.split("/log/")[1].split("/")[0].split("?")[0])


async def test_an_answer_that_a_channel_reads_opens_itself_alone_and_for_nobody_in_particular(office):
    reply = await office.say("13b lora")
    assert reply.audience == "channel"
    said = opens(link_of(reply))
    assert (said.only, said.reader.user, said.reader.shown_to_channel) == (reply.entry.public_id, "", True)


@pytest.mark.parametrize(("text", "request_"), [("13b lora private", ADA), ("13b lroa", ADA)])
async def test_a_reply_for_the_asker_opens_what_the_asker_may_see(office, text, request_):
    said = opens(link_of(await office.say(text, request_)))
    assert (said.only, said.reader.user, said.reader.channel) == ("", "U0ADA", None)


async def test_what_is_asked_in_a_private_channel_has_no_page(office):
    assert link_of(await office.say("13b lora", PRIVATE_CHANNEL)) is None
    assert link_of(await office.say("show 1", PRIVATE_CHANNEL)) is None
    assert link_of(await office.say("again 1", PRIVATE_CHANNEL)) is None


async def test_the_commands_of_the_log_open_their_page(office):
    await office.say("13b lora", DIRECT)
    assert link_of(await office.say("log 13b by:me")).endswith("?q=13b+by%3Ame")
    assert "/q/" in link_of(await office.say("show 1", DIRECT))
    said = opens(link_of(await office.say("log", is_admin=True)))
    assert not said.reader.is_admin
    assert said.until > NOON


async def test_without_pages_there_is_no_link(tmp_path):
    async with await opened(tmp_path) as log:
        assert link_of(await Office(log).say("13b lora")) is None

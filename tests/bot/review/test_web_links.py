"""A link opens what it says, for as long as it says, and nothing can be made of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.log.entry import Viewer
from bot.review.web_links import VALID, WebLinks
from bot.tokens import Tokens
from tests.bot.review.office import NOON, TickingClock

SARA = Viewer(team="T1", user="U1")


class Stopped:
    def __init__(self):
        self.moment = NOON

    def now(self):
        return self.moment

    def seconds(self):
        return 0.0


@pytest.fixture
def clock():
    return Stopped()


def token_of(address):
    return address.split("/log/")[1].split("/")[0].split("?")[0]


def test_a_link_opens_for_its_reader_for_twelve_hours(clock):
    links = WebLinks("secret", "https://vram.example.org/", clock)
    address = links.to_list(SARA, "13b verdict:tight")
    assert address.startswith("https://vram.example.org/log/")
    assert address.endswith("?q=13b+verdict%3Atight")
    opened = links.opened(token_of(address))
    assert (opened.reader, opened.only) == (SARA, "")
    clock.moment = NOON + VALID
    assert links.opened(token_of(address)) is None


def test_a_link_for_a_channel_opens_one_query(clock):
    links = WebLinks("secret", "http://x", clock)
    opened = links.opened(token_of(links.to_query_alone(Viewer(team="T1", user="", shown_to_channel=True), "abc")))
    assert (opened.only, opened.reader.user, opened.reader.shown_to_channel) == ("abc", "", True)


def test_another_secret_or_purpose_opens_nothing(clock):
    token = token_of(WebLinks("secret", "http://x", clock).to_list(SARA, ""))
    assert WebLinks("another", "http://x", clock).opened(token) is None
    assert Tokens("secret").verify(token, "T1") is None


@given(st.data())
def test_no_changed_link_opens(data):
    links = WebLinks("secret", "http://x", TickingClock())
    token = token_of(links.to_list(SARA, ""))
    place = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters().filter(lambda letter: letter != token[place]))
    assert links.opened(token[:place] + other + token[place + 1 :]) is None


@given(st.text(st.characters(exclude_categories=()), max_size=2000))
def test_nothing_that_was_not_made_here_opens(text):
    assert WebLinks("secret", "http://x", TickingClock()).opened(text) is None


def test_without_a_secret_there_are_no_links(clock):
    with pytest.raises(ValueError, match="empty"):
        WebLinks("", "http://x", clock)

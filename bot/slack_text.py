"""What Slack's templates need beyond escaping: bold and code that no text from people can break out of."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final

from bot.cards import Place
from bot.escaping import Safe, slack
from bot.wording import moment, place

CHANNEL: Final = re.compile(r"[CG][A-Z0-9]+")
STAR: Final = "∗"
"""Reads like a star and ends no bold text."""


def strong(text: str) -> Safe:
    """Bold, on one line.

    >>> strong("70b *int4* & more")
    '*70b ∗int4∗ &amp; more*'
    """
    line = " ".join(slack(text).split(" ")).replace("\n", " ").strip().replace("*", STAR).replace("`", "'")
    return Safe(f"*{line}*" if line else "")


def code(text: str) -> Safe:
    """As code, on one line.

    >>> code("13b `lora`")
    "`13b 'lora'`"
    """
    line = slack(text).replace("\n", " ").strip().replace("`", "'")
    return Safe(f"`{line}`" if line else "")


def line(text: str) -> Safe:
    """On one line."""
    return Safe(" ".join(slack(text).split("\n")).replace("\t", " ").strip())


def when(at: datetime) -> Safe:
    """A time that each reader sees in their own zone; in UTC where that does not work.

    Source: docs.slack.dev, messaging/formatting-message-text, date formatting.

    >>> from datetime import UTC
    >>> when(datetime(2026, 11, 30, 12, 0, tzinfo=UTC))
    '<!date^1796040000^{date_short_pretty} {time}|2026-11-30 12:00 UTC>'
    """
    return Safe(f"<!date^{int(at.timestamp())}^{{date_short_pretty}} {{time}}|{moment(at)} UTC>")


def where(asked: Place) -> Safe:
    """A channel as a link to it, where it is one of Slack's.

    >>> where(Place("slack", "C0123", "")), where(Place("discord", "17", "private channel"))
    ('<#C0123>', 'discord 17, private channel')
    """
    if asked.platform == "slack" and CHANNEL.fullmatch(asked.channel):
        return Safe(", ".join(filter(None, (f"<#{asked.channel}>", asked.private))))
    return Safe(slack(place(asked.platform, asked.channel, asked.private)))


SLACK_FILTERS: Final[dict[str, Callable[..., Safe]]] = {
    "strong": strong,
    "code": code,
    "line": line,
    "when": when,
    "where": where,
}

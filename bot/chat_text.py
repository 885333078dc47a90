"""The bar as text for both chat platforms; times and places in Discord's markup."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from bot.cards import Bar, Place
from bot.escaping import Safe, discord
from bot.wording import place

SHADES: Final = "█▓▒"
"""One a term, again from the first after the last: neighbours differ without colours."""
FREE: Final = "░"


def bar(cells: Bar) -> Safe:
    """The bar, a shade a term.

    >>> bar(Bar((8, 3, 1), 8, "48 GB"))
    '████████▓▓▓▒░░░░░░░░'
    """
    terms = (SHADES[place % len(SHADES)] * count for place, count in enumerate(cells.cells))
    return Safe("".join(terms) + FREE * cells.free)


def discord_when(at: datetime) -> Safe:
    """A time that each reader sees in their own zone.

    Source: discord-api-docs, reference, message formatting.

    >>> from datetime import UTC
    >>> discord_when(datetime(2026, 11, 30, 12, 0, tzinfo=UTC))
    '<t:1796040000:f>'
    """
    return Safe(f"<t:{int(at.timestamp())}:f>")


def discord_where(asked: Place) -> Safe:
    """A channel as a link to it, where it is one of Discord's.

    >>> discord_where(Place("discord", "17", "")), discord_where(Place("terminal", "", ""))
    ('<#17>', 'terminal')
    """
    if asked.platform == "discord" and asked.channel.isdecimal():
        return Safe(", ".join(filter(None, (f"<#{asked.channel}>", asked.private))))
    return Safe(discord(place(asked.platform, asked.channel, asked.private)))


DISCORD_FILTERS: Final[dict[str, Callable[..., Safe]]] = {"when": discord_when, "where": discord_where}
CHAT_FILTERS: Final[dict[str, Callable[..., Safe]]] = {"bar": bar}

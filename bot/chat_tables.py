"""Tables for chat: lines of a code block, figures in line. The template writes the block's marks.

Nothing of a line can end the block, and nothing in it reads as a mention.
"""

from collections.abc import Callable, Sequence
from typing import Final

from bot.escaping import Safe, slack, unlinked
from bot.terminal_text import aligned

QUOTE: Final = "'"
"""In place of the backtick, three of which would end the block."""


def slack_line(cells: Sequence[str], label: str, first: int, columns: int | Sequence[int]) -> Safe:
    """A line of a table for Slack; columns as in `bot.terminal_text.aligned`.

    >>> slack_line(["24*", "<b>"], "A&B", 5, 6)
    'A&amp;B     24*  &lt;b&gt;'
    """
    return Safe(slack(_line(cells, label, first, columns)))


def discord_line(cells: Sequence[str], label: str, first: int, columns: int | Sequence[int]) -> Safe:
    """A line of a table for Discord.

    >>> discord_line(["24*", "48"], "``` A", 6, 6)
    "''' A    24*   48"
    """
    return Safe(unlinked(_line(cells, label, first, columns)))


def _line(cells: Sequence[str], label: str, first: int, columns: int | Sequence[int]) -> str:
    return str(aligned(cells, label, first, columns)).replace("`", QUOTE)


SLACK_TABLES: Final[dict[str, Callable[..., Safe]]] = {"aligned": slack_line}
DISCORD_TABLES: Final[dict[str, Callable[..., Safe]]] = {"aligned": discord_line}

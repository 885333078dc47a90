"""Layout that the chat platforms share: the bar as text."""

from collections.abc import Callable
from typing import Final

from bot.cards import Bar
from bot.escaping import Safe

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


CHAT_FILTERS: Final[dict[str, Callable[..., Safe]]] = {"bar": bar}

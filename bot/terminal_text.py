"""Layout of the terminal: labels, wrapping with a hanging indent, the bar, colours."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from bot.cards import Bar, Place
from bot.escaping import Safe, plain
from bot.wording import NO_BREAK, moment, place

COLUMNS: Final = 80
LABEL_COLUMNS: Final = 10
SHADES: Final = ("36", "34", "35", "33", "32", "31")
"""ANSI foreground colours, one a term; they begin again after the last."""
LABEL_STYLES: Final = {"Fits": "32;1", "Tight": "33;1", "Too big": "31;1", "Warnings": "33", "Refused": "31;1"}
BOLD: Final = "1"
FULL, FREE = "█", "░"
PLAIN_FULL, PLAIN_FREE = "#", "."
"""For an output that has no blocks."""

_WORDS: Final = re.compile(r"[ \n\t]+")


def width(text: str) -> int:
    """Columns that a text takes: two for wide characters, none for those that combine."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _pieces(word: str, room: int) -> Iterator[str]:
    """A word cut where it is wider than the room."""
    piece, taken = "", 0
    for character in word if width(word) > room else ():
        if piece and taken + _columns(character) > room:
            yield piece
            piece, taken = "", 0
        piece, taken = piece + character, taken + _columns(character)
    yield piece or word


def wrapped(text: str, indent: int = 0, columns: int = COLUMNS) -> list[str]:
    """Lines of at most `columns - indent` columns; the caller indents them."""
    room = columns - indent
    lines, taken = [""], 0
    for word in _WORDS.split(text.strip()):
        for piece in _pieces(word, room):
            needed = width(piece) + (1 if lines[-1] else 0)
            if taken + needed <= room:
                lines[-1] += f" {piece}" if lines[-1] else piece
                taken += needed
            else:
                lines.append(piece)
                taken = width(piece)
    return [line.replace(NO_BREAK, " ") for line in lines]


def aligned(cells: Sequence[str], label: str, first: int, columns: int | Sequence[int]) -> Safe:
    """One line of a table: a label to the left, then figures to the right of their columns.

    Args:
        cells: figures; the mark of the best (*) stands beside the column, so that figures stay in line.
        label: of the line.
        first: columns of the label.
        columns: of each cell, its gap and mark included.
    """
    widths = [columns] * len(cells) if isinstance(columns, int) else columns
    line = _left(label, first)
    for cell, room in zip(cells, widths, strict=True):
        text = _shortened(cell, room - 2)
        line += " " * (room - width(text) - (not text.endswith("*"))) + text + ("" if text.endswith("*") else " ")
    return Safe(line.rstrip())


def _left(text: str, columns: int) -> str:
    line = _shortened(text, columns)
    return line + " " * (columns - width(line))


def _shortened(text: str, columns: int) -> str:
    """Text on one line, with an ellipsis where it is wider."""
    line = " ".join(plain(text).replace(NO_BREAK, " ").split())
    return line if width(line) <= columns else next(_pieces(line, columns - 1)).rstrip() + "…"


def when(at: datetime) -> Safe:
    return Safe(moment(at))


def where(asked: Place) -> Safe:
    return Safe(plain(place(asked.platform, asked.channel, asked.private)))


def terminal_filters(*, colour: bool, blocks: bool = True) -> dict[str, Callable[..., Safe]]:
    """The filters of the terminal's templates.

    Args:
        colour: the reader wants colours.
        blocks: the output has the characters of the bar.
    """
    full, free = (FULL, FREE) if blocks else (PLAIN_FULL, PLAIN_FREE)

    def styled(text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if colour and style and text else text

    def strong(text: str) -> Safe:
        return Safe("\n".join(styled(line, BOLD) for line in wrapped(plain(text))))

    def row(text: str, label: str, indent: int = LABEL_COLUMNS) -> Safe:
        head, *more = wrapped(plain(text), indent)
        shown = styled(label, LABEL_STYLES.get(label, BOLD)) + " " * max(1, indent - width(label))
        return Safe("\n".join([(shown if label else " " * indent) + head, *(" " * indent + line for line in more)]))

    def filled(text: str, bar: Bar, label: str) -> Safe:
        """A need with its bar: beside it, or on a line of its own where the two are too wide for one."""
        first = row(text, label)
        capacity = plain(bar.capacity).replace(NO_BREAK, " ")
        cells = sum(bar.cells) + bar.free
        shades = (styled(full * count, SHADES[n % len(SHADES)]) for n, count in enumerate(bar.cells))
        drawn = "".join(shades) + free * bar.free + f" of {capacity}"
        is_beside = LABEL_COLUMNS + width(plain(text)) + len("  ") + cells + width(f" of {capacity}") <= COLUMNS
        return Safe(f"{first}  {drawn}" if is_beside else f"{first}\n{' ' * LABEL_COLUMNS}{drawn}")

    def cut(text: str, columns: int) -> Safe:
        """Text on one line of at most so many columns, with an ellipsis where it is longer."""
        return Safe(_shortened(text, columns))

    def column(text: str, columns: int) -> Safe:
        line = cut(text, columns)
        return Safe(line + " " * (columns - width(line)))

    def right(text: str, columns: int) -> Safe:
        line = plain(text).replace(NO_BREAK, " ")
        return Safe(" " * (columns - width(line)) + line)

    def rows(texts: Iterable[str], label: str) -> Safe:
        """A line each, the label before the first."""
        return Safe("\n".join(row(text, "" if n else label) for n, text in enumerate(texts)))

    return {
        "strong": strong,
        "row": row,
        "rows": rows,
        "filled": filled,
        "cut": cut,
        "column": column,
        "right": right,
        "aligned": aligned,
        "when": when,
        "where": where,
    }

"""Text cut down to what a platform takes: at the end of a word, and it says how much is missing."""

import re
from typing import Final

FENCE: Final = "```"
_SPACE: Final = re.compile(r"[ \n\t]+")
"""No-break spaces hold a figure and its unit together."""
_BROKEN_END: Final = re.compile(r"(?:[\d.,]+|\\+|&[#\w]*|[@<]\S*)$")
"""Of a cut word: a figure that would read as another one, half an escape, half a mention."""


def shortened(text: str, most: int) -> str:
    """The text in at most `most` characters.

    >>> shortened("needs 35 GB of memory", 18)
    'needs … (16 more)'
    """
    if len(text) <= most:
        return text
    room = most
    while True:
        kept = _kept(text, room)
        closing = f"\n{FENCE}" if kept.count(FENCE) % 2 else ""
        cut = f"{kept}{closing}{_missing(text, kept)}"
        if len(cut) <= most:
            return cut
        if room == 0:
            return "…"[:most]
        room = max(0, room - (len(cut) - most))


def _missing(text: str, kept: str) -> str:
    return f"{' ' if kept else ''}… ({len(text) - len(kept):,} more)"


def _kept(text: str, room: int) -> str:
    """The beginning of a text, up to the last end of a word within the room; of one long word its beginning."""
    ends = [gap.start() for gap in _SPACE.finditer(text[: room + 1]) if gap.start() <= room]
    if ends and ends[-1] > 0:
        return text[: ends[-1]].rstrip()
    return _BROKEN_END.sub("", text[:room])

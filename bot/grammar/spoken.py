"""Numbers in words become figures: `twenty-five users`, `half a million tokens`, `sixty four thousand`."""

import re
from typing import Final

from bot.grammar.values import NUMBER_WORDS, plain

_SMALL: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_HALVES: Final = {"dozen": 6, "hundred": 50, "thousand": 500, "million": 500_000}
_WORD: Final = "|".join((*_SMALL, *_TENS, *_SCALES))
_RUN: Final = re.compile(rf"(?<![\w-])(?:{_WORD})(?:[ -](?:and )?(?:{_WORD}))*(?![\w-])", re.IGNORECASE)
_THOUSANDS_BEHIND: Final = re.compile(r" k(?!\w)", re.IGNORECASE)
_HALF: Final = re.compile(rf"(?<![\w-])half a ({'|'.join(_HALVES)})(?![\w-])", re.IGNORECASE)


def in_figures(text: str) -> str:
    """The text with its spoken numbers as figures; a word that stands alone and is known elsewhere stays.

    >>> in_figures("twenty-five users, one hundred and twenty k, two A100")
    '25 users, 120 k, two A100'
    """
    text = _HALF.sub(lambda found: str(_HALVES[found[1].lower()]), text)
    return _RUN.sub(_figure, text)


def _figure(found: re.Match[str]) -> str:
    words = [word for word in re.split("[ -]", found[0].lower()) if word != "and"]
    if len(words) == 1 and words[0] in NUMBER_WORDS and not _THOUSANDS_BEHIND.match(found.string, found.end()):
        return found[0]
    value = _value(words)
    return found[0] if value is None else plain(float(value))


def _value(words: list[str]) -> int | None:
    """What the words come to; None where they are several numbers side by side."""
    total, part, last = 0, 0, 0
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            part = max(part, 1) * scale
            if scale > _SCALES["hundred"]:
                total, part = total + part, 0
            last = scale
        elif word in _TENS and last not in _TENS.values() and last not in _SMALL.values():
            part, last = part + _TENS[word], _TENS[word]
        elif word in _SMALL and last not in _SMALL.values() and not (_SMALL[word] > 9 and last in _TENS.values()):
            part, last = part + _SMALL[word], _SMALL[word]
        else:
            return None
    return total + part

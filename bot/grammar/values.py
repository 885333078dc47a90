"""Numbers as people write them: tokens, counts, shares, money, durations."""

import re
from decimal import Decimal, InvalidOperation
from typing import Final

from engine.errors import ImpossibleValue
from engine.units import TOKENS_A_K

NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")
SCALED: Final = re.compile(rf"({NUMBER.pattern})(k|m)?(?:i?b?t(?:ok(?:ens?)?)?)?\+?")
SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)-?(?:gb|g|gib|gig|gigs|gbs)")

MOST_TOKENS: Final = 100 * TOKENS_A_K**2
"""Ten times the longest context of any model known (10M)."""

NUMBER_WORDS: Final = {
    word: value
    for value, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1
    )
} | {"sixteen": 16, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100, "thousand": 1000}


def is_number(text: str) -> bool:
    """Whether the text is a number, with or without k or M.

    >>> is_number("4k"), is_number("-1"), is_number("a100")
    (True, True, False)
    """
    return SCALED.fullmatch(text) is not None


def number(text: str) -> float | None:
    """The number that a text is; k is 1,024 and M is 1,024 k. None where it is none.

    >>> number("4k"), number("1M".lower()), number("two"), number("x")
    (4096.0, 1048576.0, 2.0, None)
    """
    if text in NUMBER_WORDS:
        return float(NUMBER_WORDS[text])
    if not (found := SCALED.fullmatch(text)):
        return None
    return float(found[1]) * {None: 1, "k": TOKENS_A_K, "m": TOKENS_A_K**2}[found[2]]


def whole(text: str, *, given: str, low: int, high: int, example: str) -> int:
    """The whole number that a text is.

    Raises:
        ImpossibleValue: not a whole number from `low` to `high`.
    """
    value = number(text)
    allowed = f"a whole number from {low:,} to {high:,}, such as {example}"
    if value is None:
        raise ImpossibleValue(given, allowed=allowed, reason="this is no number")
    if not low <= value <= high:
        raise ImpossibleValue(
            given, allowed=allowed, reason="this is too small" if value < low else "this is too large"
        )
    if value != int(value) and "k" not in text and "m" not in text:
        raise ImpossibleValue(given, allowed=allowed, reason="this is no whole number")
    return int(value)


def tokens(text: str, *, given: str, example: str = "ctx=4k") -> int:
    """Tokens, 1 to a hundred million; k is 1,024.

    >>> tokens("4k", given="ctx=4k"), tokens("131072", given="")
    (4096, 131072)

    Raises:
        ImpossibleValue: anything else.
    """
    return whole(text, given=given, low=1, high=MOST_TOKENS, example=example)


def share(text: str, *, given: str) -> float:
    """A share of one: `0.9` or `90%`.

    Raises:
        ImpossibleValue: not above 0 and up to 1.
    """
    percent = text.endswith("%")
    value = number(text.removesuffix("%"))
    if value is not None:
        value = value / 100 if percent else value
    if value is None or not 0 < value <= 1:
        raise ImpossibleValue(
            given, allowed="a share above 0 and up to 1, such as util=0.9", reason="this is no share of one"
        )
    return value


def decimal(text: str) -> Decimal | None:
    """An amount; None where the text is none."""
    scale = 1000 if text.endswith("k") else 1
    try:
        value = Decimal(text.removesuffix("k"))
    except InvalidOperation:
        return None
    return value * scale if value.is_finite() else None


def plain(value: float | Decimal) -> str:
    """A number without exponent and trailing zeros.

    >>> plain(0.9), plain(Decimal("500")), plain(64)
    ('0.9', '500', '64')
    """
    return f"{value:f}".rstrip("0").rstrip(".") if "." in f"{value:f}" else f"{value:f}"

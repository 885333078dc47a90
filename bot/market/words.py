"""Options of the market's commands: `hours=200`, `buy=1700`, `idle=30%`, `speed=3x`. The rest of a text is handed on.

`key value` is `key=value` where the value is a number; a $ may stand before an amount.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from engine.errors import ConflictingWords, ImpossibleValue
from engine.offers import Commitment
from engine.units import HOURS_A_MONTH

MOST_HOURS: Final = Decimal(10 * 12 * HOURS_A_MONTH)
MOST_USD: Final = Decimal(100_000_000)
MOST_USD_KWH: Final = Decimal(5)
MOST_TIMES: Final = Decimal(1000)
MOST_TOKENS: Final = Decimal(10**15)

ASKED_KINDS: Final[tuple[Commitment, ...]] = ("spot", "reserved", "serverless")
"""Kinds of offers that are never picked unless they are asked for."""

_SCALES: Final = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9, "bn": 10**9, "t": 10**12}
_AMOUNT: Final = re.compile(r"\$?(\d+(?:\.\d+)?|\.\d+)(k?)")
_TOKENS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(k|m|b|bn|t|million|billion)?\s*(?:tokens|tok)\b(?!/)", re.IGNORECASE)
_NUMBER_LIKE: Final = re.compile(r"\$?[\d.]+(?:[%xk]|h|kwh)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Option:
    """One option: how its value is read; its key may also be written otherwise."""

    key: str
    read: Callable[[str, str], Any]
    others: tuple[str, ...] = ()


def _number(value: str, shown: str, allowed: str) -> Decimal:
    found = _AMOUNT.fullmatch(value.lower().replace(",", ""))
    if not found:
        raise ImpossibleValue(shown, allowed=allowed, reason="not a number")
    return Decimal(found[1]) * _SCALES[found[2]]


def _between(low: Decimal, high: Decimal, allowed: str) -> Callable[[str, str], Decimal]:
    def read(value: str, shown: str) -> Decimal:
        number = _number(value, shown, allowed)
        if not low <= number <= high:
            raise ImpossibleValue(shown, allowed=allowed, reason="too small" if number < low else "too large")
        return number

    return read


def _hours(value: str, shown: str) -> Decimal:
    allowed = "a number of hours up to ten years, such as hours=200"
    hours = _number(value.removesuffix("h"), shown, allowed)
    if not 0 < hours <= MOST_HOURS:
        raise ImpossibleValue(shown, allowed=allowed, reason="no such time")
    return hours


def _months(value: str, shown: str) -> Decimal:
    allowed = "a number of months up to ten years, such as months=3"
    hours = _number(value, shown, allowed) * HOURS_A_MONTH
    if not 0 < hours <= MOST_HOURS:
        raise ImpossibleValue(shown, allowed=allowed, reason="no such time")
    return hours


def _share(allowed: str, *, with_zero: bool, with_one: bool) -> Callable[[str, str], Decimal]:
    def read(value: str, shown: str) -> Decimal:
        share = _number(value.removesuffix("%"), shown, allowed) / (100 if value.endswith("%") else 1)
        if not (0 <= share <= 1 and (with_zero or share > 0) and (with_one or share < 1)):
            raise ImpossibleValue(shown, allowed=allowed, reason="not a share of one")
        return share

    return read


def _times(value: str, shown: str) -> tuple[Decimal, ...]:
    """`3x`: the last set is three times as fast as the first; `1,3,2`: each set's own."""
    allowed = "how many times as fast, such as speed=3x, or one figure a set, such as speed=1,3,2"
    figures = tuple(_number(part.removesuffix("x"), shown, allowed) for part in value.lower().split(","))
    if not all(0 < figure <= MOST_TIMES for figure in figures):
        raise ImpossibleValue(shown, allowed=allowed, reason="no such speed")
    return figures


def _queries(value: str, shown: str) -> tuple[int, ...]:
    """Numbers of queries whose measured runs are compared."""
    parts = [part.removeprefix("#") for part in value.split(",")]
    if not all(part.isdecimal() and len(part) <= 18 for part in parts):
        raise ImpossibleValue(
            shown, allowed="numbers of the log, one a set, such as measured=17,12", reason="no numbers"
        )
    return tuple(map(int, parts))


def _usd(value: str, shown: str) -> Decimal:
    return _between(Decimal("0.01"), MOST_USD, "an amount in US dollars, such as buy=1700")(value, shown)


def _usd_or_none(value: str, shown: str) -> Decimal:
    plain = value.lower().removesuffix("/mo")
    return _between(Decimal(0), MOST_USD, "US dollars a month for data going out, such as egress=50")(plain, shown)


HOURS: Final = Option("hours", _hours, ("hrs", "hour"))
MONTHS: Final = Option("months", _months, ("month",))
BUY: Final = Option("buy", _usd, ("purchase", "bought"))
KWH: Final = Option(
    "kwh",
    _between(Decimal(0), MOST_USD_KWH, "the price of a kilowatt-hour in US dollars, such as kwh=0.12"),
    ("electricity",),
)
IDLE: Final = Option("idle", _share("a share of the time, such as idle=30%", with_zero=True, with_one=False))
EGRESS: Final = Option("egress", _usd_or_none)
SHARE: Final = Option("share", _share("a share of the ceiling, such as share=0.6", with_zero=False, with_one=True))
SPEED: Final = Option("speed", _times)
MEASURED: Final = Option("measured", _queries)


@dataclass(frozen=True, slots=True)
class Taken:
    """The options of a text, how they are written, and what is left of it."""

    values: Mapping[str, Any]
    written: str
    rest: str


def take(text: str, known: tuple[Option, ...]) -> Taken:
    """Takes the known options out of a text (normalised).

    Raises:
        ImpossibleValue: an option does not take the value.
        ConflictingWords: one option twice with different values.

    >>> take("13b qlora hours=200 buy 1700 4090", (HOURS, BUY)).rest
    '13b qlora 4090'
    """
    by_key = {key: option for option in known for key in (option.key, *option.others)}
    values: dict[str, Any] = {}
    rest: list[str] = []
    written: list[str] = []
    words = text.split()
    while words:
        word = words.pop(0)
        key, equals, value = word.partition("=")
        option = by_key.get(key.lower())
        if option and not equals and words and _NUMBER_LIKE.fullmatch(words[0]):
            value, equals = words.pop(0), "="
        if not option or not equals:
            rest.append(word)
            continue
        read = option.read(value, f"{key}={value}")
        if values.setdefault(option.key, read) != read:
            raise ConflictingWords(f"{option.key} twice", allowed="one of them", reason="they do not agree")
        written.append(f"{option.key}={value}")
    return Taken(values, " ".join(written), " ".join(rest))


def take_tokens(text: str) -> tuple[Decimal | None, str]:
    """How many tokens a text asks the price of, and the rest of it: `10M tokens`; M is a million.

    >>> take_tokens("10M tokens 70b int4")
    (Decimal('10000000'), '70b int4')
    """
    found = _TOKENS.search(text)
    if not found:
        return None, text
    scale = (found[2] or "").lower().removesuffix("illion")
    try:
        count = Decimal(found[1]) * _SCALES[scale]
    except InvalidOperation:
        return None, text
    if not 0 < count <= MOST_TOKENS:
        raise ImpossibleValue(found[0], allowed="a number of tokens, such as 10M tokens", reason="no such number")
    return count, " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())


def take_commitment(text: str) -> tuple[Commitment, str]:
    """The kind of offers that a text asks for, on-demand where it asks for none, and the rest of it.

    >>> take_commitment("13b lora spot a100-80")
    ('spot', '13b lora a100-80')
    """
    words = text.split()
    asked: list[Commitment] = [kind for kind in ASKED_KINDS if kind in map(str.lower, words)]
    if len(asked) > 1:
        raise ConflictingWords(" ".join(asked), allowed="one kind of price", reason="these are different kinds")
    return (asked or ["on-demand"])[0], " ".join(word for word in words if word.lower() not in asked)

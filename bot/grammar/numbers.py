"""Numbers that stand beside the word they count, and contexts that stand alone: `4096 tokens`, `50 users`, `32k`."""

import re
from typing import Final

from bot.grammar.options import Option, option_piece, options
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import is_number, number, whole
from bot.grammar.words import BATCH_UNITS, CONTEXT_UNITS, COUNT_UNITS, RATE_UNITS, USER_UNITS
from engine import gpus
from engine.errors import ImpossibleValue
from engine.units import TOKENS_A_K

_CONTEXT: Final = re.compile(r"-?\d+(?:\.\d+)?[km]\+?")
_REQUEST_RATES: Final = frozenset({"req/s", "rps", "qps", "requests/s", "req/sec", "requests/sec"})
LEAST_LONE_CONTEXT: Final = 256
"""A number from here on before `ctx` is the context itself, whatever number stands behind."""

_BETWEEN: Final = frozenset({"concurrent", "parallel", "simultaneous", "live", "active", "max", "total"})
_GLUED: Final = re.compile(r"(tp|bs|mbs|batch|ctx|seq|rank)-?(\d+k?)")


def counted_at(words: list[Word], start: int) -> Hit | None:
    """A number and what it counts.

    Raises:
        ImpossibleValue: more or fewer than there can be, or a rate where a number at once is needed.
    """
    text = words[start].text
    if len(words) <= start + 1 or (value := number(text)) is None:
        return None
    between = 1 if words[start + 1].text in _BETWEEN and len(words) > start + 2 else 0
    unit = words[start + 1 + between].text
    if between and unit not in USER_UNITS:
        between, unit = 0, words[start + 1].text
    count = 2 + between
    shown = given(words, start, count)
    if gpus.find(text):
        return None
    if option := _counted_by(unit, text, words, start + count):
        return Hit(count, (option_piece(option, text, shown),))
    if unit in _REQUEST_RATES:
        raise ImpossibleValue(
            shown, allowed="how many run at once, such as users=20", reason="a rate says nothing of memory"
        )
    if unit in RATE_UNITS:
        return Hit(count, (Piece("nothing", None, shown, ""),))
    if unit in COUNT_UNITS and value == int(value):
        how_many = whole(text, given=shown, low=1, high=10_000, example="2x3090")
        return Hit(count, (Piece("count", how_many, shown, ""),))
    return None


def _counted_by(unit: str, text: str, words: list[Word], end: int) -> Option | None:
    """The option that a number with this unit sets; None where the unit is the key of the number behind it.

    `100 users 2k ctx` counts users, `8k users 20` does not.
    """
    is_key = end < len(words) and is_number(words[end].text)
    looks_like_context = bool(_CONTEXT.fullmatch(text)) or (text.isdecimal() and int(text[:9]) >= LEAST_LONE_CONTEXT)
    if unit in CONTEXT_UNITS and (looks_like_context or not is_key):
        return options()["ctx"]
    if unit in USER_UNITS and not (looks_like_context and is_key):
        return options()["users"]
    return options()["batch"] if unit in BATCH_UNITS and not is_key else None


def glued_at(words: list[Word], start: int) -> Hit | None:
    """`tp8`, `bs4`, `ctx8k`: a key grown onto its number."""
    found = _GLUED.fullmatch(words[start].text)
    return Hit(1, (option_piece(options()[found[1]], found[2], words[start].typed),)) if found else None


def context_at(words: list[Word], start: int) -> Hit | None:
    """A context that stands alone: a number with k or M, or whole thousands of 1,024.

    Raises:
        ImpossibleValue: no context is so long or so short.
    """
    text = words[start].text
    is_context = _CONTEXT.fullmatch(text) or (
        text.isdecimal() and int(text) >= TOKENS_A_K and int(text) % TOKENS_A_K == 0
    )
    if not is_context or len(text) > 20:
        return None
    piece = option_piece(options()["ctx"], text, words[start].typed)
    return Hit(1, (Piece(piece.role, piece.value, piece.given, piece.written, weak=True),))

"""Numbers that stand beside the word they count, and contexts that stand alone: `4096 tokens`, `50 users`, `32k`."""

import re
from math import isinf
from typing import Final

from bot.grammar.options import Option, option_piece, options
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import is_number, number, whole
from bot.grammar.words import BATCH_UNITS, CONTEXT_UNITS, COUNT_UNITS, RATE_UNITS, USER_ADJECTIVES, USER_UNITS, word_set
from engine import gpus
from engine.errors import ImpossibleValue
from engine.units import TOKENS_A_K

_CONTEXT: Final = re.compile(r"-?\d+(?:\.\d+)?[km]\+?")
_REQUEST_RATES: Final = frozenset({"req/s", "rps", "qps", "requests/s", "req/sec", "requests/sec"})
LEAST_LONE_CONTEXT: Final = 256
"""A number from here on before `ctx` is the context itself, whatever number stands behind."""

_PROMPT: Final = frozenset({"in", "input", "prompt"})
_OUTPUT: Final = frozenset({"out", "output"})
_WISHED: Final = "not weighed, the ceiling says what is possible"
_PER: Final = frozenset({"per", "a", "an", "each", "every", "/"})
_TIMES: Final = word_set(
    "s sec secs second seconds min minute minutes h hr hrs hour hours d day days week month months mo year"
)
_GLUED: Final = re.compile(r"(tp|bs|mbs|batch|ctx|seq|rank)-?(\d+k?)")


def counted_at(words: list[Word], start: int) -> Hit | None:
    """A number and what it counts.

    Raises:
        ImpossibleValue: more or fewer than there can be, or a rate where a number at once is needed.
    """
    text = words[start].text
    if len(words) <= start + 1 or (value := number(text)) is None:
        return None
    between = 1 if words[start + 1].text in USER_ADJECTIVES and len(words) > start + 2 else 0
    unit = words[start + 1 + between].text
    if between and unit not in USER_UNITS:
        between, unit = 0, words[start + 1].text
    count = 2 + between
    shown = given(words, start, count)
    if gpus.find(text) and unit not in CONTEXT_UNITS:
        return None
    if rate := _rate(words, start, count):
        return rate
    if option := _counted_by(unit, text, words, start + count):
        return Hit(count, (option_piece(option, text, shown),))
    if unit in COUNT_UNITS and (isinf(value) or value.is_integer()):
        how_many = whole(text, given=shown, low=1, high=10_000, example="2x3090")
        return Hit(count, (Piece("count", how_many, shown, ""),))
    return None


def _rate(words: list[Word], start: int, count: int) -> Hit | None:
    """`50 tok/s`, `1M tokens per day`: how fast, which takes no memory and which nothing is picked by.

    Raises:
        ImpossibleValue: of requests, where how many run at once is meant.
    """
    unit = words[start + count - 1].text
    behind = [word.text for word in words[start + count : start + count + 2]]
    each = 2 if len(behind) > 1 and behind[0] in _PER and behind[1] in _TIMES else 0
    if not each and behind and behind[0].startswith("/") and behind[0][1:] in _TIMES:
        each = 1
    counted, slash, time = unit.partition("/")
    is_rate = bool(each) or unit in RATE_UNITS or (slash and time in _TIMES)
    shown = given(words, start, count + each)
    if unit in _REQUEST_RATES or (is_rate and counted in {*USER_UNITS, "req", "reqs"}):
        raise ImpossibleValue(
            shown, allowed="how many run at once, such as users=20", reason="a rate says nothing of memory"
        )
    if not is_rate or (unit not in RATE_UNITS and counted not in {*CONTEXT_UNITS, "t"}):
        return None
    per = [word.text for word in words[start + count + each : start + count + each + 2]]
    if len(per) > 1 and per[0] in _PER and per[1] in USER_UNITS:
        each += 2
        shown = given(words, start, count + each)
    return Hit(count + each, (Piece("noted", _WISHED, shown, shown),))


def _counted_by(unit: str, text: str, words: list[Word], end: int) -> Option | None:
    """The option that a number with this unit sets; None where the unit is the key of the number behind it.

    `100 users 2k ctx` counts users, `8k users 20` does not.
    """
    end += end + 1 < len(words) and unit in _PROMPT and words[end].text == "and"
    is_key = end < len(words) and is_number(words[end].text)
    if unit in _PROMPT and is_key and len(words) > end + 1 and words[end + 1].text in _OUTPUT:
        return options()["in"]
    if unit in _OUTPUT and _follows_prompt(words, end):
        return options()["out"]
    looks_like_context = bool(_CONTEXT.fullmatch(text)) or (text.isdecimal() and int(text[:9]) >= LEAST_LONE_CONTEXT)
    if unit in CONTEXT_UNITS and (looks_like_context or not is_key):
        return options()["ctx"]
    if unit in USER_UNITS and not (looks_like_context and is_key):
        return options()["users"]
    return options()["batch"] if unit in BATCH_UNITS and not is_key else None


def _follows_prompt(words: list[Word], end: int) -> bool:
    """Whether a number before `out` closes `2k in 500 out`."""
    before = [word.text for word in words[max(0, end - 5) : end - 2] if word.text != "and"][-2:]
    return before[1:] != [] and before[1] in _PROMPT and is_number(before[0])


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

"""Several numbers where one is meant: `2 or 4 3090` are two sets, `ctx 4k to 8k` does not say which."""

from collections.abc import Callable
from typing import Final

from bot.grammar.gpu_sets import gpu_at
from bot.grammar.host_memory import host_words
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import is_number
from bot.grammar.words import AND_WORDS, BATCH_UNITS, CONTEXT_UNITS, OR_WORDS, USER_UNITS
from engine import gpus
from engine.errors import ImpossibleValue

_TO: Final = frozenset({"to", "till", "until", "-", "~"})
_MOST_COUNT_DIGITS: Final = 3
_COUNTED_UNITS: Final = CONTEXT_UNITS | USER_UNITS | BATCH_UNITS
_COUNTING: Final = ("ctx", "batch", "users", "in", "out", "count", "tuning.", "options.", "limits.max_gpus")


def counts_at(words: list[Word], start: int) -> Hit | None:
    """`2 or 4 3090`: the same GPU in several counts, each a set of its own.

    Raises:
        EngineError: as for one of these sets.
    """
    place, counts = start, list[Word]()
    while place + 2 < len(words) and _is_count(words[place].text) and words[place + 1].text in OR_WORDS:
        counts.append(words[place])
        place += 2
    last = gpu_at(words, place) if counts and _is_count(words[place].text) else None
    if not last or len(last.pieces) > 1:
        return None
    end = place + last.taken
    if host_words([word.text for word in words[end : end + 3]]):
        return None
    taken = end - start
    pieces: list[Piece] = []
    for count in counts:
        one = gpu_at([count, *words[place + 1 : place + last.taken]], 0)
        pieces += [*(one.pieces if one else ()), Piece("or", None, "or", "or")]
    return Hit(taken, (*pieces, *last.pieces))


def _is_count(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= _MOST_COUNT_DIGITS


def refuse_range(
    words: list[Word], start: int, hit: Hit | None, understood: Callable[[list[Word], int], Hit | None]
) -> None:
    """Refuses a number with `to` or `or` and another number behind it: `batch 4 or 8`, `4 or 8 users`.

    Args:
        words: all words.
        start: where the first number, or its key, stands.
        hit: what was understood from there; None where the number alone means nothing.
        understood: what the words from a place mean, None where nothing.

    Raises:
        ImpossibleValue: the two numbers are meant for one value.
    """
    end = start + (hit.taken if hit else 1)
    between = start > 0 and words[start - 1].text == "between"
    joining = _TO | OR_WORDS | (AND_WORDS if between else frozenset())
    if end + 1 >= len(words) or words[end].text not in joining or not is_number(words[end + 1].text):
        return
    first = _counted(hit) if hit else is_number(words[start].text)
    if not first or gpus.find(words[end + 1].text):
        return
    second = understood(words, end + 1)
    if hit and second and any(piece.role == "gpu" for piece in second.pieces):
        return
    if hit or (second and (_counted(second) or any(piece.role == "gpu" for piece in second.pieces))):
        shown = given(words, start, end - start + 1 + (second.taken if second else 1))
        raise ImpossibleValue(
            shown,
            allowed="one of the two; the larger number needs the most memory",
            reason="these are two values where one is needed",
        )


def refuse_parted(words: list[Word], start: int) -> None:
    """Refuses a number whose half would be lost: of `16 384 tokens` the first, of `2 or more 3090` the count.

    Raises:
        ImpossibleValue: the word begins such a number.
    """
    if _is_count(words[start].text) and start + 3 < len(words) and gpu_at(words, start + 3):
        said = tuple(word.text for word in words[start + 1 : start + 3])
        if said in {("or", "more"), ("or", "fewer"), ("or", "less")}:
            shown = given(words, start, 4)
            raise ImpossibleValue(
                shown,
                allowed=f"a count, such as {words[start].text}x{words[start + 3].text}",
                reason="how many is open",
            )
    first, second, unit = ([word.text for word in words[start : start + 3]] + [""] * 2)[:3]
    if _is_count(first) and _is_count(second) and unit in _COUNTED_UNITS:
        raise ImpossibleValue(
            given(words, start, 3),
            allowed=f"the number in one word, such as {first}{second}",
            reason="it is not plain whether this is one number or two",
        )


def _counted(hit: Hit) -> bool:
    return any(piece.role.startswith(_COUNTING) for piece in hit.pieces)

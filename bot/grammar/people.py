"""How many are served at once, in words: `a team of 30`, `16 at once`, `15 of us`, `2 dozen users`."""

from typing import Final

from bot.grammar.options import option_piece, options
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import NUMBER_WORDS
from bot.grammar.words import USER_UNITS, word_set

_GROUPS: Final = word_set(
    "team group department company class office startup staff org organisation organization crew lab household"
)
_AT_ONCE: Final = (("at", "once"), ("at", "the", "same", "time"), ("in", "parallel"), ("simultaneously",), ("of", "us"))
_CALLS: Final = word_set("prompt prompts query queries question questions call calls job jobs")
_MANY: Final = word_set("dozens hundreds thousands millions")
_DOZEN: Final = 12
HOW_MANY: Final = "not counted, say how many at once (users=)"


def people_at(words: list[Word], start: int) -> Hit | None:
    """The users that the words from `start` count, or that they leave uncounted."""
    texts = [word.text for word in words[start : start + 6]]
    if texts[0] in _GROUPS and texts[1:2] == ["of"] and len(texts) > 2 and (count := _count(texts[2])):
        return _users(words, start, 3, count)
    if texts[0] in _MANY and texts[1:2] == ["of"] and len(texts) > 2 and texts[2] in USER_UNITS:
        shown = given(words, start, 3)
        return Hit(3, (Piece("noted", HOW_MANY, shown, shown),))
    taken, count = _dozens(texts)
    if taken:
        return _users(words, start, taken, count)
    count = _count(texts[0])
    skipped = 2 if texts[1:2] and texts[1] in _CALLS else 1
    for phrase in _AT_ONCE if count else ():
        if tuple(texts[skipped : skipped + len(phrase)]) == phrase:
            return _users(words, start, skipped + len(phrase), count)
    return None


def _dozens(texts: list[str]) -> tuple[int, int]:
    """Words and number of `a dozen developers`, `2 dozen users`."""
    times, place = (1, 0) if texts[0] == "dozen" else (_count(texts[0]), 1)
    if not times or texts[place : place + 1] != ["dozen"] or texts[place + 1 : place + 2] == []:
        return 0, 0
    return (place + 2, times * _DOZEN) if texts[place + 1] in USER_UNITS else (0, 0)


def _count(text: str) -> int:
    return NUMBER_WORDS.get(text) or (int(text) if text.isdecimal() and text.isascii() and len(text) < 7 else 0)


def _users(words: list[Word], start: int, taken: int, count: int) -> Hit:
    return Hit(taken, (option_piece(options()["users"], str(count), given(words, start, taken)),))

"""Sentences that take something away: `without lora`, `anything except a 3090`, `I don't want a 4090`.

What is excluded cannot be said in a question, and dropping the word that excludes it would answer the opposite. So a
word of the grammar behind such a word is refused. `can't`, `doesn't`, `won't` ask whether something fits, and exclude
nothing.
"""

from collections.abc import Callable
from typing import Final

from bot.grammar.limits import limit_at, most_gpus_at
from bot.grammar.phrases import phrase_at
from bot.grammar.pieces import Hit, Word, given
from bot.grammar.words import word_set
from engine.errors import ConflictingWords

_TAKES_AWAY: Final = word_set(
    """
    without except excepting excluding exclude minus w/o besides avoid avoiding skip not no don't dont never nor neither
    """
)
_TWO_WORDS: Final = frozenset(
    {("other", "than"), ("rather", "than"), ("instead", "of"), ("apart", "from"), ("anything", "but"), ("do", "not")}
)
_BETWEEN: Final = word_set(
    """
    a an the any my our on with using use for in as to want wanna need have like have got rent buy own do be it via
    or and of at
    """
)
_SAID: Final = word_set("gpu workload weight engine kv peft cuda")
"""Roles of what is excluded; options and limits beside them."""

MOST_BETWEEN: Final = 4


def refuse_negated(words: list[Word], start: int, understood: Callable[[list[Word], int], Hit | None]) -> None:
    """Refuses a known word behind one that takes it away.

    Args:
        words: the sentence.
        start: where the word that takes away may stand.
        understood: what the words from a place mean, None where nothing.

    Raises:
        ConflictingWords: it takes a known word away.
    """
    taken = _takes_away(words, start)
    if not taken or phrase_at(words, start, least=2) or limit_at(words, start) or most_gpus_at(words, start):
        return
    place = start + taken
    last = min(len(words), place + MOST_BETWEEN + 1)
    while place < last:
        hit = understood(words, place)
        if hit and any(_is_said(piece.role) for piece in hit.pieces):
            raise ConflictingWords(
                given(words, start, place + hit.taken - start),
                allowed="what is meant, without what is not: leave both words out",
                reason="what a question leaves out cannot be said",
            )
        if words[place].text not in _BETWEEN:
            return
        place += 1


def _is_said(role: str) -> bool:
    return role in _SAID or role.startswith(("tuning.", "options."))


def _takes_away(words: list[Word], start: int) -> int:
    """How many words take something away."""
    if words[start].text in _TAKES_AWAY:
        return 1
    return 2 if tuple(word.text for word in words[start : start + 2]) in _TWO_WORDS else 0

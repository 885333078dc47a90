"""What a text asks `advise` for: a budget, words of the guides, a question of the grammar. Other words are refused.

A word of the guides is handed to the grammar only where it means something there too (`lora`, `70b`, `batch 4`); what
the grammar takes from a text without a model (`int4`) has to be a word of the guides, for else it would count nowhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.grammar import MOST_CHARACTERS, nearest, normalise
from bot.grammar.format_words import FormatWord
from bot.grammar.limits import most_gpus_at
from bot.grammar.parse import pieces_of
from bot.grammar.pieces import MOST_CACHED, Word
from bot.grammar.tokens import words_of
from bot.market.asked import Asked, asked
from bot.market.spending import Budget, take_budget
from engine.advice import finds_a_row, known_words, only_joins
from engine.errors import EngineError, QuestionTooLong, UnknownGpu, UnknownModel, UnknownWord
from engine.offers import Catalog

EXAMPLES: Final = 'a task, a person or a budget, as in advise LoRA on 13B, advise "many tenants" or advise 500/mo'
MOST_NEAR: Final = 3
LEAST_LIKE: Final = 76.0
"""Of 100: more than of the grammar's words, for the guides' are everyday ones and near to many names."""

_RANGE: Final = re.compile(r"\d+b?-\d+b?")
"""`7b-13b`, `3000-10000`: words of a row, no model and no number."""
_FINE_TUNING: Final = re.compile(r"\bfine\s+(?=tun(?:e|ing)\b)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d[\d.]*k?")
_MEANS_NOTHING: Final = frozenset({"filler", "stray", "family", "nothing"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of the guides.

    Attributes:
        guides: the words that the guides know, as typed.
        asked: the question and the sets that stand in the text.
        asked_words: the words that it was read from.
        budget: what may be spent; None where nothing is said of it.
    """

    guides: tuple[str, ...]
    asked: Asked
    asked_words: str
    budget: Budget | None


def wanted(text: str, catalog: Catalog, *, mention: bool) -> Wanted:
    """What a text asks for.

    Args:
        text: without the command's own word.
        catalog: whose GPUs stand beside those of a name that it does not rent.
        mention: a sentence, whose filler words do not count.

    Raises:
        EngineError: a word is unknown, or a value cannot be.
    """
    plain = _FINE_TUNING.sub("fine-", normalise(text))
    if len(plain) > MOST_CHARACTERS:
        raise QuestionTooLong(f"{len(plain):,} characters", allowed=f"at most {MOST_CHARACTERS} characters")
    budget, words = take_budget(words_of(plain))
    kept = [word for place, word in enumerate(words) if not _is_of_the_guides_alone(words, place)]
    said = " ".join(word.typed for word in kept)
    try:
        _refuse_strays(kept, mention=mention)
        found = asked(said, catalog, mention=mention)
    except (UnknownGpu, UnknownModel, UnknownWord) as error:
        raise _with_near(error) from error
    if found.loose and not all(finds_a_row(word.text) for word in words_of(found.loose)):
        raise _lone_number(found.loose) or UnknownWord(
            found.loose,
            reason="it says something only of a model, and none is named",
            allowed="a model with it, as in advise 13b lora int4",
        )
    guides = tuple(word.typed for word in words if finds_a_row(word.text))
    return Wanted(guides, found, said, budget)


def _is_of_the_guides_alone(words: Sequence[Word], place: int) -> bool:
    text = words[place].text
    if not (finds_a_row(text) or only_joins(text)):
        return False
    after = words[place + 1].text if len(words) > place + 1 else ""
    is_key = after[:1].isdecimal() and not (_RANGE.fullmatch(after) or _means(after))
    return bool(_RANGE.fullmatch(text)) or not (is_key or _means(text) or most_gpus_at(list(words), place))


@lru_cache(maxsize=MOST_CACHED)
def _means(text: str) -> bool:
    """Whether a word alone means something in a question."""
    try:
        pieces = pieces_of([Word(text, text)], mention=True)
    except EngineError:
        return False
    # `quantised` means nothing without the format beside it, and much in the guides
    named = [piece for piece in pieces if not (isinstance(piece.value, FormatWord) and piece.value.alone is None)]
    return any(piece.role not in _MEANS_NOTHING for piece in named)


def _refuse_strays(words: list[Word], *, mention: bool) -> None:
    """Refuses what a sentence about a model may have and is neither filler nor known."""
    if not mention or not words:
        return
    stray = next((piece for piece in pieces_of(words, mention=True) if piece.role == "stray"), None)
    if stray is not None:
        raise UnknownWord(stray.given, allowed=EXAMPLES)


def _with_near(error: EngineError) -> EngineError:
    """A refusal of a word, with the words of the guides that are near it."""
    if number := _lone_number(error.given):
        return number
    near = nearest(error.given.lower(), known_words(), least=LEAST_LIKE)
    if error.reason or not (near or isinstance(error, UnknownWord)):
        return error
    both = tuple(dict.fromkeys((*near, *error.near)))[:MOST_NEAR]
    return UnknownWord(error.given, near=both, allowed=EXAMPLES)


def _lone_number(given: str) -> UnknownWord | None:
    """The refusal of a number that may be a budget as well as anything else."""
    if not _NUMBER.fullmatch(given):
        return None
    return UnknownWord(
        given,
        reason="a number alone does not say what it counts",
        allowed=f"{given} usd as a budget, {given}/mo as one a month, or what it counts beside it, as in users=8",
    )

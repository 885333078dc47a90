"""Models in a text: bare sizes, and names of one or several words.

    13b   0.5b   8x7b   llama-3.1-8b   llama 3 70b   qwen2.5 32B instruct   meta-llama/Llama-3.1-8B-Instruct

A size counts as a whole word alone and from 0.05 to 5,000 billion parameters: `qwen1.5_7b`, `sha-c67a8061bbd` and
`xx7bzz` hold no bare size. A name whose family is known but whose size is not is refused as a whole.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from bot.grammar import gpu_names
from bot.grammar.format_words import FormatWord, format_word
from bot.grammar.model_parts import completed, sized_part
from bot.grammar.near import near_models
from bot.grammar.options import options
from bot.grammar.phrases import phrase_at
from bot.grammar.pieces import MOST_CACHED, Hit, Piece, Word, given
from bot.grammar.sentence import filler
from bot.grammar.words import ENGINE_WORDS, SPOKEN_MODELS, WORKLOAD_WORDS, word_set
from engine import models
from engine.errors import ImpossibleValue, UnknownModel
from engine.model_names import says_gguf
from engine.models import Found

SMALLEST_B: Final = 0.05
LARGEST_B: Final = 5_000.0
LONGEST_NAME: Final = 6
SAME_SIZE: Final = 0.12
"""A size this near to a model's own only repeats it: names round up to this far."""

_BARE: Final = re.compile(r"(\d+(?:\.\d+)?|\.\d+)-?(?:b|bn)(?:-(?:instruct|chat|base|it|hf))?")
_TUNED: Final = word_set("instruct chat base")
"""Words that say how a model was tuned: a bare size drops them as a name does."""

_SIZE_PART: Final = re.compile(r"e?\d+(?:\.\d+)?[bm](?:-a\d+(?:\.\d+)?b)?|\d+x\d+b|\d+b-\d+e|a\d+b")
_EXPERTS: Final = re.compile(r"\d+b-\d+e")
_OTHER_STARTS: Final = word_set("under below budget less at up no not cheaper within max for provider term dual pair")
_LETTERS: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class ModelWord:
    """A model as it was written: a bare size in billions, or the readings of a name."""

    found: Found | None
    params_b: float | None = None


@cache
def heads() -> frozenset[str]:
    """First words of models' names."""
    found: set[str] = set()
    for name in models.names():
        first = re.split(r"[\s:/_-]", name.lower())[0]
        found.add(first)
        if letters := _LETTERS.match(first):
            found.add(letters[0])
    found |= {name.split()[0] for name in SPOKEN_MODELS}
    return frozenset(head for head in found if len(head) > 1 and not head.isdecimal())


@lru_cache(maxsize=MOST_CACHED)
def find(name: str) -> Found:
    """The readings of a name, a format behind its last dash taken off."""
    if (found := models.find(SPOKEN_MODELS.get(name, name))).shapes:
        return found
    base, _, suffix = name.rpartition("-")
    known = format_word(suffix) if base else None
    if known and known.alone and (found := models.find(base)).shapes:
        return Found(found.shapes, found.ollama_tag, found.weight_format or known.alone)
    return Found((), ollama_tag=False, weight_format=None)


@lru_cache(maxsize=MOST_CACHED)
def may_begin_name(text: str) -> bool:
    """Whether a model's name may begin with this word."""
    if "/" in text or ":" in text:
        return True
    first = re.split(r"[_-]", text)[0]
    letters = _LETTERS.match(first)
    return first in heads() or bool(letters and len(letters[0]) > 2 and letters[0] in heads())


def is_size(text: str) -> bool:
    """Whether a word is a size as models carry it: `70b`, `e4b`, `8x7b`, `235b-a22b`."""
    return _SIZE_PART.fullmatch(text) is not None


def model_at(words: list[Word], start: int) -> Hit | None:
    """The model that the words from `start` name.

    Raises:
        ImpossibleValue: a bare size that no model has.
        UnknownModel: a known family in a size that it does not come in.
    """
    text = words[start].text
    if text[0].isdecimal() or text[0] == "." or is_size(text):
        return _size_before_name(words, start) or _sized(words, start)
    if not may_begin_name(text):
        return None
    longest = min(LONGEST_NAME, len(words) - start, _name_ends(words, start) - start)
    for length in range(longest, 0, -1):
        found = find(" ".join(word.text for word in words[start : start + length]))
        if found.shapes:
            return _named(found, words, start, length)
    for length in range(longest, 0, -1):
        shortened = completed(" ".join(word.text for word in words[start : start + length]))
        if shortened:
            return _named(shortened, words, start, length)
    return None


def _name_ends(words: list[Word], start: int) -> int:
    """Where a name must have ended: at an option, a format, a workload or an engine."""
    for place in range(start + 1, len(words)):
        text = words[place].text
        if "=" in text or text in WORKLOAD_WORDS or text in ENGINE_WORDS or format_word(text):
            return place
    return len(words)


def _named(found: Found, words: list[Word], start: int, length: int) -> Hit:
    after = start + length
    if after < len(words) and _EXPERTS.fullmatch(words[after].text) and all(shape.is_mixture for shape in found.shapes):
        return Hit(length + 1, _pieces(found, given(words, start, length + 1)))
    bare = _BARE.fullmatch(words[after].text) if after < len(words) else None
    if bare:
        if any(abs(shape.params_b / float(bare[1]) - 1) <= SAME_SIZE for shape in found.shapes):
            length += 1
        else:
            shown = given(words, start, length + 1)
            raise UnknownModel(shown, near=near_models(shown), reason="this model is not known in this size")
    return Hit(length, _pieces(found, given(words, start, length)))


def _pieces(found: Found, shown: str) -> tuple[Piece, ...]:
    one = found.shapes[0].id if len(found.shapes) == 1 and not found.ollama_tag else shown.lower()
    pieces = [Piece("model", ModelWord(found), shown, one)]
    if not found.weight_format and not found.ollama_tag and says_gguf(shown):
        # said inside the name, it counts as beside it
        pieces.append(Piece("weight", format_word("gguf"), shown, ""))
    if found.weight_format:
        fixed = FormatWord(found.weight_format, found.weight_format, frozenset({found.weight_format}))
        pieces.append(Piece("weight", fixed, found.weight_format, found.weight_format))
    return tuple(pieces)


def _size_before_name(words: list[Word], start: int) -> Hit | None:
    """`70b llama 3`, `e4b gemma 3n`: the size first."""
    if not is_size(words[start].text) or len(words) <= start + 1:
        return None
    after = words[start + 1].text
    if "=" in after or format_word(after) or phrase_at(words, start + 1) or not may_begin_name(after):
        return None
    size = words[start].text
    longest = min(LONGEST_NAME, len(words) - start - 1, _name_ends(words, start + 1) - start - 1)
    for length in range(longest, 0, -1):
        found = find(" ".join([*(word.text for word in words[start + 1 : start + 1 + length]), size]))
        if found.shapes:
            return Hit(length + 1, _pieces(found, given(words, start, length + 1)))
    return None


def _sized(words: list[Word], start: int) -> Hit | None:
    text, length = words[start].text, 1
    after = words[start + 1].text if len(words) > start + 1 else ""
    if after in {"b", "billion", "bn"} and text.replace(".", "", 1).isdecimal():
        text, length = f"{text}b", 2
    shown = given(words, start, length)
    found = find(text)
    if found.shapes:
        return Hit(length, _pieces(found, shown))
    bare = _BARE.fullmatch(text)
    if not bare:
        return None
    if _is_free(words, start + 1) and (part := sized_part(text, after)):
        return Hit(length + 1, _pieces(part, given(words, start, length + 1)))
    if after in _TUNED and length == 1:
        length += 1
    return Hit(length, (bare_piece(float(bare[1]), shown),))


def _is_free(words: list[Word], place: int) -> bool:
    """Whether nothing else of the grammar begins with the word there: then it may belong to a model's name."""
    if place >= len(words) or not (text := words[place].text).isalpha():
        return False
    known = text in options() or text in _OTHER_STARTS or format_word(text) or gpu_names.may_begin_name(text)
    return not known and not may_begin_name(text) and not phrase_at(words, place) and text not in filler()


def bare_piece(params_b: float, shown: str) -> Piece:
    """A bare size.

    Raises:
        ImpossibleValue: no model has so many or so few parameters.
    """
    if not SMALLEST_B <= params_b <= LARGEST_B:
        raise ImpossibleValue(
            shown,
            allowed=f"a size from {SMALLEST_B:g}b to {LARGEST_B:g}b, such as 13b",
            reason="no model is of this size",
        )
    return Piece("model", ModelWord(None, params_b), shown, f"{params_b:g}b")

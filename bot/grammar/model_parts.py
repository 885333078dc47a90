"""Names that people shorten: `qwen3-vl-235b`, `llama 4`, `scout 17b-16e`, `120b oss`.

A shortened name counts where it is the beginning (or, of two words and more, the end) of known names, and where these
are few: one is that model, several are a choice. A version is never added: `starcoder` is not starcoder2. Looked at
only after a name was not found, for it takes milliseconds.
"""

import re
from functools import cache, lru_cache
from typing import Final

from bot.grammar.pieces import MOST_CACHED
from bot.grammar.words import word_set
from engine import models
from engine.models import Found

MOST_READINGS: Final = 4

_PART: Final = re.compile(r"\d+(?:\.\d+)?(?:[bm]\b|x\d+b\b)?|[a-z]+")
_SEPARATOR: Final = re.compile(r"[\s:/_-]")
_VERSION: Final = re.compile(r"\d+(?:\.\d+)?")
_COMMON: Final = word_set(
    """
    stable command code seed meta gpt mini the sd llama llamas qwen gemma mistral deepseek granite yi base vision
    open gg
    """
)
"""Words of the language, and families of many models: one alone names none."""


def parts_of(name: str) -> tuple[str, ...]:
    """Words, versions and sizes of a name.

    >>> parts_of("Qwen3-VL-235B-A22B")
    ('qwen', '3', 'vl', '235b', 'a', '22b')
    """
    return tuple(_PART.findall(name.lower()))


@cache
def _known() -> dict[str, tuple[str, ...]]:
    """Ids by every beginning, and every end of two parts and more, of a known name."""
    found: dict[str, list[str]] = {}
    for name in models.names():
        shapes = models.find(name).shapes
        if len(shapes) != 1:
            continue
        parts = parts_of(name)
        pieces = {parts[:length] for length in range(1, len(parts)) if not _VERSION.fullmatch(parts[length])}
        pieces |= {parts[start:] for start in range(1, len(parts) - 1)}
        for piece in pieces:
            ids = found.setdefault(" ".join(piece), [])
            if shapes[0].id not in ids:
                ids.append(shapes[0].id)
    return {piece: tuple(ids) for piece, ids in found.items()}


@cache
def _ids_by_part() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name in models.names():
        shapes = models.find(name).shapes
        for part in set(parts_of(name)) | set(_SEPARATOR.split(name.lower())) if len(shapes) == 1 else ():
            ids = found.setdefault(part, [])
            if shapes[0].id not in ids:
                ids.append(shapes[0].id)
    return {part: tuple(ids) for part, ids in found.items()}


@lru_cache(maxsize=MOST_CACHED)
def completed(name: str) -> Found | None:
    """The few models that a shortened name may mean; None where it is too short or begins nothing."""
    parts = parts_of(name)
    if not parts or not parts[0].isalpha() or len("".join(parts)) != len(_SEPARATOR.sub("", name)):
        return None
    if len(parts) == 1 and (parts[0] in _COMMON or len(parts[0]) < 4):
        return None
    return _few(_known().get(" ".join(parts), ()))


@lru_cache(maxsize=MOST_CACHED)
def sized_part(size: str, word: str) -> Found | None:
    """The few models of a size whose names hold a word: `120b oss`."""
    if not word.isalpha() or len(word) < 2 or word in _COMMON:
        return None
    with_word = _ids_by_part().get(word, ())
    return _few(tuple(one for one in with_word if one in _ids_by_part().get(size, ())))


def ids_with(part: str) -> tuple[str, ...]:
    """Ids of models that hold a word of their name: `v3`."""
    return _ids_by_part().get(part, ())


def _few(ids: tuple[str, ...]) -> Found | None:
    return Found(tuple(models.shape(one) for one in ids)) if 0 < len(ids) <= MOST_READINGS else None

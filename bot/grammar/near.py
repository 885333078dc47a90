"""What was probably meant by a name that is not known: models and GPUs, each once."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from bot.grammar.model_parts import ids_with
from bot.grammar.suggest import LEAST_LIKE_NAME, nearest
from engine import gpus, models

SHOWN = 3
_LOOKED_AT = 12
LEAST_ALIKE: Final = 0.5
"""Of 1, how like a known family a word must be. Our choice: `lama` is like llama, `whisper` is not like mistral."""
_LETTERS: Final = re.compile(r"[a-z]{2,}")


def near_models(name: str) -> tuple[str, ...]:
    """Names of the models most like a name, nearest first."""
    bare = name.lower().rpartition("/")[2]
    with_part = ids_with(bare)[:SHOWN]
    like = nearest(bare, models.names(), _LOOKED_AT, least=LEAST_LIKE_NAME)
    alike = [one for one in like if _begins_alike(bare, one)]
    return _each_once((*with_part, *alike), lambda one: tuple(shape.id for shape in models.find(one).shapes))


def near_gpus(name: str) -> tuple[str, ...]:
    """Names of the GPUs most like a name, nearest first."""
    like = nearest(name.lower(), gpus.names(), _LOOKED_AT, least=LEAST_LIKE_NAME)
    return _each_once(like, lambda one: tuple(gpu.id for gpu in gpus.find(one)))


def _begins_alike(wanted: str, name: str) -> bool:
    """Whether the family of a name is like a word of what was wanted: `whisper-large-v3` is no mistral-large."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - as in suggest

    family = _LETTERS.findall(name)[0] if _LETTERS.search(name) else name
    words = _LETTERS.findall(wanted)
    return not words or any(
        family.startswith(word) or word.startswith(family) or OSA.normalized_similarity(word, family) >= LEAST_ALIKE
        for word in words
    )


def _each_once(names: Iterable[str], meaning: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    found: dict[tuple[str, ...], str] = {}
    for name in names:
        found.setdefault(meaning(name) or (name,), name)
    return tuple(found.values())[:SHOWN]

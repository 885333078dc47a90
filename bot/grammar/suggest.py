"""The nearest known words to one that is not known."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

LEAST_LIKE: Final = 60.0
"""Of 100: below this a suggestion reads as a joke (`hello` for `help`)."""

LEAST_LIKE_NAME: Final = 45.0
"""The same for names of models and GPUs, where something near is better than nothing."""


BEGINNING: Final = 90.0
"""A name that goes on where the word ends is nearly what was meant."""

SHORTEST_BEGINNING: Final = 3
_SEPARATORS: Final = str.maketrans("-_:/=", "     ")


def nearest(word: str, known: Iterable[str], limit: int = 3, *, least: float = LEAST_LIKE) -> tuple[str, ...]:
    """The known words most like `word`, nearest first; () where none is near.

    >>> nearest("lroa", ["lora", "qlora", "infer"])
    ('lora', 'qlora')
    """
    # a card needs no suggestion, and the process that prints one has no time to load this
    from rapidfuzz import fuzz, process  # noqa: PLC0415
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    names = tuple(known)
    spaced = _all_spaced(names)
    wanted = _spaced(word)
    likeness: dict[str, float] = {}
    for scorer, weight in ((OSA.normalized_similarity, 100.0), (fuzz.ratio, 0.9)):
        for _, score, place in process.extract(wanted, spaced, scorer=scorer, limit=None, score_cutoff=least / weight):
            likeness[names[place]] = max(likeness.get(names[place], 0.0), weight * score)
    if len(wanted) >= SHORTEST_BEGINNING:
        likeness |= {
            name: max(likeness.get(name, 0.0), BEGINNING)
            for name, candidate in zip(names, spaced, strict=True)
            if candidate.startswith(wanted)
        }
    return tuple(sorted(likeness, key=lambda name: -likeness[name])[:limit])


@lru_cache(maxsize=64)
def _all_spaced(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_spaced(name) for name in names)


def _spaced(name: str) -> str:
    """Spellings of one name alike: `llama-3.1:8b` and `llama 3.1 8b`."""
    return name.lower().translate(_SEPARATORS).strip()

"""The nearest known words to one that is not known."""

from collections.abc import Iterable
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
    from rapidfuzz import fuzz  # noqa: PLC0415
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    wanted = _spaced(word)
    likeness: dict[str, float] = {}
    for name in known:
        candidate = _spaced(name)
        likeness[name] = max(100 * OSA.normalized_similarity(wanted, candidate), 0.9 * fuzz.ratio(wanted, candidate))
        if len(wanted) >= SHORTEST_BEGINNING and candidate.startswith(wanted):
            likeness[name] = max(likeness[name], BEGINNING)
    return tuple(name for name in sorted(likeness, key=lambda one: -likeness[one]) if likeness[name] >= least)[:limit]


def _spaced(name: str) -> str:
    """Spellings of one name alike: `llama-3.1:8b` and `llama 3.1 8b`."""
    return name.lower().translate(_SEPARATORS).strip()

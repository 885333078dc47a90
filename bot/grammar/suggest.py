"""The nearest known words to one that is not known."""

from collections.abc import Iterable
from typing import Final

LEAST_LIKE: Final = 60.0
"""Of 100: below this a suggestion reads as a joke (`hello` for `help`)."""

LEAST_LIKE_NAME: Final = 45.0
"""The same for names of models and GPUs, where something near is better than nothing."""


def nearest(word: str, known: Iterable[str], limit: int = 3, *, least: float = LEAST_LIKE) -> tuple[str, ...]:
    """The known words most like `word`, nearest first; () where none is near.

    >>> nearest("lroa", ["lora", "qlora", "infer"])
    ('lora', 'qlora')
    """
    # a card needs no suggestion, and the process that prints one has no time to load this
    from rapidfuzz import fuzz  # noqa: PLC0415
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    wanted = word.lower()
    likeness = {
        name: max(100 * OSA.normalized_similarity(wanted, name), 0.9 * fuzz.ratio(wanted, name)) for name in known
    }
    return tuple(name for name in sorted(likeness, key=lambda one: -likeness[one]) if likeness[name] >= least)[:limit]

"""The nearest known words to one that is not known."""

from collections.abc import Iterable
from typing import Final

LEAST_LIKE: Final = 60.0
"""Of 100: below this a suggestion reads as a joke (`hello` for `help`)."""


def nearest(word: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The known words most like `word`, nearest first; () where none is near.

    >>> nearest("lroa", ["lora", "qlora", "infer"])
    ('lora', 'qlora')
    """
    # a card needs no suggestion, and the process that prints one has no time to load this
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    def likeness(a: str, b: str, *, score_cutoff: float = 0.0) -> float:
        del score_cutoff
        return max(100 * OSA.normalized_similarity(a, b), 0.9 * fuzz.ratio(a, b))

    found = process.extract(
        word, list(dict.fromkeys(known)), scorer=likeness, processor=utils.default_process, limit=limit
    )
    return tuple(name for name, score, _ in found if score >= LEAST_LIKE)

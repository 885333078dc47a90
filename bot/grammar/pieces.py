"""The parts a text is read into, before they are put together as a question."""

from dataclasses import dataclass
from typing import Final, NamedTuple

MOST_CACHED: Final = 4096
"""Look-ups of what people typed that are kept: a service that runs for months must not keep all."""


class Word(NamedTuple):
    """One word: as typed, for refusals, and in lower case without the punctuation around it.

    `after_pause` says that a comma, a bracket or the like stood before it.
    """

    typed: str
    text: str
    after_pause: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """What one or more words mean.

    Attributes:
        role: the part of the question: `model`, `workload`, `weight`, `gpu`, `ctx`, `tuning.rank`, …
        value: what was said of it; its type follows from the role.
        given: the words as typed.
        written: the same in the plainest words of the grammar; empty where it changes nothing.
        weak: in a sentence, gives way to a stronger piece of the same role.
    """

    role: str
    value: object
    given: str
    written: str
    weak: bool = False


class Hit(NamedTuple):
    """Words that a reader understood, from where it was asked to read."""

    taken: int
    pieces: tuple[Piece, ...]


def given(words: list[Word], start: int, count: int) -> str:
    return " ".join(word.typed for word in words[start : start + count])

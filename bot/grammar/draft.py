"""The question while it is put together: pieces by role, what is settled, what stays open, how it is written."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.grammar.pieces import Piece
from bot.grammar.reading import About


class Choice(NamedTuple):
    """One way to read a part of the question: its label, the words for it, and its value."""

    label: str
    written: str
    value: Any


class Axis(NamedTuple):
    """A part of the question, the pieces that say it, and every way to read these."""

    about: About
    pieces: list[Piece]
    choices: list[Choice]

    @property
    def is_open(self) -> bool:
        return len(self.choices) > 1


@dataclass
class Draft:
    """The question as far as it is known. `fixed` are fields of Question that every reading shares."""

    pieces: list[Piece]
    fixed: dict[str, Any] = field(default_factory=dict)
    _by_role: dict[str, list[Piece]] = field(default_factory=dict)
    _written: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for piece in self.pieces:
            self._by_role.setdefault(piece.role, []).append(piece)

    def add(self, piece: Piece, *, front: bool = False) -> None:
        """One more piece, which nobody typed or which says more than it did."""
        self.pieces.insert(0 if front else len(self.pieces), piece)
        self._by_role.setdefault(piece.role, []).append(piece)

    def of(self, *roles: str) -> list[Piece]:
        """The pieces of some roles."""
        if len(roles) == 1:
            return self._by_role.get(roles[0], [])
        return [piece for role in roles for piece in self._by_role.get(role, ())]

    @property
    def roles(self) -> list[str]:
        return list(self._by_role)

    def write(self, pieces: list[Piece], text: str) -> None:
        """All of these pieces together are written so, where the first of them stands."""
        for place, piece in enumerate(pieces):
            self._written[id(piece)] = "" if place else text

    def text(self) -> str:
        """The question in the plainest words of the grammar."""
        said = [(piece, text) for piece in self.pieces if (text := self._written.get(id(piece), piece.written))]
        return " ".join(
            text for place, (piece, text) in enumerate(said) if piece.role != "or" or _parts_sets(said, place)
        )


def _parts_sets(said: list[tuple[Piece, str]], place: int) -> bool:
    """Whether an `or` stands between two sets; elsewhere a sentence leaves it over."""
    return 0 < place < len(said) - 1 and said[place - 1][0].role == said[place + 1][0].role == "gpu"


def shown(pieces: list[Piece]) -> str:
    """Pieces as they were typed, for a refusal."""
    return ", ".join(dict.fromkeys(piece.given for piece in pieces))

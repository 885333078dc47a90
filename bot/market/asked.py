"""Text -> the sets that it names and the question beside them. Every reading of a GPU's name is a set, no choice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from bot.grammar import MOST_CHARACTERS, LabelledQuestion, Reading, normalise, read
from bot.grammar.parse import pieces_of
from bot.grammar.pieces import Piece
from bot.grammar.tokens import words_of
from engine.errors import ConflictingWords, ImpossibleValue, QuestionTooLong
from engine.gpus import Gpu, other_forms
from engine.offers import Catalog
from engine.question import GpuSet, Question

MOST_SETS: Final = 8
"""Two tables side by side of four; more fill no message of a chat."""

_OF_THE_SETS: Final = frozenset({"gpu", "count", "or", "and", "filler", "stray", "nothing"})
_OF_A_MODEL: Final = frozenset({"model", "family"})


@dataclass(frozen=True, slots=True)
class Asked:
    """Sets, and what is to run on them.

    Attributes:
        groups: the readings of each name that stands in the text.
        reading: of the words beside the sets; None where these name no model.
        loose: such words without a model, which then mean nothing.
    """

    groups: tuple[tuple[GpuSet, ...], ...]
    reading: Reading | None
    loose: str

    @property
    def sets(self) -> tuple[GpuSet, ...]:
        """Every reading of every name, each once."""
        return tuple(dict.fromkeys(one for group in self.groups for one in group))


def asked(text: str, catalog: Catalog, *, mention: bool = False) -> Asked:
    """What a text asks of which sets.

    Args:
        text: without the command's own words.
        catalog: its GPUs stand beside those of the same name and memory that it does not rent.
        mention: a sentence, whose filler words do not count.

    Raises:
        EngineError: a word is unknown, or a value cannot be.
    """
    plain = normalise(text)
    if len(plain) > MOST_CHARACTERS:
        raise QuestionTooLong(f"{len(plain):,} characters", allowed=f"at most {MOST_CHARACTERS} characters")
    words = words_of(plain)
    pieces = pieces_of(words, mention=mention) if words else []
    groups = tuple(_groups(pieces, catalog))
    beside = [piece for piece in pieces if piece.role not in _OF_THE_SETS]
    said = " ".join(dict.fromkeys(piece.given for piece in beside))
    has_model = any(piece.role in _OF_A_MODEL or piece.role.startswith("field.") for piece in beside)
    reading = read(said, mention=mention) if has_model else None
    found = Asked(groups, reading, "" if has_model else said)
    if len(found.sets) > MOST_SETS:
        raise ImpossibleValue(plain, allowed=f"at most {MOST_SETS} sets at once", reason=f"{len(found.sets)} sets")
    return found


def _groups(pieces: Sequence[Piece], catalog: Catalog) -> Iterator[tuple[GpuSet, ...]]:
    counts = {cast("int", piece.value) for piece in pieces if piece.role == "count"}
    if len(counts) > 1:
        shown = " ".join(piece.given for piece in pieces if piece.role == "count")
        raise ConflictingWords(shown, allowed="the GPU with its count, such as 2x3090", reason="several counts")
    for piece in pieces:
        if piece.role == "gpu":
            readings, own = cast("tuple[tuple[Gpu, ...], int | None]", piece.value)
            count = own or next(iter(counts), 1)
            yield tuple(GpuSet(gpu=one.id, count=count) for one in _readings(readings, catalog))


def _readings(readings: tuple[Gpu, ...], catalog: Catalog) -> Iterator[Gpu]:
    """The readings; where one is not rented, its other forms that are."""
    for one in readings:
        yield one
        if len(readings) > 1 and not catalog.counts(one.id):
            yield from (other for other in other_forms(one) if catalog.counts(other.id))


def with_sets(option: LabelledQuestion, sets: tuple[GpuSet, ...]) -> Question:
    """A reading's question about these sets."""
    return option.question.model_copy(update={"sets": sets})


def written(one: GpuSet) -> str:
    """A set as it is typed."""
    return one.gpu if one.count == 1 else f"{one.count}x{one.gpu}"

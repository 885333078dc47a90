"""A model by what it has and not by its name: `30b moe`, `256 experts`. Never guessed: those that fit are offered."""

import re
from typing import Final

from bot.grammar.pieces import Hit, Piece, Word, given
from engine.models import all_shapes
from engine.shape import Shape

MOST_OFFERED: Final = 6
"""Models to choose from. Our choice: more than these fill the screen of a phone."""

Feature = tuple[str, int]
"""A field of the shape and its value."""

_MIXTURE: Final = (("moe",), ("mixture", "of", "experts"), ("mixture-of-experts",))
_COUNTED: Final = {
    "expert": "num_experts",
    "experts": "num_experts",
    "heads": "num_attention_heads",
    "layers": "num_hidden_layers",
}
_BOTH: Final = re.compile(r"heads/(\d{1,5})")
"""`64 heads/256 experts`: the middle word."""


def described_at(words: list[Word], start: int) -> Hit | None:
    """What a model has: experts at all, so many experts, so many heads."""
    texts = tuple(word.text for word in words[start : start + 3])
    for phrase in _MIXTURE:
        if texts[: len(phrase)] == phrase:
            return Hit(len(phrase), (_piece(words, start, len(phrase), "is_mixture", 1),))
    if len(texts) == 1 or not re.fullmatch(r"[0-9]{1,5}", texts[0]):
        return None
    both = _BOTH.fullmatch(texts[1])
    if both and texts[2:] and texts[2] in {"expert", "experts"}:
        heads = _piece(words, start, 3, "num_attention_heads", int(texts[0]))
        return Hit(3, (heads, Piece("described", ("num_experts", int(both[1])), "", "")))
    field = _COUNTED.get(texts[1])
    return Hit(2, (_piece(words, start, 2, field, int(texts[0])),)) if field else None


def _piece(words: list[Word], start: int, taken: int, field: str, value: int) -> Piece:
    shown = given(words, start, taken)
    return Piece("described", (field, value), shown, "")


def has(shape: Shape, features: list[Feature]) -> bool:
    """Whether a model is as it is described."""
    return all(getattr(shape, field) == value for field, value in features)


def offered(features: list[Feature], size_b: float | None, nearness: float) -> tuple[Shape, ...]:
    """The newest models that are as described, of about a size where one is given."""
    fitting = [
        shape
        for shape in all_shapes()
        if has(shape, features) and (size_b is None or abs(shape.params_b / size_b - 1) <= nearness)
    ]
    return tuple(sorted(fitting, key=lambda shape: shape.release, reverse=True)[:MOST_OFFERED])

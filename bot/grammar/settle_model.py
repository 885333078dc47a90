"""Which model a question is about: one name or size, both where they agree, or pasted fields."""

import re
from typing import Final, cast

from bot.grammar.described import Feature, has, offered
from bot.grammar.draft import Axis, Choice, Draft, shown
from bot.grammar.model_words import SAME_SIZE, ModelWord
from bot.grammar.near import near_models
from bot.grammar.pieces import Piece
from engine import models
from engine.errors import ConflictingWords, UnknownModel
from engine.models import Found
from engine.shape import Shape

MOST_MODELS: Final = 4
"""Of a sentence that speaks of more the asker is told to name one."""

_SIZE: Final = re.compile(r"\d[bm](?![a-z])")

NAME_A_MODEL: Final = "a size such as 13b, or a name such as llama-3.1-8b"


def settle_model(draft: Draft, *, mention: bool) -> Axis:
    """Every model that the question may be about. Values: model, params_b, shape, ollama_tag.

    Raises:
        UnknownModel: none is named, or not in this size.
        ConflictingWords: several are; of a sentence the asker may choose.
    """
    if asked := _asked_back(draft):
        return asked
    try:
        return Axis("model", draft.of("model"), _choices(draft))
    except ConflictingWords:
        several = _each(draft) if mention else []
        if not 1 < len(several) <= MOST_MODELS:
            raise
        return Axis("model", draft.of("model"), several)


def _each(draft: Draft) -> list[Choice]:
    """Every model of a sentence that speaks of several; none where it pastes fields."""
    if any(role.startswith("field.") for role in draft.roles):
        return []
    words = [cast("ModelWord", piece.value) for piece in draft.of("model")]
    found: dict[str, Choice] = {}
    for word in words:
        shapes = word.found.shapes if word.found else ()
        choices = [_choice(shape, "", is_tagged=False) for shape in shapes] or [_of_size(word.params_b or 0.0)]
        found |= {choice.written: choice for choice in choices}
    return list(found.values())


def _asked_back(draft: Draft) -> Axis | None:
    """What to choose from where no model is named: models as they are described, or typical sizes; None elsewhere."""
    words = [cast("ModelWord", piece.value) for piece in draft.of("model")]
    features = _features(draft)
    if (
        any(word.found for word in words)
        or draft.of("family")
        or any(role.startswith("field.") for role in draft.roles)
    ):
        return None
    if not features:
        # a word that nobody knows may be the name of a model that we do not
        is_open = draft.of("gpu", "workload") and not draft.of("stray")
        return None if words or not is_open else _open(draft, _TYPICAL)
    sizes = {word.params_b for word in words}
    if len(sizes) > 1:
        raise _several(draft)
    shapes = offered(features, sizes.pop() if sizes else None, SAME_SIZE)
    if len(shapes) < 2:
        raise UnknownModel(
            shown(draft.of("model", "described")),
            near=tuple(shape.id for shape in shapes),
            reason="a description names no model",
            allowed="the model by its name",
        )
    return _open(draft, [_choice(shape, "", is_tagged=False) for shape in shapes])


def _open(draft: Draft, choices: list[Choice]) -> Axis:
    """The model as an open part of the question, written in its place or in front."""
    pieces = draft.of("model")
    if not pieces:
        pieces = [Piece("model", None, "", "")]
        draft.add(pieces[0], front=True)
    return Axis("model", pieces, choices)


def _features(draft: Draft) -> list[Feature]:
    return [cast("Feature", piece.value) for piece in draft.of("described")]


def _of_size(size: float) -> Choice:
    return Choice(f"{size:g}B", f"{size:g}b", (f"{size:g}b", size, None, False))


_TYPICAL: Final = [_of_size(size) for size in (7.0, 13.0, 34.0, 70.0)]
"""What a question without a model is asked back with. Source: sizing guide, shapes; 405B is nobody's first guess."""


def _choices(draft: Draft) -> list[Choice]:
    words = [cast("ModelWord", piece.value) for piece in draft.of("model")]
    fields = {
        role.removeprefix("field."): cast("float", draft.of(role)[0].value)
        for role in draft.roles
        if role.startswith("field.")
    }
    if fields:
        return [_pasted(fields, words, shown(draft.of("model")))]
    if not words:
        raise no_model(draft)
    named = [word.found for word in words if word.found]
    sizes = {word.params_b for word in words if word.params_b is not None}
    if len(sizes) > 1:
        raise _several(draft)
    if not named:
        return [_of_size(sizes.pop())]
    return _named(draft, named, sizes)


def namesakes(draft: Draft, settled: Axis) -> list[Choice]:
    """Models that share the name which was written without a size: the distills beside `deepseek r1`."""
    pieces = draft.of("model")
    named = [cast("ModelWord", piece.value).found for piece in pieces if piece.value]
    if settled.is_open or not named or not all(named) or any(_SIZE.search(piece.given.lower()) for piece in pieces):
        return []
    others = models.namesakes(settled.choices[0].value[0])
    return [_choice(shape, "", is_tagged=False)._replace(label=shape.id) for shape in others]


def no_model(draft: Draft) -> UnknownModel:
    """The refusal of a question that names no model that is known."""
    family = next((piece.given for piece in draft.of("family")), "")
    near = near_models(family) if family else ()
    return UnknownModel(family, near=near, allowed=NAME_A_MODEL, reason="" if family else "the question names no model")


def _several(draft: Draft) -> ConflictingWords:
    return ConflictingWords(
        shown(draft.of("model")), allowed="one model a question", reason="these are different models"
    )


def _named(draft: Draft, named: list[Found], sizes: set[float]) -> list[Choice]:
    common = [shape for shape in named[0].shapes if all(shape in found.shapes for found in named[1:])]
    if not common:
        raise _several(draft)
    of_size = [shape for shape in common if all(abs(shape.params_b / size - 1) <= SAME_SIZE for size in sizes)]
    if not of_size and len(common) == 1:
        raise _several(draft)
    if not of_size:
        given = shown(draft.of("model"))
        raise UnknownModel(
            given, near=near_models(given.replace(",", "")), reason="this model does not come in this size"
        )
    of_size = _as_described(draft, of_size)
    is_tagged = any(found.ollama_tag for found in named)
    typed_tag = next((piece.written for piece in draft.of("model") if ":" in piece.written), "")
    return [_choice(shape, typed_tag if len(of_size) == 1 else "", is_tagged=is_tagged) for shape in of_size]


def _as_described(draft: Draft, shapes: list[Shape]) -> list[Shape]:
    fitting = [shape for shape in shapes if has(shape, _features(draft))]
    if not fitting:
        raise ConflictingWords(
            shown(draft.of("model", "described")),
            allowed="the name alone",
            reason=f"{shapes[0].name} has other figures",
        )
    return fitting


def _choice(shape: Shape, typed_tag: str, *, is_tagged: bool) -> Choice:
    tag = typed_tag if is_tagged else ""
    if is_tagged and not tag:
        tag = next((name for name in models.names() if ":" in name and models.find(name).shapes == (shape,)), "")
    return Choice(shape.name, tag or shape.id, (shape.id, None, None, bool(tag)))


def _pasted(fields: dict[str, float], words: list[ModelWord], given: str) -> Choice:
    if any(word.found for word in words):
        raise ConflictingWords(given, allowed="a name or fields, not both", reason="the fields describe another model")
    sizes = {word.params_b for word in words if word.params_b is not None}
    for size in sizes:
        if fields.setdefault("params", size) != size:
            raise ConflictingWords(f"{given}, params={fields['params']:g}b", reason="two sizes for one model")
    # few questions carry fields, and the families of configurations take milliseconds to load
    from engine.model_config import shape_from_fields  # noqa: PLC0415

    shape = shape_from_fields(fields)
    return Choice(shape.name, f"{min(sizes):g}b" if sizes else "", (shape.id, None, shape, False))

"""Which model a question is about: one name or size, both where they agree, or pasted fields."""

from typing import Final, cast

from bot.grammar.draft import Axis, Choice, Draft, shown
from bot.grammar.model_words import SAME_SIZE, ModelWord
from bot.grammar.near import near_models
from engine import models
from engine.errors import ConflictingWords, UnknownModel
from engine.models import Found
from engine.shape import Shape

NAME_A_MODEL: Final = "a size such as 13b, or a name such as llama-3.1-8b"


def settle_model(draft: Draft) -> Axis:
    """Every model that the question may be about. Values: model, params_b, shape, ollama_tag.

    Raises:
        UnknownModel: none is named, or not in this size.
        ConflictingWords: several are.
    """
    return Axis("model", draft.of("model"), _choices(draft))


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
        raise _no_model(draft)
    named = [word.found for word in words if word.found]
    sizes = {word.params_b for word in words if word.params_b is not None}
    if len(sizes) > 1:
        raise _several(draft)
    if not named:
        size = sizes.pop()
        return [Choice(f"{size:g}B", f"{size:g}b", (f"{size:g}b", size, None, False))]
    return _named(draft, named, sizes)


def _no_model(draft: Draft) -> UnknownModel:
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
    is_tagged = any(found.ollama_tag for found in named)
    typed_tag = next((piece.written for piece in draft.of("model") if ":" in piece.written), "")
    return [_choice(shape, typed_tag if len(of_size) == 1 else "", is_tagged=is_tagged) for shape in of_size]


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

"""Which model a question is about: one name or size, both where they agree, or pasted fields."""

from typing import Final, cast

from bot.grammar.described import has
from bot.grammar.draft import Axis, Choice, Draft, shown
from bot.grammar.model_choices import features, has_fields, model_choice, no_model, several_models, size_choice
from bot.grammar.model_words import SAME_SIZE, ModelWord
from bot.grammar.near import near_models
from bot.grammar.open_model import SIZE, asked_back, each_model, namesakes
from engine import models
from engine.errors import ConflictingWords, UnknownModel
from engine.models import Found
from engine.shape import Shape

_NEWEST: Final = ":latest"


def settle_model(draft: Draft, *, mention: bool) -> Axis:
    """Every model that the question may be about. Values: model, params_b, shape, ollama_tag.

    Raises:
        UnknownModel: none is named, or not in this size.
        ConflictingWords: several are; of a sentence the asker may choose.
    """
    if asked := asked_back(draft):
        return asked
    try:
        settled = Axis("model", draft.of("model"), _choices(draft))
    except ConflictingWords:
        several = each_model(draft) if mention else []
        if not several:
            raise
        return Axis("model", draft.of("model"), several)
    others = namesakes(draft, settled, is_tagged=True) if _asks_ollama(draft) else []
    if not others or SIZE.search(settled.choices[0].value[0]):
        return settled
    # of a name that no model has with a size, Ollama's newest is another than the one that is called so
    itself = model_choice(models.shape(settled.choices[0].value[0]), is_tagged=True)
    return settled._replace(choices=[itself, *others])


def _asks_ollama(draft: Draft) -> bool:
    """Whether Ollama is asked for a name without a size: `ollama run deepseek-r1`, `deepseek-r1:latest`."""
    is_newest = any(piece.written.endswith(_NEWEST) for piece in draft.of("model"))
    return is_newest or any(piece.value == "ollama" for piece in draft.of("engine"))


def _choices(draft: Draft) -> list[Choice]:
    words = [cast("ModelWord", piece.value) for piece in draft.of("model")]
    if has_fields(draft):
        return [_pasted(draft, words)]
    if not words:
        raise no_model(draft)
    named = [word.found for word in words if word.found]
    sizes = {word.params_b for word in words if word.params_b is not None}
    if len(sizes) > 1:
        raise several_models(draft)
    if not named:
        return [size_choice(sizes.pop())]
    return _named(draft, named, sizes)


def _named(draft: Draft, named: list[Found], sizes: set[float]) -> list[Choice]:
    common = [shape for shape in named[0].shapes if all(shape in found.shapes for found in named[1:])]
    if not common:
        raise several_models(draft)
    of_size = [shape for shape in common if all(abs(shape.params_b / size - 1) <= SAME_SIZE for size in sizes)]
    if not of_size and len(common) == 1:
        raise several_models(draft)
    if not of_size:
        given = shown(draft.of("model"))
        raise UnknownModel(
            given, near=near_models(given.replace(",", "")), reason="this model is not known in this size"
        )
    of_size = _as_described(draft, of_size)
    is_tagged = any(found.ollama_tag for found in named)
    typed_tag = next((piece.written for piece in draft.of("model") if ":" in piece.written), "")
    return [model_choice(shape, typed_tag if len(of_size) == 1 else "", is_tagged=is_tagged) for shape in of_size]


def _as_described(draft: Draft, shapes: list[Shape]) -> list[Shape]:
    fitting = [shape for shape in shapes if has(shape, features(draft))]
    if not fitting:
        raise ConflictingWords(
            shown(draft.of("model", "described")),
            allowed="the name alone",
            reason=f"{shapes[0].name} has other figures",
        )
    return fitting


def _pasted(draft: Draft, words: list[ModelWord]) -> Choice:
    given = shown(draft.of("model"))
    fields = {
        role.removeprefix("field."): cast("float", draft.of(role)[0].value)
        for role in draft.roles
        if role.startswith("field.")
    }
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

"""Models to choose from where the words leave the model open: none is named, it is only described, or several are."""

import re
from typing import Final, cast

from bot.grammar.described import offered
from bot.grammar.draft import Axis, Choice, Draft, shown
from bot.grammar.model_choices import features, has_fields, model_choice, several_models, size_choice
from bot.grammar.model_words import SAME_SIZE, ModelWord
from bot.grammar.pieces import Piece
from bot.grammar.words import SPOKEN_MODELS
from engine import models
from engine.errors import UnknownModel
from engine.shape import Shape

MOST_MODELS: Final = 4
"""Of a sentence that speaks of more the asker is told to name one."""

_TYPICAL: Final = tuple(size_choice(size) for size in (7.0, 13.0, 34.0, 70.0))
"""What a question without a model is asked back with. Source: sizing guide, shapes; 405B is nobody's first guess."""

_ONE_SIZE: Final = re.compile(r"(?<![\d.])\d+(?:\.\d+)?b(?=$|-)")
SIZE: Final = re.compile(r"\d[bm](?![a-z])")


def asked_back(draft: Draft) -> Axis | None:
    """Models as they are described, or typical sizes for GPUs and workloads without a model; None where one is named.

    Raises:
        UnknownModel: no two models are as described.
        ConflictingWords: several sizes beside the description.
    """
    words = [cast("ModelWord", piece.value) for piece in draft.of("model")]
    if any(word.found for word in words) or draft.of("family") or has_fields(draft):
        return None
    if features(draft):
        return _described(draft, {word.params_b for word in words})
    # a word that nobody knows may be the name of a model that we do not
    is_open = draft.of("gpu", "workload") and not draft.of("stray")
    return None if words or not is_open else _open(draft, list(_TYPICAL))


def _described(draft: Draft, sizes: set[float | None]) -> Axis:
    if len(sizes) > 1:
        raise several_models(draft)
    shapes = offered(features(draft), sizes.pop() if sizes else None, SAME_SIZE)
    if len(shapes) < 2:
        raise UnknownModel(
            shown(draft.of("model", "described")),
            near=tuple(shape.id for shape in shapes),
            reason="a description names no model",
            allowed="the model by its name",
        )
    return _open(draft, [model_choice(shape) for shape in shapes])


def _open(draft: Draft, choices: list[Choice]) -> Axis:
    """The model as an open part of the question, written in its place or in front."""
    pieces = draft.of("model")
    if not pieces:
        pieces = [Piece("model", None, "", "")]
        draft.add(pieces[0], front=True)
    return Axis("model", pieces, choices)


def each_model(draft: Draft) -> list[Choice]:
    """Every model of a sentence that speaks of a few; () where it pastes fields or speaks of many."""
    found: dict[str, Choice] = {}
    name = ""
    for piece in draft.of("model"):
        word = cast("ModelWord", piece.value)
        shapes = word.found.shapes if word.found else _of_family(name, word.params_b)
        choices = [model_choice(shape) for shape in shapes] or [size_choice(word.params_b or 0.0)]
        found |= {choice.written: choice for choice in choices}
        name = shapes[0].id if len(shapes) == 1 else ""
    return list(found.values()) if 1 < len(found) <= MOST_MODELS and not has_fields(draft) else []


def _of_family(name: str, size_b: float | None) -> tuple[Shape, ...]:
    """`qwen2.5-14b or 32b`: the second size is of the first one's family."""
    if not _ONE_SIZE.search(name) or size_b is None:
        return ()
    found = models.find(_ONE_SIZE.sub(f"{size_b:g}b", name)).shapes
    return found if len(found) == 1 else ()


def _written_name(given: str) -> str:
    """The normal form of a name as it was typed, without what says that the newest of it is meant."""
    name = given.lower().removesuffix(":latest")
    return models.normal_form(SPOKEN_MODELS.get(name, name))


def has_namesakes(settled: Axis) -> bool:
    """Whether others share the one name, which itself gives no size: the full DeepSeek-R1, and no distill of it."""
    if settled.is_open or not settled.choices or SIZE.search(name := settled.choices[0].value[0]):
        return False
    return bool(settled.choices[0].value[1] is None and not settled.choices[0].value[2] and models.namesakes(name))


def namesakes(draft: Draft, settled: Axis, *, is_tagged: bool = False) -> list[Choice]:
    """Models that share the name which was written without a size: the distills beside `deepseek r1`."""
    pieces = draft.of("model")
    named = [cast("ModelWord", piece.value).found for piece in pieces if piece.value]
    if settled.is_open or not named or not all(named):
        return []
    identity = settled.choices[0].value[0]
    shared = {models.normal_form(name) for name in models.tag_names(identity)}
    if not all(_written_name(piece.given) in shared for piece in pieces):
        return []
    others = models.namesakes(identity)
    return [model_choice(shape, is_tagged=is_tagged)._replace(label=shape.id) for shape in others]

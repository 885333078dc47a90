"""Ways to read the model of a question, and the refusals of those that have none or several."""

from typing import Final, cast

from bot.grammar.described import Feature
from bot.grammar.draft import Choice, Draft, shown
from bot.grammar.near import near_models
from engine import models
from engine.errors import ConflictingWords, UnknownModel
from engine.shape import Shape

NAME_A_MODEL: Final = "a size such as 13b, or a name such as llama-3.1-8b"


def size_choice(size: float) -> Choice:
    """A bare size."""
    return Choice(f"{size:g}B", f"{size:g}b", (f"{size:g}b", size, None, False))


def model_choice(shape: Shape, typed_tag: str = "", *, is_tagged: bool = False) -> Choice:
    """A named model; by its Ollama tag where it was named by one."""
    tag = typed_tag if is_tagged else ""
    if is_tagged and not tag:
        tag = next((name for name in models.names() if ":" in name and models.find(name).shapes == (shape,)), "")
    return Choice(shape.name, tag or shape.id, (shape.id, None, None, bool(tag)))


def features(draft: Draft) -> list[Feature]:
    """How the model is described."""
    return [cast("Feature", piece.value) for piece in draft.of("described")]


def has_fields(draft: Draft) -> bool:
    """Whether the model is given by pasted fields."""
    return any(role.startswith("field.") for role in draft.roles)


def no_model(draft: Draft) -> UnknownModel:
    """The refusal of a question that names no model that is known."""
    family = next((piece.given for piece in draft.of("family")), "")
    near = near_models(family) if family else ()
    return UnknownModel(family, near=near, allowed=NAME_A_MODEL, reason="" if family else "the question names no model")


def several_models(draft: Draft) -> ConflictingWords:
    """The refusal of a question that names different models."""
    return ConflictingWords(
        shown(draft.of("model")), allowed="one model a question", reason="these are different models"
    )

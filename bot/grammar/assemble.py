"""From pieces to questions: words that agree are joined, different ones refused, what stays open is asked back."""

from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, Final

from bot.grammar.draft import Axis, Choice, Draft
from bot.grammar.model_choices import no_model
from bot.grammar.open_model import has_namesakes, namesakes
from bot.grammar.pieces import Piece
from bot.grammar.reading import About, LabelledQuestion, Reading
from bot.grammar.settle_model import settle_model
from bot.grammar.settle_sets import settle_sets
from bot.grammar.settle_settings import settle_settings
from bot.grammar.settle_workload import settle_workload
from engine.errors import EmptyQuestion, ImpossibleValue
from engine.question import GpuSet, Question

MOST_READINGS: Final = 12

_SAYS_NOTHING: Final = frozenset({"nothing", "noted", "filler", "stray", "or", "and", "run", "count"})


def assemble(pieces: list[Piece], text: str, *, mention: bool) -> Reading:
    """The reading of a text's pieces. In a sentence the question is shown in the words of the grammar.

    Raises:
        EngineError: no model, or parts that do not go together.
    """
    if all(piece.role in _SAYS_NOTHING for piece in pieces):
        raise EmptyQuestion(text)
    draft = Draft(_without_weak(pieces) if mention else pieces)
    model = settle_model(draft, mention=mention)
    shared = namesakes(draft, model)
    workload = settle_workload(draft, or_whole_model=mention and has_namesakes(model))
    axes = [model, workload, *settle_sets(draft, mention=mention)]
    settle_settings(draft, mention=mention)
    open_axes = [axis for axis in axes if axis.is_open]
    if not open_axes:
        only = [next(iter(axis.choices), None) for axis in axes]
        one = _labelled(draft, axes, only, typed=None if mention else text)
        others = (replace(_labelled(draft, axes, [other, *only[1:]]), label=other.label) for other in shared)
        return Reading((one,), namesakes=tuple(others))
    return Reading(tuple(_options(draft, axes)), _about(open_axes))


def _without_weak(pieces: list[Piece]) -> list[Piece]:
    """In a sentence a number or a size on the way gives way to one that is plainly meant."""
    strong = {piece.role for piece in pieces if not piece.weak}
    return [piece for piece in pieces if not (piece.weak and piece.role in strong)]


def _about(open_axes: list[Axis]) -> About:
    abouts = {axis.about: axis for axis in open_axes}
    if "workload" in abouts:
        return "workload"
    if "model" not in abouts:
        return "gpu"
    families = {choice.value[0].rpartition("-")[0] for choice in abouts["model"].choices}
    return "size" if len(families) == 1 else "model"


def _options(draft: Draft, axes: list[Axis]) -> list[LabelledQuestion]:
    count = prod(len(axis.choices) or 1 for axis in axes)
    if count > MOST_READINGS and not any(piece.value for piece in draft.of("model")):
        raise no_model(draft)
    if count > MOST_READINGS:
        raise ImpossibleValue(
            ", ".join(axis.pieces[0].given for axis in axes if axis.is_open),
            allowed="names that mean one thing each, such as a100-80 or lora",
            reason=f"{count} readings at once",
        )
    ways: list[list[Choice | None]] = [[*axis.choices] or [None] for axis in axes]
    return [_labelled(draft, axes, [*combination]) for combination in product(*ways)]


def _labelled(
    draft: Draft, axes: list[Axis], chosen: list[Choice | None], *, typed: str | None = None
) -> LabelledQuestion:
    """One reading; `typed` where it is shown as it was typed."""
    parts: dict[str, Any] = dict(draft.fixed)
    sets: list[GpuSet] = []
    labels: list[str] = []
    for axis, choice in zip(axes, chosen, strict=True):
        if not choice:
            continue
        draft.write(axis.pieces, choice.written)
        if axis.is_open:
            labels.append(choice.label)
        if axis.about == "workload":
            parts["workload"] = choice.value
        elif axis.about == "model":
            parts |= dict(zip(("model", "params_b", "shape", "ollama_tag"), choice.value, strict=True))
        elif choice.value not in sets:
            sets.append(choice.value)
    text = draft.text() if typed is None else typed
    return LabelledQuestion(", ".join(labels), text, Question(text=text, sets=tuple(sets), **parts))

"""From pieces to questions: words that agree are joined, different ones refused, what stays open is asked back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from typing import Any, Final, NamedTuple, cast

from bot.grammar.format_words import QLORA_BASES, FormatWord, agreed
from bot.grammar.gpu_words import written_set
from bot.grammar.model_words import SAME_SIZE, ModelWord
from bot.grammar.near import near_models
from bot.grammar.pieces import Piece
from bot.grammar.reading import About, LabelledQuestion, Reading
from bot.grammar.words import WORKLOAD_LABELS
from engine import models
from engine.errors import ConflictingWords, EmptyQuestion, ImpossibleValue, UnknownModel
from engine.gpus import Gpu
from engine.model_config import shape_from_fields
from engine.question import EngineOptions, GpuSet, Limits, Question, Tuning
from engine.shape import Shape
from engine.values import WORKLOADS, Workload

MOST_READINGS: Final = 12
MOST_SETS: Final = 12
NAME_A_MODEL: Final = "a model: a size such as 13b, or a name such as llama-3.1-8b"

_SAYS_NOTHING: Final = frozenset({"nothing", "filler", "or", "and", "run", "count"})
_WRITES_NOTHING: Final = _SAYS_NOTHING | {"family"}


class Choice(NamedTuple):
    """One way to read a part of the question."""

    label: str
    written: str
    value: Any


@dataclass
class Draft:
    """The question as far as it is known, and how each piece is written."""

    pieces: list[Piece]
    written: dict[int, str] = field(default_factory=dict)
    fixed: dict[str, Any] = field(default_factory=dict)

    def of(self, *roles: str) -> list[Piece]:
        return [piece for piece in self.pieces if piece.role in roles]

    def write(self, pieces: list[Piece], text: str) -> None:
        """All of these pieces together are written so, where the first of them stands."""
        for place, piece in enumerate(pieces):
            self.written[id(piece)] = text if place == 0 else ""

    def text(self) -> str:
        return " ".join(text for piece in self.pieces if (text := self.written.get(id(piece), piece.written)))


def assemble(pieces: list[Piece], text: str, *, mention: bool) -> Reading:
    """The reading of a text's pieces. In a sentence the question is shown in the words of the grammar.

    Raises:
        EngineError: no model, or parts that do not go together.
    """
    if all(piece.role in _SAYS_NOTHING for piece in pieces):
        raise EmptyQuestion(text, allowed=NAME_A_MODEL)
    draft = Draft(_without_weak(pieces) if mention else pieces)
    chosen_models = _models(draft)
    workloads = _workloads(draft)
    sets = _sets(draft, mention=mention)
    _plain_parts(draft)
    axes: list[tuple[About, list[Piece], list[Choice]]] = [
        ("workload", draft.of("workload", "run", "peft"), workloads),
        ("model", draft.of("model"), chosen_models),
        *(("gpu", [piece], choices) for piece, choices in sets),
    ]
    open_axes = [axis for axis in axes if len(axis[2]) > 1]
    if not open_axes:
        question = _question(draft, axes, tuple(axis[2][0] if axis[2] else None for axis in axes))
        asked = draft.text() if mention else text
        return Reading((LabelledQuestion("", asked, question.model_copy(update={"text": asked})),))
    return Reading(tuple(_options(draft, axes)), _about(open_axes))


def _about(open_axes: list[tuple[About, list[Piece], list[Choice]]]) -> About:
    about, _, choices = open_axes[0]
    if about != "model":
        return about
    stems = {choice.value[0].rpartition("-")[0] for choice in choices}
    return "size" if len(stems) == 1 else "model"


def _options(draft: Draft, axes: list[tuple[About, list[Piece], list[Choice]]]) -> list[LabelledQuestion]:
    count = 1
    for _, _, choices in axes:
        count *= max(1, len(choices))
    if count > MOST_READINGS:
        shown = ", ".join(pieces[0].given for _, pieces, choices in axes if len(choices) > 1)
        raise ImpossibleValue(
            shown, allowed="names that mean one thing each, such as a100-80 or lora", reason=f"{count} readings"
        )
    options = []
    ways: list[list[Choice | None]] = [[*choices] or [None] for _, _, choices in axes]
    for combination in product(*ways):
        question = _question(draft, axes, combination)
        ask = draft.text()
        label = ", ".join(
            one.label for one, (_, _, choices) in zip(combination, axes, strict=True) if one and len(choices) > 1
        )
        options.append(LabelledQuestion(label, ask, question.model_copy(update={"text": ask})))
    return options


def _question(
    draft: Draft, axes: list[tuple[About, list[Piece], list[Choice]]], chosen: tuple[Choice | None, ...]
) -> Question:
    parts: dict[str, Any] = dict(draft.fixed)
    sets: list[GpuSet] = []
    for (about, pieces, _), choice in zip(axes, chosen, strict=True):
        if not choice:
            continue
        draft.write(pieces, choice.written)
        if about == "workload":
            parts["workload"] = choice.value
        elif about == "model":
            parts |= dict(zip(("model", "params_b", "shape", "ollama_tag"), choice.value, strict=True))
        elif choice.value not in sets:
            sets.append(choice.value)
    return Question(sets=tuple(sets), **parts)


# models


def _models(draft: Draft) -> list[Choice]:
    words = [piece.value for piece in draft.of("model") if isinstance(piece.value, ModelWord)]
    fields = {
        piece.role.removeprefix("field."): cast("float", piece.value)
        for piece in draft.pieces
        if piece.role.startswith("field.")
    }
    shown = ", ".join(dict.fromkeys(piece.given for piece in draft.of("model")))
    if fields:
        return [_pasted(fields, words, shown)]
    if not words:
        family = next((piece.given for piece in draft.of("family")), "")
        near = near_models(family) if family else ()
        raise UnknownModel(
            family, near=near, allowed=NAME_A_MODEL, reason="" if family else "the question names no model"
        )
    named = [word.found for word in words if word.found]
    sizes = {word.params_b for word in words if word.params_b is not None}
    if len(sizes) > 1:
        raise ConflictingWords(shown, allowed="one model a question", reason="these are different models")
    if not named:
        size = sizes.pop()
        return [Choice(f"{size:g}B", f"{size:g}b", (f"{size:g}b", size, None, False))]
    common = [shape for shape in named[0].shapes if all(shape in found.shapes for found in named[1:])]
    if not common:
        raise ConflictingWords(shown, allowed="one model a question", reason="these are different models")
    of_size = [shape for shape in common if all(_is_of_size(shape, size) for size in sizes)]
    if not of_size:
        raise UnknownModel(
            shown, near=near_models(shown.replace(",", "")), reason="this model does not come in this size"
        )
    tagged = any(found.ollama_tag for found in named)
    tag = next((piece.written for piece in draft.of("model") if ":" in piece.written), "")
    return [_named(shape, tag if tagged and len(of_size) == 1 else "", tagged=tagged) for shape in of_size]


def _is_of_size(shape: Shape, size: float) -> bool:
    return abs(shape.params_b / size - 1) <= SAME_SIZE


def _named(shape: Shape, tag: str, *, tagged: bool) -> Choice:
    if tagged and not tag:
        tag = next((name for name in models.names() if ":" in name and models.find(name).shapes == (shape,)), "")
    return Choice(shape.name, tag or shape.id, (shape.id, None, None, bool(tag)))


def _pasted(fields: dict[str, float], words: list[ModelWord], shown: str) -> Choice:
    if any(word.found for word in words):
        raise ConflictingWords(shown, allowed="a name or fields, not both", reason="the fields describe another model")
    for word in words:
        if word.params_b is not None and fields.setdefault("params", word.params_b) != word.params_b:
            raise ConflictingWords(f"{shown}, params={fields['params']:g}b", reason="two sizes for one model")
    shape = shape_from_fields(fields)
    size = next((word.params_b for word in words if word.params_b is not None), None)
    return Choice(shape.name, "" if size is None else f"{size:g}b", (shape.id, None, shape, False))


# workload and format


def _workloads(draft: Draft) -> list[Choice]:
    pieces = draft.of("workload")
    meant = frozenset(WORKLOADS)
    for piece in pieces:
        meant &= cast("frozenset[Workload]", piece.value)
    shown = " ".join(dict.fromkeys(piece.given for piece in pieces))
    if not meant:
        raise ConflictingWords(shown, allowed="infer, lora, qlora or full", reason="these are different workloads")
    if draft.of("peft"):
        meant = _with_peft(draft, meant, has_workload=any(piece.value != meant for piece in pieces) or bool(pieces))
    elif not pieces:
        meant = frozenset[Workload]({"infer"}) if draft.of("run") else frozenset()
    meant = _with_base(draft, meant)
    return [Choice(WORKLOAD_LABELS[one], one, one) for one in WORKLOADS if one in meant and one]


def _with_peft(draft: Draft, meant: frozenset[Workload], *, has_workload: bool) -> frozenset[Workload]:
    """`peft` alone is a LoRA; beside a workload of its kind it names the engine."""
    if not has_workload or ("lora" in meant and len(meant) > 1):
        return frozenset({"lora"})
    if not meant & {"lora", "qlora"}:
        raise ConflictingWords("peft", allowed="lora or qlora", reason="peft trains adapters")
    draft.fixed["engine"] = "hf"
    return meant


def _with_base(draft: Draft, meant: frozenset[Workload]) -> frozenset[Workload]:
    """LoRA on a 4-bit base is QLoRA; and the base's format, which QLoRA brings along."""
    weights = draft.of("weight")
    words = [piece.value.word for piece in weights if isinstance(piece.value, FormatWord)]
    if meant == {"lora"} and words and all(word in QLORA_BASES for word in words):
        meant = frozenset({"qlora"})
    weight_format = agreed(weights)
    if meant == {"qlora"} and weight_format == "int4" and all(word != "int4" for word in words):
        weight_format = None
    if meant == {"qlora"} and weight_format in _NO_QLORA_BASE:
        raise ConflictingWords(
            f"qlora {weights[0].given}",
            allowed=f"qlora, or lora {weights[0].given}",
            reason="qlora keeps its base in 4 bit",
        )
    if weight_format:
        draft.fixed["weight_format"] = weight_format
    draft.write(weights, weight_format or "")
    return meant


_NO_QLORA_BASE: Final = frozenset({"fp32", "bf16", "fp16", "fp8", "int8", "gptq-int8"})


# GPUs


def _sets(draft: Draft, *, mention: bool) -> list[tuple[Piece, list[Choice]]]:
    pieces = draft.of("gpu")
    _refuse_mixed(draft)
    count = _count(draft, pieces, mention=mention)
    if len({piece.written for piece in pieces}) > MOST_SETS:
        raise ImpossibleValue(
            pieces[0].given, allowed=f"at most {MOST_SETS} sets a question", reason=f"{len(pieces)} sets"
        )
    found = []
    for piece in pieces:
        readings, own = cast("tuple[tuple[Gpu, ...], int | None]", piece.value)
        how_many = own or count
        found.append((piece, [_set_choice(one, how_many) for one in readings]))
    return found


def _set_choice(gpu: Gpu, count: int | None) -> Choice:
    name = gpu.full_name if count in {None, 1} else f"{count} × {gpu.full_name}"
    return Choice(name, written_set(gpu.id, count), GpuSet(gpu=gpu.id, count=count or 1))


def _refuse_mixed(draft: Draft) -> None:
    told = [piece for piece in draft.pieces if piece.role != "nothing"]
    for before, sign, after in zip(told, told[1:], told[2:], strict=False):
        if sign.role == "and" and before.role == after.role == "gpu" and before.value != after.value:
            raise ImpossibleValue(
                f"{before.given} {sign.given} {after.given}",
                allowed=f"GPUs of one kind, such as 2x3090; for two alternatives: {before.given} or {after.given}",
                reason="a mixed set: its slower GPU and its links decide, and that is not modelled",
            )


def _count(draft: Draft, pieces: list[Piece], *, mention: bool) -> int | None:
    """How many, said apart from the GPU: `8 gpus`."""
    counts = {cast("int", piece.value) for piece in draft.of("count")}
    if not counts or (mention and (not pieces or len(counts) > 1)):
        return None
    shown = draft.of("count")[0].given
    if not pieces and {piece.value for piece in draft.of("options.tensor_parallel", "options.shards")} == counts:
        return None
    if len(counts) > 1 or not pieces:
        raise ImpossibleValue(
            shown, allowed="the GPU with its count, such as 2x3090, or max-gpus=2", reason="which GPUs these are"
        )
    return counts.pop()


# everything else


def _plain_parts(draft: Draft) -> None:
    single = _single_values(draft)
    parts: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {"tuning": {}, "options": {}, "limits": {}}
    for role, value in single.items():
        group, _, name = role.partition(".")
        if group in groups:
            groups[group][name] = value
        elif role in {"engine", "private"}:
            parts[role] = value
    for role, name in (("kv", "kv_format"), ("batch", "batch"), ("users", "users")):
        if role in single:
            parts[name] = single[role]
    if "batch" in single and "users" in single:
        raise ImpossibleValue(
            f"batch={single['batch']} users={single['users']}",
            allowed="batch= or users=",
            reason="both say how many run at once",
        )
    parts |= _context(single)
    parts |= {
        "tuning": Tuning(**groups["tuning"]),
        "options": EngineOptions(**groups["options"]),
        "limits": Limits(**groups["limits"]),
    }
    parts["asked_hours"] = "hours" in single or "limits.term_hours" in single
    engine = draft.fixed.get("engine")
    if engine and parts.get("engine", engine) != engine:
        raise ConflictingWords(f"peft {parts['engine']}", allowed="one engine", reason="these are different engines")
    draft.fixed |= parts


_AXES: Final = frozenset({"model", "workload", "peft", "gpu", "weight"}) | _WRITES_NOTHING


def _single_values(draft: Draft) -> dict[str, object]:
    found: dict[str, Piece] = {}
    for piece in draft.pieces:
        if piece.role in _AXES or piece.role.startswith("field."):
            continue
        held = found.setdefault(piece.role, piece)
        if held is not piece:
            if held.value != piece.value:
                raise ConflictingWords(
                    f"{held.given}, {piece.given}", allowed="one of the two", reason="they do not agree"
                )
            draft.written[id(piece)] = ""
    return {role: piece.value for role, piece in found.items()}


def _context(single: Mapping[str, object]) -> dict[str, object]:
    prompt, output, context = (cast("int | None", single.get(role)) for role in ("in", "out", "ctx"))
    if context is None and (prompt or output):
        return {"context_tokens": (prompt or 0) + (output or 0), "prompt_tokens": prompt}
    if context is not None and (prompt or 0) + (output or 0) > context:
        raise ImpossibleValue(
            f"in={prompt or 0} out={output or 0} ctx={context}",
            allowed="a context that holds prompt and output",
            reason="it does not",
        )
    return {"context_tokens": context, "prompt_tokens": prompt}


def _without_weak(pieces: list[Piece]) -> list[Piece]:
    """In a sentence a number or a size on the way gives way to one that is plainly meant."""
    strong = {piece.role for piece in pieces if not piece.weak}
    return [piece for piece in pieces if not (piece.weak and piece.role in strong)]


__all__ = ["Decimal", "assemble"]

"""A stored question with one thing changed: what a what-if button asks.

The change is read with the grammar, as if it stood behind a size; whatever it says replaces what the question said of
the same thing, and everything else of the question stays. So the stored question is the truth, not its words.
"""

from typing import Final

from bot.grammar import read
from bot.grammar.parse import pieces_of
from bot.grammar.pieces import Piece
from bot.grammar.tokens import words_of
from engine.errors import EngineError
from engine.question import Question, Tuning
from engine.values import Value

CARRIER: Final = "7b"
"""Some model, so that the change is a question; nothing of it is taken over."""

WHOLE: Final = frozenset({"text", "model", "params_b", "shape", "ollama_tag", "private"})
"""What a change leaves alone."""

TOGETHER: Final = (("context_tokens", "prompt_tokens"), ("batch", "users"))
"""Fields that say the same in two ways: a new one ends the other."""

SAME_THING: Final = (
    frozenset({"gpu", "count"}),
    frozenset({"ctx", "in", "out"}),
    frozenset({"batch", "users"}),
    frozenset({"workload", "run", "peft", "weight"}),
    frozenset({"limits.usd_month", "limits.usd_hour"}),
)
"""Roles of words that a change replaces together."""

OF_FULL_TUNING: Final = ("optimizer", "zero_stage", "offload_cpu")
"""Settings of full tuning that end with it: beside an adapter most of them are refused."""


def changed(question: Question, change: str) -> Question:
    """The question with the change.

    Args:
        question: as it was stored.
        change: words of the grammar, such as `int4`, `ctx=32k`, `2xa40`, `qlora`, `budget=900/mo`.

    Raises:
        EngineError: the change cannot be read.

    >>> question = read("70b bf16 2x3090").options[0].question
    >>> changed(question, "int4").weight_format, changed(question, "int4").text
    ('int4', '70b 2x3090 int4')
    """
    said = _said(read(f"{CARRIER} {change}").options[0].question, _carrier())
    for names in TOGETHER:
        if said.keys() & set(names):
            said = dict.fromkeys(names) | said
    if "workload" in said and "weight_format" not in said:
        said["weight_format"] = None
    ended = OF_FULL_TUNING if question.workload == "full" and said.get("workload", "full") != "full" else ()
    text = _text(question.text, change, frozenset(f"tuning.{name}" for name in ended))
    plain = {name: getattr(Tuning(), name) for name in ended}
    question = question.model_copy(update={"tuning": question.tuning.model_copy(update=plain)})
    return question.model_copy(update=_merged(question, said) | {"text": text})


def _carrier() -> Question:
    return read(CARRIER).options[0].question


def _said(question: Value, before: Value) -> dict[str, object]:
    """The fields in which a question says more than another one."""
    fields = {name: getattr(question, name) for name in type(question).model_fields if name not in WHOLE}
    return {name: value for name, value in fields.items() if value != getattr(before, name)}


def _merged(question: Question, said: dict[str, object]) -> dict[str, object]:
    """Groups of fields (limits, tuning, options) are changed field by field, the others as a whole."""
    merged: dict[str, object] = {}
    for name, value in said.items():
        if isinstance(value, Value) and isinstance(before := getattr(question, name), Value):
            merged[name] = before.model_copy(update=_said(value, type(value)()))
        else:
            merged[name] = value
    return merged


def _text(text: str, change: str, ended: frozenset[str]) -> str:
    """The words of the question without those that the change replaces or ends, then the change."""
    try:
        gone = ended | _replaced(pieces_of(words_of(f"{CARRIER} {change}"), mention=False)[1:])
        kept = [piece for piece in pieces_of(words_of(text), mention=False) if piece.role not in gone]
    except EngineError:
        return f"{text} {change}"
    return " ".join([*(piece.given for piece in kept if piece.role not in {"or", "and"} or "gpu" not in gone), change])


def _replaced(pieces: list[Piece]) -> frozenset[str]:
    roles = {piece.role for piece in pieces}
    return frozenset(roles).union(*(same for same in SAME_THING if same & _leading(roles)))


def _leading(roles: set[str]) -> set[str]:
    """A new weight format alone leaves the workload as it is."""
    return roles - {"weight"}

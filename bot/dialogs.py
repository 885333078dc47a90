"""Forms that open over a chat: their words, and what is wrong with what was filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.form import FIELDS, Field, question_text
from bot.grammar import read
from bot.refusals import problem
from engine.answer import Problem
from engine.errors import EngineError

CARRIER: Final = "7b"
"""Some model, so that one field alone is a question."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a form. `choices` are (label, value); free text where there are none."""

    name: str
    label: str
    hint: str
    needed: bool = False
    long: bool = False
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Dialog:
    title: str
    submit: str
    cancel: str
    entries: tuple[Entry, ...]


LABELS: Final = {
    "model": "Model",
    "workload": "Workload",
    "format": "Weight format",
    "context": "Context",
    "batch": "Batch",
    "gpus": "GPUs",
}
"""The fields of the form, in order; the others are for those who type."""

BY_NAME: Final[Mapping[str, Field]] = {field.name: field for field in FIELDS}


def question_dialog() -> Dialog:
    """The question as a form."""
    entries = tuple(_entry(BY_NAME[name], label) for name, label in LABELS.items())
    return Dialog("How much GPU memory?", "Ask", "Cancel", entries)


def note_dialog() -> Dialog:
    """Asks for the note of a decision."""
    note = Entry("note", "Why this one?", "what the team should know when it reads this again", long=True)
    return Dialog("Pin as decision", "Pin", "Cancel", (note,))


def dialog_text(given: Mapping[str, str]) -> str:
    """The question that a filled-in form asks.

    >>> dialog_text({"model": "13b", "workload": "lora", "context": "4k"})
    '13b lora ctx=4k'
    """
    return question_text("", given)


def field_problems(given: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with each field by itself, in plain words.

    >>> field_problems({"model": "13b", "context": "0"})["context"][:7]
    '"ctx=0"'
    """
    return {name: said for name, value in given.items() if (said := _said(name, value))}


def blamed(refused: Problem, given: Mapping[str, str]) -> str:
    """The field that a problem of the whole question is about; the model where no field is plainly meant."""
    words = refused.given.casefold().split()
    for name, value in given.items():
        if any(word in dialog_text({name: value}).casefold().split() for word in words):
            return name
    return next(iter(LABELS))


def _entry(field: Field, label: str) -> Entry:
    choices = tuple((choice.label, choice.value) for choice in field.choices)
    return Entry(field.name, label, field.help, needed=field.name == "model", choices=choices)


def _said(name: str, value: str) -> str:
    alone = dialog_text({name: value})
    try:
        read(alone if name == "model" else f"{CARRIER} {alone}")
    except EngineError as error:
        return problem(error).text
    return ""

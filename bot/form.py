"""The question as a form: typed fields beside the free text, each stronger than the words of the text.

Discord's options are made from this table, and so may be any other form: a new field is on every form at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot import autocomplete
from bot.autocomplete import Suggestion
from bot.grammar import normalise
from bot.grammar.parse import pieces_of
from bot.grammar.tokens import words_of
from bot.wording import WORKLOADS
from engine.errors import EngineError
from engine.formats import kv_words

Kind = Literal["words", "number", "flag"]
Complete = Callable[[str], tuple[Suggestion, ...]]

QUESTION: Final = "question"
QUESTION_FIELD_HELP: Final = "in your own words, such as 13b lora ctx=4k"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form.

    Attributes:
        roles: the parts of a text that it stands in for.
        written: how its value is written in a question.
        choices: all that it takes; anything where empty.
        complete: what may be meant by the beginning of a value.
        required: nothing goes without it.
    """

    name: str
    help: str
    roles: frozenset[str]
    written: str = "{}"
    kind: Kind = "words"
    choices: tuple[Suggestion, ...] = ()
    complete: Complete | None = None
    required: bool = False


def _roles(names: str) -> frozenset[str]:
    return frozenset(names.split())


FIELDS: Final = (
    Field("model", "the model: a size such as 13b, or a name", _roles("model family"), complete=autocomplete.models),
    Field(
        "workload",
        "what to do with it",
        _roles("workload peft run"),
        choices=tuple(Suggestion(name, word) for word, name in WORKLOADS.items()),
    ),
    Field("format", "the format of the weights", _roles("weight"), complete=autocomplete.formats),
    Field("context", "prompt and output together, in tokens, such as 4k", _roles("ctx in out"), "ctx={}"),
    Field("batch", "sequences at once", _roles("batch"), "batch={}", kind="number"),
    Field("gpus", "the GPUs you have, such as 2x3090", _roles("gpu count"), complete=autocomplete.gpus),
    Field(
        "kv",
        "the format of the KV cache",
        _roles("kv"),
        "kv={}",
        choices=tuple(Suggestion(name, name) for name in dict.fromkeys(kv_words().values())),
    ),
    Field(
        "budget",
        "the most it may cost, such as 500/mo or 2/hr",
        _roles("limits.usd_month limits.usd_hour"),
        "budget={}",
    ),
    Field("private", "show the answer to you alone", _roles("private"), kind="flag"),
)


def question_text(text: str, given: Mapping[str, str | int | bool]) -> str:
    """The question that a text and the given fields make together: as typed where no field is given.

    >>> question_text("13b lora ctx=4k on 2x3090", {"model": "70b", "context": "8k"})
    'lora on 2x3090 70b ctx=8k'
    >>> question_text("13b lora", {})
    '13b lora'
    """
    fields = [field for field in FIELDS if field.name in given]
    if not fields:
        return text
    kept = _without(text, frozenset[str]().union(*(field.roles for field in fields)))
    return " ".join(filter(None, (kept, *(_written(field, given[field.name]) for field in fields))))


def _without(text: str, roles: frozenset[str]) -> str:
    """The text without the words of some roles; as it is where it cannot be read, which then is said of the whole."""
    try:
        pieces = pieces_of(words_of(normalise(text)), mention=False)
    except EngineError:
        return text
    dropped = roles | {"or", "and"} if "gpu" in roles else roles
    return " ".join(piece.given for piece in pieces if piece.role not in dropped)


def _written(field: Field, value: str | int | bool) -> str:
    if field.kind == "flag":
        return field.name if value else ""
    return field.written.format(str(value).strip())

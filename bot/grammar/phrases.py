"""Fixed words and phrases: workloads, engines, settings without a value, words that change nothing."""

from collections.abc import Iterator
from functools import cache

from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.words import (
    AND_WORDS,
    ASKING,
    ENGINE_WORDS,
    JOINING,
    NOT_MODELLED,
    OR_WORDS,
    PEFT,
    RUN_WORDS,
    SETTINGS,
    SHOWN_ANYWAY,
    WORKLOAD_WORDS,
)
from engine.errors import NotModelled

Meaning = tuple[str, object, str]


def _meanings() -> Iterator[tuple[str, Meaning]]:
    for word in (*SHOWN_ANYWAY, *JOINING, *ASKING):
        yield word, ("nothing", None, "")
    for word in OR_WORDS:
        yield word, ("or", None, "or")
    for word in AND_WORDS:
        yield word, ("and", None, "")
    for word, why in NOT_MODELLED.items():
        yield word, ("not-modelled", why, "")
    for word, workloads in WORKLOAD_WORDS.items():
        yield word, ("workload", workloads, word)
    for word in RUN_WORDS:
        yield word, ("run", None, "infer")
    yield PEFT, ("peft", None, PEFT)
    for word, engine in ENGINE_WORDS.items():
        yield word, ("engine", engine, f"engine={engine}")
    yield from SETTINGS.items()


@cache
def phrases() -> dict[str, list[tuple[tuple[str, ...], Meaning]]]:
    """Every phrase by its first word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
    for phrase, meaning in dict(_meanings()).items():
        parts = tuple(phrase.split())
        found.setdefault(parts[0], []).append((parts, meaning))
    for same_start in found.values():
        same_start.sort(key=lambda entry: -len(entry[0]))
    return found


def phrase_at(words: list[Word], start: int, *, least: int = 1) -> Hit | None:
    """The phrase of at least so many words that the words from `start` are.

    Raises:
        NotModelled: it asks for what the bot does not calculate.
    """
    for parts, (role, value, written) in phrases().get(words[start].text.replace("_", "-"), ()):
        length = len(parts)
        if length < least:
            return None
        if length > 1 and tuple(word.text for word in words[start : start + length]) != parts:
            continue
        shown = given(words, start, length)
        if role == "not-modelled":
            raise NotModelled(shown, allowed="infer, lora, qlora or full", reason=str(value))
        return Hit(length, (Piece(role, value, shown, written),))
    return None

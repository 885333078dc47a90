"""From words to pieces: at each place the first reader that understands takes as many words as it understands."""

import re
from collections.abc import Callable
from typing import Final

from bot.grammar.asides import as_meant, aside_at, filler_at, refuse_other_maker, refuse_variant
from bot.grammar.described import described_at
from bot.grammar.fields import field_at, has_fields
from bot.grammar.format_words import format_at
from bot.grammar.gpu_sets import gpu_at, nodes_at
from bot.grammar.lengths import length_at
from bot.grammar.limits import limit_at, most_gpus_at, size_limit_at, term_at
from bot.grammar.model_words import ModelWord, model_at
from bot.grammar.negations import refuse_negated
from bot.grammar.not_counted import not_counted_at
from bot.grammar.numbers import context_at, counted_at, glued_at
from bot.grammar.options import Option, option_piece, options
from bot.grammar.people import people_at
from bot.grammar.phrases import phrase_at
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.refuse import unknown
from bot.grammar.sentence import filler
from bot.grammar.several import counts_at, refuse_range
from bot.grammar.values import is_number, number
from bot.grammar.words import (
    SHOWN_ANYWAY,
    WORKLOAD_WORDS,
)
from engine import gpus
from engine.errors import EngineError, NotModelled
from engine.formats import kv_words

Reader = Callable[[list[Word], int], Hit | None]

_SKIPPED_AFTER_KEY: Final = frozenset(
    {"of", "in", "at", "is", "to", "over", "across", "=", ":", "size", "len", "length"}
)
_KV_NOUNS: Final = frozenset({"kv", "cache", "kvcache", "kv-cache"})
_GPU_KEYS: Final = frozenset({"gpu", "gpus", "card", "cards", "on", "hardware", "vram", "mem", "memory", "model", "m"})
_WORD_KEYS: Final = frozenset(
    {"format", "quant", "quantization", "dtype", "precision", "weights", "workload", "task", "method", "mode"}
)
_PARTS: Final = (re.compile(r"[/:+-]"), re.compile(r"[/:_+-]"))
"""What known words are grown together with; an underscore stands inside the names of formats too."""


def pieces_of(words: list[Word], *, mention: bool) -> list[Piece]:
    """The pieces that all the words make.

    Raises:
        EngineError: a word that is unknown, or a value that cannot be.
    """
    fields = has_fields(words)
    pieces: list[Piece] = []
    place = 0
    while place < len(words):
        if mention:
            refuse_negated(words, place, _understood)
        hit = (aside_at(words, place) if mention else None) or (field_at(words, place) if fields else None)
        hit = hit or _understood(words, place)
        refuse_range(words, place, hit, _understood)
        if not hit and mention:
            hit = filler_at(words, place)
        hit = hit or _in_parts(words[place], mention=mention)
        if not hit:
            raise unknown(words, place)
        pieces += as_meant(words, place, hit) if mention else hit.pieces
        place += hit.taken
        if mention and isinstance(named := hit.pieces[0].value, ModelWord) and named.found:
            refuse_other_maker(pieces, words[place - hit.taken])
            refuse_variant(words, place - hit.taken, place, _understood)
    return pieces


def _understood(words: list[Word], place: int) -> Hit | None:
    for reader in _READERS:
        if hit := reader(words, place):
            return hit
    return None


def _keyed(words: list[Word], place: int) -> Hit | None:
    """`key=value`."""
    key, equals, value = words[place].text.partition("=")
    if not equals or not key:
        return None
    key = key.replace("_", "-")
    typed = words[place].typed
    if key in _GPU_KEYS or key in _WORD_KEYS:
        rest = [Word(typed, value), *words[place + 1 : place + 8]]
        return _understood(rest, 0) if value else None
    if key in {"provider", "cloud"} and value:
        return Hit(1, (Piece("limits.provider", value, typed, f"provider={value}"),))
    if key == "lang":
        return Hit(1, (_language(value, typed),))
    option = options().get(key)
    if not option:
        return None
    if key == "cache" and value in kv_words():
        option = options()["kv"]
    return Hit(1, (option_piece(option, value, typed),))


def _language(value: str, typed: str) -> Piece:
    if value not in {"en", "english"}:
        raise NotModelled(typed, allowed="lang=en", reason="answers are in English")
    return Piece("nothing", None, typed, "")


def _key_then_value(words: list[Word], place: int) -> Hit | None:
    """`key value`: a number after a numeric key, a known value after another."""
    option, taken = _key(words, place)
    if not option:
        return None
    while len(words) > place + taken and words[place + taken].text in _SKIPPED_AFTER_KEY:
        taken += 1
    if len(words) <= place + taken:
        return None
    value = words[place + taken].text
    if option.key == "kv" and len(words) > place + taken + 1 and words[place + taken + 1].text in {"bit", "bits"}:
        value, taken = f"{value}bit", taken + 1
    shown = given(words, place, taken + 1)
    if option.numeric:
        meant = is_number(value) and (number(value) or 0) >= option.least and not value.endswith("m+")
        # `at full context length, 4090`: a GPU, and four thousand and ninety tokens are nobody's context
        meant = meant and not (option.key == "ctx" and gpus.find(value))
        return Hit(taken + 1, (option_piece(option, value, shown),)) if meant else None
    if value in SHOWN_ANYWAY or value in {"half", "full"} or value.startswith("-"):
        return None
    try:
        return Hit(taken + 1, (option_piece(option, value, shown),))
    except EngineError:
        return None


def _key(words: list[Word], place: int) -> tuple[Option | None, int]:
    text = words[place].text.replace("_", "-")
    known = options()
    if len(words) > place + 1 and text not in WORKLOAD_WORDS and (joined := f"{text}-{words[place + 1].text}") in known:
        return known[joined], 2
    return (known.get(text) if len(text) > 1 else None), 1


def _kv_format(words: list[Word], place: int) -> Hit | None:
    """`q8 kv`, `8bit cache`: the format before its noun."""
    text, bits = words[place].text, 0
    if len(words) > place + 2 and words[place + 1].text in {"bit", "bits"}:
        text, bits = f"{text}bit", 1
    if text not in kv_words() or len(words) <= place + bits + 1 or words[place + bits + 1].text not in _KV_NOUNS:
        return None
    taken = bits + 2
    while len(words) > place + taken and words[place + taken].text in _KV_NOUNS:
        taken += 1
    if len(words) > place + taken and words[place + taken].text in kv_words():
        return None
    return Hit(taken, (option_piece(options()["kv"], text, given(words, place, taken)),))


def _long_phrase(words: list[Word], place: int) -> Hit | None:
    return phrase_at(words, place, least=2)


# names of GPUs and models last: looking for them is what costs
_READERS: Final[tuple[Reader, ...]] = (
    limit_at,
    size_limit_at,
    term_at,
    _keyed,
    glued_at,
    most_gpus_at,
    counts_at,
    _long_phrase,
    described_at,
    people_at,
    length_at,
    counted_at,
    _key_then_value,
    not_counted_at,
    _kv_format,
    format_at,
    phrase_at,
    nodes_at,
    gpu_at,
    model_at,
    context_at,
)


def _in_parts(word: Word, *, mention: bool) -> Hit | None:
    """A word grown together from known ones: `70b-int4`, `hours/cost`, `13b:q4_k_m`, `13b_lora`."""
    return next(filter(None, (_parted(word, pattern, mention=mention) for pattern in _PARTS)), None)


def _parted(word: Word, separators: re.Pattern[str], *, mention: bool) -> Hit | None:
    parts = [part for part in separators.split(word.text) if part]
    if len(parts) < 2 or "=" in word.text or "//" in word.text or any(len(part) < 2 for part in parts):
        return None
    pieces: list[Piece] = []
    for part in parts:
        hit = _understood([Word(word.typed, part)], 0)
        if not hit and mention and part in filler():
            continue
        if not hit:
            return None
        pieces += hit.pieces
    return Hit(1, tuple(pieces) or (Piece("filler", None, word.typed, ""),))

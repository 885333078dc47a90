"""From words to pieces: at each place the first reader that understands takes as many words as it understands."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.grammar import gpu_names, model_words
from bot.grammar.described import described_at
from bot.grammar.fields import field_at, has_fields
from bot.grammar.format_words import format_at, format_word
from bot.grammar.gpu_sets import gpu_at, nodes_at
from bot.grammar.lengths import length_at
from bot.grammar.limits import limit_at, most_gpus_at, size_limit_at, term_at
from bot.grammar.model_words import ModelWord, model_at
from bot.grammar.near import near_models
from bot.grammar.negations import refuse_negated
from bot.grammar.not_counted import not_counted_at
from bot.grammar.numbers import context_at, counted_at, glued_at
from bot.grammar.options import Option, option_piece, options
from bot.grammar.people import people_at
from bot.grammar.phrases import phrase_at
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.refuse import refuse_unpublished, unknown
from bot.grammar.sentence import filler, is_slip
from bot.grammar.sentence_sizes import standing
from bot.grammar.several import counts_at, refuse_parted, refuse_range
from bot.grammar.values import is_number, number
from bot.grammar.words import (
    OR_WORDS,
    SHOWN_ANYWAY,
    SPOKEN_MODELS,
    USER_ADJECTIVES,
    USER_UNITS,
    WORKLOAD_WORDS,
    word_set,
)
from engine import gpus
from engine.errors import EngineError, NotModelled, UnknownGpu, UnknownModel
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
_WHOLE_CONTEXT: Final = (("full", "context"), ("max", "context"), ("maximum", "context"), ("whole", "context"))
_FULL_OF: Final = word_set("context ctx window length precision size speed sequence offload gpu")
_ADJECTIVES: Final = frozenset({"quantised", "quantized", "quant", "quants"})
_BRANDS: Final = word_set("rtx gtx rx geforce quadro radeon")
_HALF_OF: Final = word_set("a an of on the my in")
_ASIDES: Final = tuple(
    tuple(phrase.split())
    for phrase in (
        "cuda out of memory",
        "out of cuda",
        "cuda oom",
        "cuda error",
        "out of memory",
        "out of",
        "less than a token",
    )
)
_PARTS: Final = (re.compile(r"[/:+-]"), re.compile(r"[/:_+-]"))
"""What known words are grown together with; an underscore stands inside the names of formats too."""

_QUANTITY: Final = re.compile(r"[~+-]?[\d.]+(?:%|mib|mb|tb|tib|gb/s|ms|s|st|nd|rd|th|w|k|m|x|gb|g|gib|b)?\+?")
_VARIANTS: Final = word_set("air flash lite mini nano turbo coder omni")
_NO_VARIANT_BEFORE: Final = word_set("attention gapped")
_COUNTED_NOUNS: Final = word_set(
    "node nodes replica replicas copy copies instance instances server servers machine machines"
)
_VERSION: Final = re.compile(r"\d(?:\.\d)?")
_YEAR: Final = re.compile(r"20[0-3]\d")
_MENTION_MARKS: Final = "@#:"


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
        hit = (_aside(words, place) if mention else None) or (field_at(words, place) if fields else None)
        hit = hit or _understood(words, place)
        refuse_range(words, place, hit, _understood)
        if not hit and mention:
            hit = _filler(words, place)
        hit = hit or _in_parts(words[place], mention=mention)
        if not hit:
            raise unknown(words, place)
        pieces += _as_meant(words, place, hit) if mention else hit.pieces
        place += hit.taken
        if mention and isinstance(named := hit.pieces[0].value, ModelWord) and named.found:
            _refuse_other_maker(pieces, words[place - hit.taken])
            _refuse_variant(words, place - hit.taken, place)
    return pieces


def _refuse_variant(words: list[Word], start: int, end: int) -> None:
    """Refuses a name that goes on in a way that is not known: `grok 2`, `glm 4.6 air`.

    Raises:
        UnknownModel: the word behind the name is a version or a variant, and means nothing else.
    """
    after, behind = ([*(word.text for word in words[end : end + 2]), "", ""])[:2]
    if not after or words[end].after_pause or behind in _NO_VARIANT_BEFORE or behind in _COUNTED_NOUNS:
        return
    if after in _VARIANTS or (_VERSION.fullmatch(after) and not _understood(words, end)):
        shown = given(words, start, end - start + 1)
        raise UnknownModel(shown, near=near_models(shown), reason="this version of the model is not known")


def _refuse_other_maker(pieces: list[Piece], name: Word) -> None:
    """Refuses `whisper large v3`: a version that DeepSeek's is called by, behind a name that nobody knows.

    Raises:
        UnknownModel: as said.
    """
    before = [piece for piece in pieces[-3:-1] if not name.after_pause]
    stray = next((piece for piece in before if piece.role == "stray"), None)
    if name.text in SPOKEN_MODELS and stray:
        raise UnknownModel(f"{stray.given} {name.typed}", near=())


def _as_meant(words: list[Word], place: int, hit: Hit) -> tuple[Piece, ...]:
    """In a sentence a memory size may be a mere figure."""
    size = gpu_names.size_at([word.text for word in words[place : place + 2]])
    if not size or size[0] != hit.taken or hit.pieces[0].role != "gpu":
        return hit.pieces
    meant = standing(words, place, hit.taken)
    if meant == "aside" or "." in words[place].text:
        return (Piece("filler", None, hit.pieces[0].given, ""),)
    return tuple(replace(piece, weak=meant == "weak") for piece in hit.pieces)


def _aside(words: list[Word], place: int) -> Hit | None:
    """What sounds like a word of the grammar and is none in a sentence."""
    texts = tuple(word.text for word in words[place : place + 4])
    taken = next((len(phrase) for phrase in _ASIDES if texts[: len(phrase)] == phrase), 0)
    taken = taken or _asked_users(texts) or _half_or_full(texts) or _year(words, texts)
    if texts[0] in _ADJECTIVES and place and words[place - 1].text in {*OR_WORDS, "than"}:
        taken = 1
    if taken:
        return Hit(taken, (Piece("filler", None, given(words, place, taken), ""),))
    if texts[:2] in _WHOLE_CONTEXT:
        shown = given(words, place, 2)
        return Hit(2, (Piece("noted", "not taken, say how long (ctx=)", shown, shown),))
    return None


def _half_or_full(texts: tuple[str, ...]) -> int:
    """`half of it`, `full speed`: no format and no tuning."""
    if texts[0] == "half":
        return 1 if texts[1:2] and texts[1] in _HALF_OF else 0
    if texts[0] != "full" or len(texts) < 2 or texts[:2] in _WHOLE_CONTEXT:
        return 0
    return 1 if is_number(texts[1]) or texts[1] in _FULL_OF else 0


def _year(words: list[Word], texts: tuple[str, ...]) -> int:
    """`in 2026`, where no prompt is meant."""
    return 2 if texts[0] == "in" and texts[1:2] and _YEAR.fullmatch(texts[1]) and not _has_output(words) else 0


def _asked_users(texts: tuple[str, ...]) -> int:
    """How many words ask how many users there may be, which the card shows: `how many concurrent users at 8k`."""
    if texts[:2] != ("how", "many"):
        return 0
    taken = 3 if texts[2:3] and texts[2] in USER_ADJECTIVES and texts[3:] and texts[3] in USER_UNITS else 2
    return taken + 1 if texts[taken:] and texts[taken] in USER_UNITS else 0


def _has_output(words: list[Word]) -> bool:
    """Whether a sentence speaks of its output, and so of its prompt too."""
    return any(options().get(word.text.partition("=")[0]) is options()["out"] for word in words)


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


def _filler(words: list[Word], place: int) -> Hit | None:
    """A word of a sentence that says nothing about sizing."""
    text = words[place].text
    nothing = Hit(1, (Piece("filler", None, words[place].typed, ""),))
    if len(words) > place + 1 and words[place + 1].text in {"gb/s", "tb/s"}:
        raise UnknownGpu(
            given(words, place, 2),
            allowed="a GPU by its name, or its memory, such as 24gb",
            reason="its bandwidth alone names no GPU",
        )
    refuse_parted(words, place)
    refuse_unpublished(words[place])
    if text in filler() or text in USER_UNITS or text[0] in _MENTION_MARKS or "'" in text or _QUANTITY.fullmatch(text):
        return nothing
    if text in _BRANDS and len(words) > place + 1 and words[place + 1].text[0].isdecimal():
        return None
    if any(letter.isdecimal() for letter in text) or "=" in text or "/" in text or is_slip(text):
        return None
    if _is_unknown_family(words, place):
        return None
    role = "family" if model_words.may_begin_name(text) else "stray"
    return Hit(1, (Piece(role, None, words[place].typed, ""),))


def _is_unknown_family(words: list[Word], place: int) -> bool:
    """A word that is no filler, straight before a size: the name of a model that is not known."""
    if len(words) > place + 1 and words[place + 1].after_pause:
        return False
    behind = [word.text for word in words[place + 1 : place + 3]]
    if len(behind) > 1 and _VERSION.fullmatch(behind[0]):
        behind = behind[1:]
    after = behind[0] if behind else ""
    return words[place].text.isascii() and model_words.is_size(after) and not format_word(words[place].text)

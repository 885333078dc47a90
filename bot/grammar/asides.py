"""What only sentences hold: words that say nothing about sizing, figures by the way, names that go on."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.grammar import gpu_names, model_words
from bot.grammar.format_words import format_word
from bot.grammar.near import near_models
from bot.grammar.options import options
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.refuse import refuse_unpublished
from bot.grammar.sentence import filler, is_slip
from bot.grammar.sentence_sizes import standing
from bot.grammar.several import refuse_parted
from bot.grammar.values import is_number
from bot.grammar.words import OR_WORDS, SPOKEN_MODELS, USER_ADJECTIVES, USER_UNITS, word_set
from engine.errors import UnknownGpu, UnknownModel

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
_QUANTITY: Final = re.compile(r"[~+-]?[\d.]+(?:%|mib|mb|tb|tib|gb/s|ms|s|st|nd|rd|th|w|k|m|x|gb|g|gib|b)?\+?")
_VARIANTS: Final = word_set("air flash lite mini nano turbo coder omni")
_NO_VARIANT_BEFORE: Final = word_set("attention gapped")
_COUNTED_NOUNS: Final = word_set(
    "node nodes replica replicas copy copies instance instances server servers machine machines"
)
_VERSION: Final = re.compile(r"\d(?:\.\d)?")
_YEAR: Final = re.compile(r"20[0-3]\d")
_MENTION_MARKS: Final = "@#:"


def aside_at(words: list[Word], place: int) -> Hit | None:
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


def filler_at(words: list[Word], place: int) -> Hit | None:
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


def as_meant(words: list[Word], place: int, hit: Hit) -> tuple[Piece, ...]:
    """In a sentence a memory size may be a mere figure."""
    size = gpu_names.size_at([word.text for word in words[place : place + 2]])
    if not size or size[0] != hit.taken or hit.pieces[0].role != "gpu":
        return hit.pieces
    meant = standing(words, place, hit.taken)
    if meant == "aside" or "." in words[place].text:
        return (Piece("filler", None, hit.pieces[0].given, ""),)
    return tuple(replace(piece, weak=meant == "weak") for piece in hit.pieces)


def refuse_variant(
    words: list[Word], start: int, end: int, understood: Callable[[list[Word], int], Hit | None]
) -> None:
    """Refuses a name that goes on in a way that is not known: `grok 2`, `glm 4.6 air`.

    Args:
        words: all words.
        start: where the name begins.
        end: where it ends.
        understood: what the words from a place mean, None where nothing.

    Raises:
        UnknownModel: the word behind the name is a version or a variant, and means nothing else.
    """
    after, behind = ([*(word.text for word in words[end : end + 2]), "", ""])[:2]
    if not after or words[end].after_pause or behind in _NO_VARIANT_BEFORE or behind in _COUNTED_NOUNS:
        return
    if after in _VARIANTS or (_VERSION.fullmatch(after) and not understood(words, end)):
        shown = given(words, start, end - start + 1)
        raise UnknownModel(shown, near=near_models(shown), reason="this version of the model is not known")


def refuse_other_maker(pieces: list[Piece], name: Word) -> None:
    """Refuses `whisper large v3`: a version that DeepSeek's is called by, behind a name that nobody knows.

    Raises:
        UnknownModel: as said.
    """
    before = [piece for piece in pieces[-3:-1] if not name.after_pause]
    stray = next((piece for piece in before if piece.role == "stray"), None)
    if name.text in SPOKEN_MODELS and stray:
        raise UnknownModel(f"{stray.given} {name.typed}", near=())

"""Weight formats as people write them. Two words that agree are the more specific one; different ones are refused.

Each word may mean several formats and has one that it means alone: `4bit` alone is int4, beside `gptq` it only agrees.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.grammar.pieces import MOST_CACHED, Hit, Piece, Word, given
from bot.grammar.words import word_set
from engine.errors import ConflictingWords, ImpossibleValue
from engine.formats import weight_words

QLORA_BASES: Final = word_set(
    "4bit 4bits w4 w4a16 int4 nf4 nf4-dq nf4-double bnb bnb4 bitsandbytes load_in_4bit double-quant"
)
"""Words that beside `lora` mean QLoRA."""

_OTHER_WORDS: Final[Mapping[str, str | None]] = {
    "w4": "int4",
    "w8": "int8",
    "4bits": "int4",
    "8bits": "int8",
    "16bits": "bf16",
    "32bit": "fp32",
    "unquantised": "bf16",
    "bitsandbytes": "nf4",
    "iq4xs": "iq4_xs",
    "double-quant": "nf4-dq",
    **dict.fromkeys(("gguf", "fp4", "quantized", "quantised", "quant", "quants")),
}
"""Words beyond the engine's table, with what they mean alone; None: nothing by themselves."""

_FIXED_MEANINGS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(
        ("4bit", "4bits"),
        word_set(
            "int4 nf4 nf4-dq mxfp4 nvfp4 awq gptq gptq-g64 gptq-g32 gptq-nogroup q4_k_m q4_k_s q4_0 q4_1 iq4_xs iq4_nl"
        ),
    ),
    **dict.fromkeys(
        ("int4", "w4a16", "w4"),
        word_set("int4 nf4 nf4-dq awq gptq gptq-g64 gptq-g32 gptq-nogroup q4_k_m q4_k_s q4_0 q4_1 iq4_xs iq4_nl"),
    ),
    **dict.fromkeys(("8bit", "8bits"), word_set("int8 gptq-int8 q8_0 fp8")),
    **dict.fromkeys(("int8", "w8"), word_set("int8 gptq-int8 q8_0")),
    **dict.fromkeys(("16bit", "16bits", "half", "unquantized", "unquantised"), word_set("bf16 fp16")),
    **dict.fromkeys(("bnb", "bitsandbytes"), word_set("nf4 nf4-dq int8")),
    **dict.fromkeys(("gptq", "exllama"), word_set("gptq gptq-g64 gptq-g32 gptq-nogroup gptq-int8")),
    "nf4": word_set("nf4 nf4-dq"),
    "fp4": word_set("nvfp4 mxfp4 nf4"),
}
"""Words that may mean several formats."""

_BEGINNINGS: Final[Mapping[str, str]] = {"q3": "q3_k", "q4": "q4", "q5": "q5", "q4_k": "q4_k"}
"""Words for all GGUF types that begin so."""


_BITS: Final = re.compile(r"(\d(?:\.\d+)?)-?(bits?|bpw)")
_FEW_BITS: Final = re.compile(r"\d(?:\.\d+)?")
_KNOWN_BITS: Final = frozenset({"4", "8"})
_SPOKEN_BITS: Final = {"four": "4", "eight": "8", "sixteen": "16"}
_SPOKEN_WORD: Final = re.compile(rf"({'|'.join(_SPOKEN_BITS)})-bit")


@dataclass(frozen=True, slots=True)
class FormatWord:
    """A word of a weight format: what it means alone (None: nothing) and everything it may mean."""

    word: str
    alone: str | None
    may_mean: frozenset[str]


@lru_cache(maxsize=MOST_CACHED)
def format_word(text: str) -> FormatWord | None:
    """The format word that a text is, dashes or underscores alike.

    >>> format_word("4bit").alone, format_word("q4_K_M".lower()).alone
    ('int4', 'q4_k_m')
    """
    known = weight_words()
    spellings = (text, text.replace("-", "_"), text.replace("_", "-"), text.replace("-", ""), text.replace("_", ""))
    word = next((spelling for spelling in spellings if spelling in known or spelling in _OTHER_WORDS), None)
    if word is None:
        return None
    alone = _OTHER_WORDS[word] if word in _OTHER_WORDS else known[word]
    return FormatWord(word, alone, _may_mean(word, alone))


def _may_mean(word: str, alone: str | None) -> frozenset[str]:
    if word in _FIXED_MEANINGS:
        return _FIXED_MEANINGS[word]
    every = frozenset(weight_words().values())
    if word == "gguf":
        return frozenset(name for name in every if name.startswith(("q", "iq")))
    if word in _BEGINNINGS:
        return frozenset(name for name in every if name.startswith(_BEGINNINGS[word]))
    return frozenset({alone}) if alone else every - {"fp32", "bf16", "fp16"}


def format_at(words: list[Word], start: int) -> Hit | None:
    """The weight format that the words from `start` name: `q4_k_m`, `4 bit`, `int4_awq`.

    Raises:
        ImpossibleValue: bits that several formats have.
    """
    text = _SPOKEN_WORD.sub(lambda found: f"{_SPOKEN_BITS[found[1]]}bit", words[start].text)
    if found := format_word(text):
        return Hit(1, (_piece(found, words[start].typed),))
    if unnamed := _unnamed_bits([word.text for word in words[start : start + 2]]):
        raise ImpossibleValue(
            given(words, start, unnamed),
            allowed="a format by its name, such as q2_k, q3_k_m, iq3_m, q5_k_m or q6_k",
            reason="it does not say which format that is",
        )
    bits = _SPOKEN_BITS.get(text, text)
    if bits in {"4", "8", "16", "32"} and len(words) > start + 1 and words[start + 1].text in {"bit", "bits"}:
        joined = format_word(f"{bits}bit")
        return Hit(2, (_piece(joined, given(words, start, 2)),)) if joined else None
    return None


def _unnamed_bits(texts: list[str]) -> int:
    """How many words give a number of bits that is no format by itself: `3 bit`, `1.58-bit`, `4.5bpw`; 0 otherwise."""
    if found := _BITS.fullmatch(texts[0]):
        return 0 if found[1] in _KNOWN_BITS and found[2] != "bpw" else 1
    if len(texts) < 2 or not _FEW_BITS.fullmatch(texts[0]) or texts[1] not in {"bit", "bits", "bpw"}:
        return 0
    return 0 if texts[0] in _KNOWN_BITS and texts[1] != "bpw" else 2


def _piece(found: FormatWord, shown: str) -> Piece:
    return Piece("weight", found, shown, found.alone or "")


def agreed(pieces: list[Piece]) -> str | None:
    """The format that all the words agree on; None where there is no word.

    Raises:
        ConflictingWords: they cannot mean one format.
        ImpossibleValue: they leave open which one.
    """
    found = [piece.value for piece in pieces if isinstance(piece.value, FormatWord)]
    if not found:
        return None
    meant = frozenset.intersection(*(one.may_mean for one in found))
    shown = " ".join(dict.fromkeys(piece.given for piece in pieces))
    if not meant:
        raise ConflictingWords(shown, allowed="one weight format", reason="these are different weight formats")
    if len(meant) == 1:
        return next(iter(meant))
    settled = [one for one in sorted(found, key=lambda one: len(one.may_mean)) if one.alone in meant]
    if not settled or settled[0].alone is None:
        raise ImpossibleValue(
            shown,
            allowed="a format by its name, such as q4_k_m, awq, gptq, nf4 or fp8",
            reason="it does not say which format that is",
        )
    return settled[0].alone

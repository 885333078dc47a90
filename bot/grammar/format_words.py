"""Weight formats as people write them. Two words that agree are the more specific one; different ones are refused.

Each word may mean several formats and has one that it means alone: `4bit` alone is int4, beside `gptq` it only agrees.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.grammar.pieces import Hit, Piece, Word, given
from engine.errors import ConflictingWords, ImpossibleValue
from engine.formats import weight_words

FOUR_BIT: Final = frozenset({"4bit", "int4", "w4a16", "4-bit", "w4"})
QLORA_BASES: Final = frozenset(
    {"4bit", "int4", "nf4", "nf4-dq", "bnb", "bnb4", "load_in_4bit", "nf4-double", "4-bit", "double-quant"}
)
"""Words that beside `lora` mean QLoRA."""

GGUF: Final = "gguf"

_EIGHT_BIT: Final = frozenset({"8bit", "int8", "8-bit", "w8"})
_SIXTEEN_BIT: Final = frozenset({"16bit", "16-bit", "unquantized", "unquantised", "half"})
_GROUPED: Final = frozenset({"awq", "gptq", "gptq-g64", "gptq-g32", "gptq-nogroup"})
_GENERIC_Q: Final = {"q3": "q3_k", "q4": "q4", "q5": "q5", "q4_k": "q4_k"}


@dataclass(frozen=True, slots=True)
class FormatWord:
    """A word of a weight format: what it means alone (None: nothing) and everything it may mean."""

    word: str
    alone: str | None
    may_mean: frozenset[str]


@cache
def format_word(text: str) -> FormatWord | None:
    """The format word that a text is, dashes or underscores alike.

    >>> format_word("4bit").alone, format_word("q4_K_M".lower()).alone
    ('int4', 'q4_k_m')
    """
    known = weight_words()
    spellings = (text, text.replace("-", "_"), text.replace("_", "-"), text.replace("-", ""), text.replace("_", ""))
    word = next((spelling for spelling in spellings if spelling in known or spelling in _EXTRA), None)
    if word is None:
        return None
    alone = _EXTRA[word] if word in _EXTRA else known[word]
    return FormatWord(word, alone, _may_mean(word, alone))


_EXTRA: Final[dict[str, str | None]] = {
    "w4": "int4", "w8": "int8", "unquantised": "bf16", "4bits": "int4", "8bits": "int8", "16bits": "bf16",
    "fp32": "fp32", "32bit": "fp32", "bitsandbytes": "nf4", "quantized": None, "quantised": None, "quant": None,
    "quants": None, "gguf": None, "iq4xs": "iq4_xs", "fp4": None, "e4m3": "fp8", "double-quant": "nf4-dq",
}  # fmt: skip


def _may_mean(word: str, alone: str | None) -> frozenset[str]:
    every = frozenset(weight_words().values())
    gguf = frozenset(name for name in every if name.startswith(("q", "iq")))
    if alone is None:
        return (
            gguf
            if word == GGUF
            else frozenset({"nvfp4", "mxfp4", "nf4"})
            if word == "fp4"
            else every - {"fp32", "bf16", "fp16"}
        )
    if word in FOUR_BIT | {"4bits"}:
        return (
            frozenset({"int4", "nf4", "nf4-dq", "mxfp4", "nvfp4"}) | _GROUPED | frozenset(n for n in gguf if "q4" in n)
        )
    if word in _EIGHT_BIT | {"8bits"}:
        return frozenset({"int8", "gptq-int8", "q8_0", "fp8"})
    if word in _SIXTEEN_BIT | {"16bits"}:
        return frozenset({"bf16", "fp16"})
    if word in {"bnb", "bitsandbytes"}:
        return frozenset({"nf4", "nf4-dq", "int8"})
    if word in {"gptq", "exllama"}:
        return frozenset(name for name in every if name.startswith("gptq"))
    if word == "nf4":
        return frozenset({"nf4", "nf4-dq"})
    if word in _GENERIC_Q:
        return frozenset(name for name in gguf if name.startswith(_GENERIC_Q[word]))
    return frozenset({alone})


def format_at(words: list[Word], start: int) -> Hit | None:
    """The weight format that the words from `start` name: `q4_k_m`, `4 bit`, `int4_awq`."""
    text = words[start].text
    if found := format_word(text):
        return Hit(1, (_piece(found, words[start].typed),))
    if text in {"4", "8", "16", "32"} and len(words) > start + 1 and words[start + 1].text in {"bit", "bits"}:
        joined = format_word(f"{text}bit")
        return Hit(2, (_piece(joined, given(words, start, 2)),)) if joined else None
    return None


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
            shown, allowed="a format by its name, such as q4_k_m, awq, gptq, nf4 or fp8", reason="which format it is"
        )
    return settled[0].alone

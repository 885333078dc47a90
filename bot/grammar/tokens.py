"""A normalised text cut into words."""

import re
from functools import cache, lru_cache
from typing import Final

from bot.grammar.fields import FIELD_KEYS
from bot.grammar.figures import KEPT_COMMA, joined
from bot.grammar.links import unlinked
from bot.grammar.options import options
from bot.grammar.pieces import MOST_CACHED, Word
from bot.grammar.words import NOT_MODELLED, OR_WORDS, RUN_WORDS, SHOWN_ANYWAY, WORKLOAD_WORDS, word_set

_SPACED_EQUALS: Final = re.compile(r"(?<!\S)(-*[A-Za-z][\w-]*)(?:\s*(<?=)\s*(?=\S)|:(?=\w))")
_SEPARATORS: Final = re.compile(r"[,;|()\[\]{}]")
_PAUSE: Final = "\x02"
_KEPT_COMMA: Final = re.compile(r"(?<==)q,(?:v|k,v,o)(?!\S)", re.IGNORECASE)
_PLUS_BETWEEN: Final = re.compile(r"(?<=[A-Za-z\d])\+(?=[A-Za-z\d])")
_IDEOGRAPHS: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_LONGEST_IDEOGRAPH_WORD: Final = 4
_EMOJI: Final = re.compile(r":[a-z][\w+-]*:")
_EDGES_BEFORE: Final = "'\"~>:!?"
_EDGES_AFTER: Final = "'\".!?:>…"


def words_of(text: str) -> list[Word]:
    """The words of a normalised text.

    >>> [word.text for word in words_of('Can "13B" run (ctx = 4k), 131,072?')]
    ['can', '13b', 'run', 'ctx=4k', '131072']
    """
    text = _KEPT_COMMA.sub(lambda found: found[0].replace(",", "-"), text)
    text = joined(unlinked(text))
    text = _SPACED_EQUALS.sub(_joined, _SEPARATORS.sub(f" {_PAUSE} ", text))
    text = _IDEOGRAPHS.sub(_cut, _PLUS_BETWEEN.sub(" + ", text))
    found: list[Word] = []
    paused = False
    for typed in text.replace(KEPT_COMMA, ",").split():
        word = _without_edges(typed.lower())
        if typed == _PAUSE:
            paused = True
        elif word:
            found.append(Word(typed, word, paused))
            paused = False
    return found


@cache
def _joined_keys() -> frozenset[str]:
    return (
        frozenset(options())
        | word_set("budget provider cloud term gpu gpus model format quant dtype lang")
        | set(FIELD_KEYS)
    )


def _joined(found: re.Match[str]) -> str:
    key = found[1].lower().lstrip("-").replace("_", "-")
    if found[2] == "<=":
        return "max-gpus=" if key in {"gpus", "gpu", "max-gpus"} else found[0]
    return f"{found[1]}=" if key in _joined_keys() else found[0]


def _without_edges(word: str) -> str:
    if _EMOJI.fullmatch(word):
        return word
    word = word.lstrip(_EDGES_BEFORE).rstrip(_EDGES_AFTER).removesuffix("'s")
    if word.startswith("-"):
        bare = word.lstrip("-")
        # `-4k` is a number below nought, `--ctx=4k` and `-c` are options of other tools
        return word if bare[:1].isdigit() or bare[:1] == "." else bare
    return word.rstrip("-") if word != "-" else ""


def _cut(found: re.Match[str]) -> str:
    """A run of ideographs, cut at the words that are known."""
    run, words, unknown = found[0], [], ""
    place = 0
    while place < len(run):
        length = next((n for n in range(_LONGEST_IDEOGRAPH_WORD, 0, -1) if _is_known(run[place : place + n])), 0)
        if length:
            words += [unknown, run[place : place + length]]
            unknown = ""
        else:
            unknown += run[place]
        place += length or 1
    return f" {' '.join([*words, unknown])} "


@lru_cache(maxsize=MOST_CACHED)
def _is_known(word: str) -> bool:
    return (
        word in SHOWN_ANYWAY or word in WORKLOAD_WORDS or word in RUN_WORDS or word in OR_WORDS or word in NOT_MODELLED
    )

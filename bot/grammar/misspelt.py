"""Words that look like one of the grammar's and are not possible: why not, and what to write instead."""

import re
from collections.abc import Callable
from typing import Final

from bot.grammar import gpu_names
from bot.grammar.limits import ALLOWED, leads
from bot.grammar.pieces import Word, given
from engine.errors import EngineError, ImpossibleValue
from engine.units import gb_of_mib

_A_GPU: Final = "a GPU memory in GB, such as 24gb"
_NUMBER: Final = r"(\d+(?:\.\d+)?|\.\d+)"


def _whole_gpus(found: re.Match[str]) -> str:
    count = max(1, int(float(found[1])))
    return f"whole GPUs: {count}x{found[2]} or {count + 1}x{found[2]}"


def _in_gb(found: re.Match[str]) -> str:
    size_gb = gb_of_mib(float(found[1])) if found[2] == "mib" else float(found[1]) / 1000
    return f"{_A_GPU} (this is about {round(size_gb)}gb)"


def _with_a_point(found: re.Match[str]) -> str:
    return f"a point ({found[0].replace(',', '.')}), or a space between two things"


_REFUSALS: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str], str], ...]] = (
    (
        re.compile(rf"-{_NUMBER}(?:b|x.+|gb|g)"),
        lambda found: f"{found[0][1:]}, without a sign",
        "nothing is below nought",
    ),
    (re.compile(r"(\d*\.\d+)[x*]([a-z\d].*)"), _whole_gpus, "nobody has part of a GPU"),
    (re.compile(rf"{_NUMBER}(mb|mib)"), _in_gb, "memory is written in GB or GiB"),
    (re.compile(rf"{_NUMBER}(?:tb|tib)"), _A_GPU, "no GPU has so much memory"),
    (
        re.compile(r"\d+(?:\.\d+)?e[+-]?\d+b"),
        "a size written out in billions, such as 13b",
        "a size takes no exponent",
    ),
    (
        re.compile(r"[^,]*\d,\d[^,]*"),
        _with_a_point,
        "a comma between figures may part two things or be a decimal comma",
    ),
)
"""How a word looks, what to write instead, and why it is refused."""


def misspelt(words: list[Word], place: int) -> EngineError | None:
    """The refusal of a word that is nearly right, with its reason; None where it is like nothing.

    >>> str(misspelt([Word("2.5x3090", "2.5x3090")], 0).allowed)
    'whole GPUs: 2x3090 or 3x3090'
    """
    text = words[place].text
    for pattern, allowed, reason in _REFUSALS:
        if (found := pattern.fullmatch(text)) and not gpu_names.find(text):
            instead = allowed if isinstance(allowed, str) else allowed(found)
            return ImpossibleValue(words[place].typed, allowed=instead, reason=reason)
    if lead := leads(words, place):
        return ImpossibleValue(
            given(words, place, lead + 1),
            allowed=f"{ALLOWED}; under 24gb; or max-gpus=2",
            reason="it does not say of what this is a limit",
        )
    return None

"""Numbers of several words or signs become one word: `4,096`, `4 096`, `4'096`, `32 thousand`, `32 k`.

A comma that parts figures otherwise (`1,5b`, `2,4090`) stays in its word, which then is refused as a whole: it may be
a decimal comma or a list, and half of a number is no number.
"""

import re
from typing import Final

from bot.grammar.spoken import in_figures
from bot.grammar.values import NUMBER_WORDS, plain

_THOUSANDS: Final = re.compile(r"(?<![\w.,'])\d{1,3}(?:(?:,\d{3})+(?![\d,])|(?:'\d{3})+(?![\d']))")
_SPACED_THOUSANDS: Final = re.compile(r"(?<![\w.,:'-])\d{1,3} 0\d\d(?: \d{3})*(?![\w.,])")
_SPOKEN: Final = re.compile(
    rf"(?<![\w.,])(\d+(?:\.\d+)?|a|{'|'.join(NUMBER_WORDS)}) (thousand|million)(?!\w)", re.IGNORECASE
)
_SPOKEN_SCALES: Final = {"thousand": 1_000, "million": 1_000_000}
_SPACED_K: Final = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) k(?!\w)", re.IGNORECASE)
_COMMA_IN_FIGURE: Final = re.compile(r"(?<!\S)((?:[\w-]+=)?[-$]?\d{1,3}),(?=\d[^\s,]*(?!\S))(?!\d+x)", re.IGNORECASE)

KEPT_COMMA: Final = "\x1f"
"""Stands for a comma that parts no words until the words are cut."""


def joined(text: str) -> str:
    """The text with every number in one word.

    >>> joined("13b 4 096 tokens, 1,000 users"), joined("ctx of 32 thousand")
    ('13b 4096 tokens, 1000 users', 'ctx of 32000')
    """
    text = in_figures(text)
    if " " in text:
        text = _SPACED_THOUSANDS.sub(lambda found: found[0].replace(" ", ""), text)
        text = _SPACED_K.sub(r"\1k", _SPOKEN.sub(_counted, text))
    if "," not in text and "'" not in text:
        return text
    text = _THOUSANDS.sub(lambda found: re.sub("[,']", "", found[0]), text)
    return _COMMA_IN_FIGURE.sub(rf"\1{KEPT_COMMA}", text)


def _counted(found: re.Match[str]) -> str:
    figure = found[1].lower()
    count = 1.0 if figure == "a" else float(NUMBER_WORDS.get(figure) or figure)
    return plain(count * _SPOKEN_SCALES[found[2].lower()])

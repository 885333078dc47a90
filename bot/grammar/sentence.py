"""Words of sentences that say nothing about sizing: dropped in a mention or a direct message, refused elsewhere.

Not in the list does not mean understood: in a sentence too, a word that is nearly one of the grammar's is refused as
a slip, and one with figures in it as unknown.
"""

from functools import cache
from pathlib import Path
from typing import Final


@cache
def filler() -> frozenset[str]:
    """Words that say nothing about sizing."""
    return frozenset(Path(__file__).with_name("filler_words.txt").read_text(encoding="utf-8").split())


_SLIPS_OF: Final = (
    "lora", "qlora", "infer", "inference", "finetune", "batch", "users", "budget", "private", "unsloth", "torchtune",
    "axolotl", "ollama", "transformers", "concurrent",
)  # fmt: skip


def is_slip(text: str) -> bool:
    """Whether a word is one slip of the finger away from a word of the grammar.

    >>> is_slip("lroa"), is_slip("lion")
    (True, False)
    """
    return any(_one_slip(text, word) for word in _SLIPS_OF if abs(len(text) - len(word)) <= 1)


def _one_slip(text: str, word: str) -> bool:
    """One letter more, less or other, or two neighbours changed about."""
    if text[:1] != word[:1]:
        return False
    start = next(
        (place for place, (a, b) in enumerate(zip(text, word, strict=False)) if a != b), min(len(text), len(word))
    )
    rest, other = text[start:], word[start:]
    return (
        rest[1:] == other
        or rest == other[1:]
        or rest[1:] == other[1:]
        or (rest[:2] == other[1::-1] and rest[2:] == other[2:])
    )

"""Memory sizes in sentences: which one is a GPU, and which only a figure (`takes 10.7GB`, `someone said 8.5gb`)."""

from typing import Final, Literal

from bot.grammar.pieces import Word
from bot.grammar.words import word_set

Standing = Literal["strong", "weak", "aside"]

_GPU_NOUNS: Final = word_set("gpu gpus card cards vram graphics laptop laptops mac memory")
_BEFORE_A_GPU: Final = word_set("on my a an one single in have got with our two")
_BEFORE_A_FIGURE: Final = word_set(
    """
    take takes took taking need needs use uses used using is was are shows show showed says say said saying wants
    want wanted at only about around roughly under over below above just asking than like to by reports estimated
    gives needing allocate allocated consumes peak peaks hits free loaded thats eats eating blows getting sees
    says
    """
)
_AFTER_A_FIGURE: Final = word_set(
    "loaded used free disk file each per total limit headroom spare left reserved overhead margin"
)


def standing(words: list[Word], start: int, count: int) -> Standing:
    """How much the size that these words name is meant as a GPU."""
    after = [word.text for word in words[start + count : start + count + 2]]
    before = words[start - 1].text if start else ""
    if after and after[0] in _GPU_NOUNS and before not in {"takes", "needs", "wants"}:
        return "strong"
    if before in _BEFORE_A_FIGURE or (after and after[0] in _AFTER_A_FIGURE) or after == ["on", "disk"]:
        return "aside"
    return "strong" if before in _BEFORE_A_GPU else "weak"

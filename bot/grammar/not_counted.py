"""What a need leaves out although it has a size: `256g ram`, `128 frames`. The answer says so."""

from typing import Final

from bot.grammar import gpu_names
from bot.grammar.host_memory import host_words
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import is_number
from bot.grammar.words import word_set

_MEDIA: Final = frozenset({"frame", "frames", "image", "images", "picture", "pictures", "photo", "photos"})
_DATA: Final = word_set(
    """
    row rows sample samples example examples step steps conversation conversations dialogue dialogues pair pairs
    docs record records line lines sentence sentences word words character characters chars
    entry entries article articles page pages epoch epochs iteration iterations dataset
    """
)
HOST_MEMORY: Final = "not counted, the need is of GPU memory"
_TOKENS: Final = "not counted, they become context (ctx=)"
_OF_DATA: Final = "not counted, memory follows the tokens at once (ctx=, batch=)"


def not_counted_at(words: list[Word], start: int) -> Hit | None:
    """Memory of the host, a number of frames or images, or how much data there is."""
    texts = [word.text for word in words[start : start + 5]]
    if is_number(texts[0]) and texts[1:2] and texts[1] in _MEDIA:
        return _hit(words, start, 2, _TOKENS)
    if is_number(texts[0]) and texts[1:2] and texts[1] in _DATA:
        return _hit(words, start, 2, _OF_DATA)
    size = gpu_names.size_at(texts[:2])
    named = host_words(texts[size[0] : size[0] + 3]) if size else 0
    return _hit(words, start, size[0] + named, HOST_MEMORY) if size and named else None


def _hit(words: list[Word], start: int, taken: int, why: str) -> Hit:
    shown = given(words, start, taken)
    return Hit(taken, (Piece("noted", why, shown, shown),))

"""How long prompts and answers are, which together are the context: `8k prompts`, `answers of 500 tokens`."""

from typing import Final

from bot.grammar.options import option_piece, options
from bot.grammar.pieces import Hit, Word, given
from bot.grammar.values import is_number, number
from bot.grammar.words import word_set

LEAST_TOKENS: Final = 256
"""A smaller number before `prompts` counts them, unless it is said to be of tokens."""

_TOKENS: Final = word_set("token tokens tok")
_SIDES: Final = {
    **dict.fromkeys(("prompt", "prompts", "document", "documents", "input", "inputs"), "in"),
    **dict.fromkeys(("answer", "answers", "reply", "replies", "response", "responses"), "out"),
    **dict.fromkeys(("output", "outputs", "completion", "completions"), "out"),
}


def length_at(words: list[Word], start: int) -> Hit | None:
    """A length with its side, in either order."""
    texts = [word.text for word in words[start : start + 4]]
    if texts[0] in _SIDES and texts[1:2] == ["of"] and len(texts) > 2 and is_number(texts[2]):
        return _hit(words, start, 4 if texts[3:] and texts[3] in _TOKENS else 3, texts[0], texts[2])
    if not is_number(texts[0]) or len(texts) < 2:
        return None
    of_tokens = texts[1] in _TOKENS
    skipped = 2 if of_tokens or texts[1] == "of" else 1
    if len(texts) <= skipped or texts[skipped] not in _SIDES:
        return None
    is_long = of_tokens or texts[0].endswith("k") or (number(texts[0]) or 0) >= LEAST_TOKENS
    return _hit(words, start, skipped + 1, texts[skipped], texts[0]) if is_long else None


def _hit(words: list[Word], start: int, taken: int, side: str, value: str) -> Hit:
    return Hit(taken, (option_piece(options()[_SIDES[side]], value, given(words, start, taken)),))

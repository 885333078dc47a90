"""Text to question: one grammar for every surface, no words of a platform."""

from typing import Final

from bot.grammar.assemble import assemble
from bot.grammar.normalise import normalise
from bot.grammar.parse import pieces_of
from bot.grammar.reading import LabelledQuestion, Reading
from bot.grammar.suggest import nearest
from bot.grammar.tokens import words_of
from bot.grammar.vocabulary import known_words
from engine.errors import EmptyQuestion, QuestionTooLong

MOST_CHARACTERS: Final = 500
"""Of a question, as its writer meant it: chat clients lengthen a text (`<http://x|x>`), and that is not counted."""

MOST_RAW_CHARACTERS: Final = 10 * MOST_CHARACTERS
"""Beyond this not even the marks of a chat client are undone."""

__all__ = [
    "MOST_CHARACTERS",
    "LabelledQuestion",
    "Reading",
    "known_words",
    "nearest",
    "normalise",
    "read",
]


def read(text: str, *, mention: bool = False) -> Reading:
    """Everything that a text may mean, as questions.

    Args:
        text: what was typed or said, as it came from the surface.
        mention: a sentence to the bot, in which words without meaning for sizing are dropped.

    Returns:
        One option where the text is plain, several where the asker has to choose.

    Raises:
        EngineError: it asks nothing, too much, or something that is not known or cannot be.

    >>> read("13b lora ctx=4k").options[0].question.context_tokens
    4096
    >>> [option.ask for option in read("13b finetune").options]
    ['13b lora', '13b qlora', '13b full']
    """
    if len(text) > MOST_RAW_CHARACTERS:
        raise _too_long(text)
    plain = normalise(text)
    if len(plain) > MOST_CHARACTERS:
        raise _too_long(plain)
    words = words_of(plain)
    if not words:
        raise EmptyQuestion(plain)
    return assemble(pieces_of(words, mention=mention), plain, mention=mention)


def _too_long(text: str) -> QuestionTooLong:
    return QuestionTooLong(
        f"{len(text):,} characters",
        allowed=f"at most {MOST_CHARACTERS} characters",
        reason="a question fits in a line or two",
    )

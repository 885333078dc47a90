"""How text becomes the words a query is found by.

Decision: an own table of words (tables.query_words) instead of PostgreSQL's tsvector or trigrams and SQLite's FTS5.
Both databases then find exactly the same rows, no extension is needed, and since a word's entries stand newest first in
the index, a page of a common word ("70b") costs what a page of a rare one does; an inverted index without that order
has to sort every match. It costs some ten short index entries a query. What it leaves out: a part of a word finds
nothing ("lam" does not find "llama"), only whole words, numbers and the letters or digits of a mixed word do.
"""

import re
from collections.abc import Iterable

CHUNK = re.compile(r"[^\W_]+")
RUN = re.compile(r"[^\W\d_]{2,}|\d{2,}")
ASKER = "@"


def words_of(*texts: str | None) -> frozenset[str]:
    """The words a row is found by.

    >>> sorted(words_of("Can 2x RTX3090 run Qwen2.5-72B?"))
    ['2x', '3090', '5', '72', '72b', 'can', 'qwen', 'qwen2', 'rtx', 'rtx3090', 'run']
    """
    chunks = {chunk for text in texts if text for chunk in searched(text)}
    return frozenset(chunks).union(run for chunk in chunks for run in RUN.findall(chunk))


def searched(text: str) -> tuple[str, ...]:
    """The words that all have to be found for `text` to be found: split at all but letters and digits.

    >>> searched("Llama-3.1-70B")
    ('llama', '3', '1', '70b')
    """
    return tuple(CHUNK.findall(text.casefold()))


def asker_word(user_name: str) -> str:
    """The word by which the rows of a person are found by name; no text makes such a word.

    >>> asker_word("Sara")
    '@sara'
    """
    return ASKER + user_name.casefold()


def row_words(text: str, model: str | None, user_name: str, notes: Iterable[str] = ()) -> list[str]:
    """All words of one row, in order, without doubles."""
    return sorted(words_of(text, model, *notes) | {asker_word(user_name)})

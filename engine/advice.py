"""Which GPU the guides advise for which task and person: their rows, and how a text finds them.

What the rows say is computed against the catalog by the caller; `asks` are the questions that stand for each.
"""

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from math import log
from typing import Final

from engine.tables import checked, packaged_rows
from engine.values import Value

NEAR_SCORE: Final = 0.75
"""A row that scores less than this share of the best is left out."""
MOST_ROWS: Final = 2
BUDGETS_USD: Final = (Decimal(3000), Decimal(10_000))
"""Where the guides' budgets part. Source: sizing guide, workloads (budget rows)."""

_WORD: Final = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SAYS_NOTHING: Final = frozenset(
    ("a", "an", "and", "at", "for", "in", "is", "it", "my", "of", "on", "or", "our", "the", "to", "we", "with")
)


class Workload(Value):
    """One row of the guides. `words` are those that find it, `asks` the questions that stand for it."""

    who_or_what: str
    card: str
    because: str
    gpus: tuple[str, ...]
    words: frozenset[str]
    asks: tuple[str, ...]
    note: str


@cache
def workloads() -> tuple[Workload, ...]:
    """The rows of the guides, in their order. Source: sizing guide, workloads."""
    return tuple(
        checked(
            Workload,
            {
                **row,
                "gpus": row["gpus"].split("|"),
                "words": frozenset(row["words"].split()) | _words(row["who_or_what"]),
                "asks": row["asks"].split(";"),
            },
            place,
        )
        for place, row in packaged_rows("workloads.csv")
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text.lower())) - _SAYS_NOTHING


def _stem(word: str) -> str:
    """A word without its plural."""
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _weights() -> dict[str, float]:
    """How much a word tells: the more the fewer rows have it."""
    rows = workloads()
    counts = Counter(_stem(word) for row in rows for word in row.words)
    return {word: log(1 + len(rows) / count) for word, count in counts.items()}


def known_words() -> tuple[str, ...]:
    """Every word that finds a row."""
    return tuple(_weights())


def advised(text: str) -> tuple[Workload, ...]:
    """The rows that a text speaks of, the best first; () where no word is known.

    >>> [row.card for row in advised("platform team, many tenants")]
    ['H100']
    """
    asked, weights = _words(text), _weights()
    scores = [(sum(weights[word] for word in asked & _stems(row)), row) for row in workloads()]
    best = max(score for score, _ in scores)
    if best == 0:
        return ()
    near = [(score, row) for score, row in scores if score >= NEAR_SCORE * best]
    return tuple(row for _, row in sorted(near, key=lambda one: -one[0])[:MOST_ROWS])


def _stems(row: Workload) -> frozenset[str]:
    return frozenset(map(_stem, row.words))


def for_budget(usd: Decimal) -> Workload:
    """The row of a budget in US dollars.

    >>> for_budget(Decimal(2000)).who_or_what
    'budget up to 3000 USD'
    """
    rows: Sequence[Workload] = [row for row in workloads() if row.who_or_what.startswith("budget")]
    return rows[sum(usd > limit for limit in BUDGETS_USD)]

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
    (
        "a", "am", "an", "and", "are", "as", "at", "be", "by", "for", "from", "i", "in", "is", "it", "me", "my", "of",
        "on", "or", "our", "that", "the", "their", "them", "they", "this", "to", "us", "use", "using", "we", "with",
    )
)  # fmt: skip

_FINE_TUNING: Final = frozenset({"finetune", "finetuning", "fine-tuning"})
"""Whoever says no more may mean LoRA or all the weights: both rows speak of it."""


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
    """A word without its plural; the spellings of fine-tuning as one."""
    if word in _FINE_TUNING:
        return "fine-tune"
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


def finds_a_row(word: str) -> bool:
    """Whether the guides know a word.

    >>> finds_a_row("tenants"), finds_a_row("for"), finds_a_row("bananas")
    (True, False, False)
    """
    return bool(_words(word)) and all(part in _weights() for part in _words(word))


def only_joins(word: str) -> bool:
    """Whether a word only joins others, and so may stand in every text.

    >>> only_joins("for"), only_joins("tenants")
    (True, False)
    """
    return word in _SAYS_NOTHING


def says(row: Workload, word: str) -> bool:
    """Whether a word is one of those that find a row.

    >>> says(for_budget(Decimal(2000)), "small"), says(for_budget(Decimal(2000)), "large")
    (True, False)
    """
    return bool(_words(word) & _stems(row))


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


def for_budget(usd: Decimal, *, is_more: bool = False) -> Workload:
    """The row of a budget in US dollars.

    Args:
        usd: what may be spent.
        is_more: it is more than that.

    >>> for_budget(Decimal(2000)).who_or_what, for_budget(Decimal(10_000), is_more=True).who_or_what
    ('budget up to 3000 USD', 'budget above 10000 USD')
    """
    rows: Sequence[Workload] = [row for row in workloads() if row.who_or_what.startswith("budget")]
    return rows[sum(usd > limit or (is_more and usd == limit) for limit in BUDGETS_USD)]

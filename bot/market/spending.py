"""What may be spent, as `advise` is told it: a sum (`2000`, `$3,000`, `budget of 10k`), or an amount a month or hour.

An amount with a period is read as in a question (`bot.grammar.limits`). A sum that stands beside other words needs a
word or a mark of money with it, for a bare number there may count anything.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from bot.grammar.limits import leads, limit_at
from bot.grammar.pieces import Word, given
from bot.grammar.words import word_set
from bot.wording import usd
from engine.advice import finds_a_row
from engine.errors import ConflictingWords, ImpossibleValue
from engine.gpus import find
from engine.question import Limits
from engine.units import HOURS_A_MONTH

Period = Literal["sum", "month", "hour"]

ALLOWED: Final = "a sum such as 2000 usd, or an amount such as 500/mo or 2/hr"
MOST_USD: Final = Decimal(100_000_000)

_SUM: Final = re.compile(r"(?:budget=)?([-+]?)(\$?)(\d+(?:\.\d+)?)(k?)(\$|usd)?")
_CURRENCY: Final = frozenset({"usd", "dollar", "dollars", "buck", "bucks", "$"})
_MORE: Final = (("more", "than"), ("above",), ("over",))
_PERIOD: Final = re.compile(r"/.+|an?|per|each|monthly|hourly")
_COUNTED: Final = word_set(
    """
    gb gib gbs gig gigs gpu gpus card cards user users tenant tenants team teams person people request requests stream
    streams token tokens ctx context hour hours day days week weeks month months b billion
    """
)
"""What a number after `under` or `up to` counts where it is no money."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent.

    Attributes:
        usd: of the whole, a month or an hour.
        is_more: it is more than that (`above 10000`).
        written: as it was given.
    """

    usd: Decimal
    period: Period
    is_more: bool
    written: str

    @property
    def usd_month(self) -> Decimal:
        """Of a month; a sum as if it were for one."""
        return self.usd * HOURS_A_MONTH if self.period == "hour" else self.usd

    @property
    def text(self) -> str:
        if self.period == "sum":
            return f"more than {usd(self.usd)}" if self.is_more else usd(self.usd)
        return f"{usd(self.usd)} a month" if self.period == "month" else f"{usd(self.usd, 2)} an hour"

    def on(self, limits: Limits) -> Limits:
        """Limits of a question, with this one; a sum limits no price."""
        if self.period == "sum":
            return limits
        return limits.model_copy(update={f"usd_{self.period}": self.usd})


def take_budget(words: Sequence[Word]) -> tuple[Budget | None, list[Word]]:
    """The budget of a text, and the words that are not of it.

    Raises:
        ImpossibleValue: an amount that is none.
        ConflictingWords: two budgets.
    """
    found: Budget | None = None
    rest: list[Word] = []
    place = 0
    while place < len(words):
        taken, budget = _budget_at(list(words), place)
        if budget is None:
            rest.append(words[place])
            place += 1
            continue
        if found is not None and (budget.usd, budget.period) != (found.usd, found.period):
            both = f"{found.written} and {budget.written}"
            raise ConflictingWords(both, allowed="one of them", reason="these are two budgets")
        found, place = budget, place + taken
    return found, rest


def _budget_at(words: list[Word], start: int) -> tuple[int, Budget | None]:
    if words[start].text == "budget" and not _has_amount(words, start + 1):
        taken, budget = _budget_at(words, start + 1) if start + 1 < len(words) else (0, None)
        return taken + 1, budget
    more = _more_at(words, start)
    taken, budget = _sum_at(words, start, more)
    if budget is not None:
        return taken, budget
    hit = limit_at(words, start + more) if start + more < len(words) else None
    piece = next((one for one in hit.pieces if one.role.startswith("limits.usd_")), None) if hit else None
    if hit is None or piece is None:
        return 0, None
    written = given(words, start, more + hit.taken)
    if more:
        raise ImpossibleValue(
            written, reason="a budget a month or an hour is the most that may be spent", allowed=ALLOWED
        )
    period: Period = "month" if piece.role == "limits.usd_month" else "hour"
    return hit.taken, Budget(Decimal(str(piece.value)), period, False, written)


def _has_amount(words: Sequence[Word], place: int) -> bool:
    """Whether an amount follows `budget`: the guides say `budget up to 3000` and `budget 3000-10000` too."""
    text = words[place].text if place < len(words) else ""
    is_of_a_row = "-" in text and finds_a_row(text)
    return any(letter.isdecimal() for letter in text) and not is_of_a_row


def _more_at(words: Sequence[Word], start: int) -> int:
    """How many words say that it is more than the amount after them."""
    texts = tuple(word.text for word in words[start : start + 2])
    return next((len(lead) for lead in _MORE if texts[: len(lead)] == lead), 0)


def _sum_at(words: list[Word], start: int, more: int) -> tuple[int, Budget | None]:
    lead = more or leads(words, start)
    place = start + lead
    found = _SUM.fullmatch(words[place].text) if place < len(words) else None
    if found is None:
        return 0, None
    taken = lead + 1
    after = words[start + taken].text if len(words) > start + taken else ""
    has_money = bool(found[2] or found[5] or after in _CURRENCY or "=" in found[0])
    taken += after in _CURRENCY
    after = words[start + taken].text if len(words) > start + taken else ""
    is_alone = len(words) == 1 and not find(found[0])
    if _PERIOD.fullmatch(after) or after in _COUNTED or not (has_money or lead or is_alone):
        return 0, None
    written = given(words, start, taken)
    amount = Decimal(found[3]) * (1000 if found[4] else 1)
    if found[1] == "-" or not 0 < amount <= MOST_USD:
        reason = "too large" if amount > MOST_USD else "a budget is more than nothing"
        raise ImpossibleValue(written, reason=reason, allowed=ALLOWED)
    return taken, Budget(amount, "sum", bool(more), written)

"""What an offer may cost and how long it is rented: `budget=500/mo`, `under $2/hr`, `less than 3 dollars an hour`.

A shell replaces `$5` by nothing before anybody sees it: `$500/mo` arrives as `00/mo` and `$2/hr` as `/hr`. What looks
like such a rest is refused with that reason.
"""

import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Final

from bot.grammar import gpu_names
from bot.grammar.gpu_sets import MOST_GPUS, gpu_at
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import NUMBER_WORDS, decimal, number, plain, whole
from bot.grammar.words import TERM_UNITS, word_set
from engine.errors import ImpossibleValue
from engine.units import HOURS_A_MONTH

ALLOWED: Final = "an amount in US dollars a month or an hour, such as budget=500/mo or budget=2/hr"
MOST_USD: Final = Decimal(10_000_000)
MOST_HOURS: Final = Decimal(10 * 12 * HOURS_A_MONTH)

_MONTH: Final = frozenset({"mo", "month", "months", "mth", "monthly"})
_HOUR: Final = frozenset({"hr", "hour", "h", "hrs", "hours", "hourly"})
_CURRENCY: Final = frozenset({"dollars", "dollar", "bucks", "usd", "$", "buck", "cents", "cent"})
_CENTS: Final = frozenset({"cents", "cent"})
_BUDGET_KEYS: Final = frozenset({"budget", "max-price", "price", "cost", "max-cost", "limit"})
_LEADS: Final = (
    "for less than", "no more than", "not more than", "cheaper than", "less than", "at most", "up to", "budget of",
    "budget is", "under", "below", "within", "max", "budget", "<", "<=",
)  # fmt: skip
"""What stands before an amount that is a limit, longer ones first."""

_AMOUNT: Final = re.compile(r"(?:<=?)?(\$?)((?:\d+(?:\.\d+)?|\.\d+)k?)(\$?)(?:usd)?(?:(?:/|per-?|-a-|-per-)([a-z]+))?")
_FOREIGN_WORDS: Final = word_set("euro euros eur pound pounds gbp yen yuan rmb chf francs rupees inr")
_EATEN: Final = re.compile(r"(?:<=?)?(?:0\d+|0*\.\d+|0)?/(mo|month|hr|hour|h)")
_SHELL: Final = "a shell has eaten the $ and what followed: leave the $ out, or put it in single quotes"
_FOREIGN: Final = re.compile(r"[€£¥]\d.*|\d[\d.,k]*[€£¥].*")
_TERM: Final = re.compile(r"(\d+(?:\.\d+)?)-?(h|hr|hrs|hours?|d|days?|weeks?|wk|months?)")


def size_limit_at(words: list[Word], start: int) -> Hit | None:
    """`under 24gb`: what has to hold it, a GPU of that memory; in a sentence it gives way to a GPU that is named."""
    lead = leads(words, start)
    size = gpu_names.size_at([word.text for word in words[start + lead : start + lead + 2]]) if lead else None
    hit = gpu_at(words, start + lead) if size else None
    if not size or not hit or hit.taken != size[0]:
        return None
    return Hit(lead + hit.taken, tuple(replace(piece, weak=True) for piece in hit.pieces))


def limit_at(words: list[Word], start: int) -> Hit | None:
    """A limit on the price, from `start`.

    Raises:
        ImpossibleValue: an amount without a period, of nothing, or half eaten by a shell.
    """
    text = words[start].text
    key, equals, value = text.partition("=")
    if equals and key.replace("_", "-") in _BUDGET_KEYS:
        return _money(
            [Word(words[start].typed, value), *words[start + 1 : start + 6]], words[start].typed, is_budget=True
        )
    lead = leads(words, start)
    if not lead and text[0] not in "$<0123456789./€£¥":
        return None
    rest = words[start + lead : start + lead + 6]
    if not rest:
        return None
    shown = given(words, start, lead + 1)
    hit = _money(rest, shown, is_budget=text == "budget", is_lead=lead > 0)
    return Hit(hit.taken + lead, hit.pieces) if hit else None


@cache
def _by_first() -> dict[str, list[list[str]]]:
    by_first: dict[str, list[list[str]]] = {}
    for lead in _LEADS:
        by_first.setdefault(lead.split()[0], []).append(lead.split())
    return by_first


def leads(words: list[Word], start: int) -> int:
    """Words before an amount that make it a limit."""
    for lead in _by_first().get(words[start].text, ()):
        if [word.text for word in words[start : start + len(lead)]] == lead:
            return len(lead)
    return 0


def _money(words: list[Word], shown: str, *, is_budget: bool, is_lead: bool = False) -> Hit | None:
    text = words[0].text
    if _FOREIGN.fullmatch(text) or (number(text) is not None and len(words) > 1 and words[1].text in _FOREIGN_WORDS):
        raise ImpossibleValue(shown, allowed=ALLOWED, reason="prices are in US dollars")
    if _EATEN.fullmatch(text) and not re.fullmatch(r"([1-9]|0\.\d).*", text):
        raise ImpossibleValue(
            shown,
            allowed=ALLOWED,
            reason=_SHELL
            if text[0] != "0" or text[1] != "/"
            else f"no offer costs nothing; if you typed a $, {_SHELL}",
        )
    found = _AMOUNT.fullmatch(text)
    amount = decimal(found[2]) if found else Decimal(NUMBER_WORDS[text]) if text in NUMBER_WORDS and is_lead else None
    if amount is None:
        if is_budget and not text.startswith("$"):
            raise ImpossibleValue(shown, allowed=ALLOWED, reason="not an amount")
        return None
    if len(words) > 1 and words[1].text in _CENTS:
        amount /= 100
    has_currency, count = _currency(found, words)
    unit, more = _period(found, words, count)
    if unit is None and not (has_currency or is_budget):
        return None
    return Hit(count + more, (_piece(amount, unit, shown),))


def _currency(found: re.Match[str] | None, words: list[Word]) -> tuple[bool, int]:
    if len(words) > 1 and words[1].text in _CURRENCY:
        return True, 2
    return bool(found and (found[1] or found[3])), 1


def _period(found: re.Match[str] | None, words: list[Word], count: int) -> tuple[str | None, int]:
    if found and found[4]:
        return (_unit(found[4]) or found[4]), 0
    rest = [word.text for word in words[count : count + 2]]
    if rest and rest[0].startswith("/") and (unit := _unit(rest[0][1:])):
        return unit, 1
    if len(rest) > 1 and rest[0] in {"a", "an", "per", "/", "each"} and (unit := _unit(rest[1])):
        return unit, 2
    if rest and rest[0] in {"monthly", "hourly"}:
        return _unit(rest[0]), 1
    return None, 0


def _unit(text: str) -> str | None:
    return "month" if text in _MONTH else "hour" if text in _HOUR else None


def _piece(amount: Decimal, unit: str | None, shown: str) -> Piece:
    if unit not in {"month", "hour"}:
        raise ImpossibleValue(shown, allowed=ALLOWED, reason="a month or an hour is missing")
    if not 0 < amount <= MOST_USD:
        raise ImpossibleValue(shown, allowed=ALLOWED, reason="no offer costs so little" if amount <= 0 else "too large")
    return Piece(f"limits.usd_{unit}", amount, shown, f"budget={plain(amount)}/{'mo' if unit == 'month' else 'hr'}")


def term_at(words: list[Word], start: int) -> Hit | None:
    """How long it would be rented: `16 hours`, `3d`, `for a week`, `term=12h`.

    Raises:
        ImpossibleValue: no time at all, or decades.
    """
    text, count = words[start].text, 1
    key, equals, value = text.partition("=")
    if equals and key in {"term", "rent", "duration", "hours"}:
        text = f"{value}h" if number(value) is not None else value
        if not _TERM.fullmatch(text):
            raise ImpossibleValue(words[start].typed, allowed="a time such as term=12h or term=3d", reason="not a time")
    elif len(words) > start + 1 and words[start + 1].text in TERM_UNITS and (text in NUMBER_WORDS or text.isdecimal()):
        text, count = f"{NUMBER_WORDS.get(text) or text}{words[start + 1].text}", 2
    elif text in {"a", "an"} and len(words) > start + 1 and words[start + 1].text in {"day", "week", "month"} and start:
        if words[start - 1].text != "for":
            return None
        text, count = f"1{words[start + 1].text}", 2
    found = _TERM.fullmatch(text)
    if not found:
        return None
    hours = Decimal(found[1]) * TERM_UNITS[found[2]]
    shown = given(words, start, count)
    if not 0 < hours <= MOST_HOURS:
        raise ImpossibleValue(
            shown, allowed="a time from an hour to ten years, such as term=12h", reason="no such term"
        )
    return Hit(count, (Piece("limits.term_hours", hours, shown, f"term={plain(hours)}h"),))


def most_gpus_at(words: list[Word], start: int) -> Hit | None:
    """`max 2 gpus`, `at most 4 cards`, `gpus<=2`."""
    lead = leads(words, start)
    if lead and len(words) > start + lead + 1 and words[start + lead + 1].text in {"gpu", "gpus", "card", "cards"}:
        text, shown = words[start + lead].text, given(words, start, lead + 2)
        if number(text) is not None:
            count = whole(text, given=shown, low=1, high=MOST_GPUS, example="max-gpus=2")
            return Hit(lead + 2, (Piece("limits.max_gpus", count, shown, f"max-gpus={count}"),))
    return None

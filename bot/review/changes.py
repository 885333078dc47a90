"""An answer then and now: what would be different today."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from bot.review.cards import ChangeLine
from bot.wording import NO_BREAK, gb, gpus, rounded, usd
from engine.answer import Answer, Pick

SAME_PRICE: Final = Decimal("0.05")
"""A price that moved by no more counts as the same: monthly prices flutter. Source: issue "The query log", stale."""

SAME_NEED_GB: Final = 0.005
"""Below what two decimals show."""

NOTHING: Final = "none"


@dataclass(frozen=True, slots=True)
class Changes:
    """Two answers to one question."""

    then: Answer
    now: Answer

    @property
    def need_gb(self) -> float:
        return self.now.need.total_gb - self.then.need.total_gb

    @property
    def need(self) -> bool:
        return abs(self.need_gb) >= SAME_NEED_GB

    @property
    def pick(self) -> bool:
        return _set(self.then.pick) != _set(self.now.pick)

    @property
    def usd_month(self) -> Decimal | None:
        """How much more it costs today; None where one of them has no pick."""
        then, now = self.then.pick, self.now.pick
        return now.usd_month - then.usd_month if then and now else None

    @property
    def price(self) -> bool:
        """Whether the price moved by more than 5 %."""
        moved = self.usd_month
        if moved is None or self.then.pick is None:
            return self.pick
        return abs(moved) > SAME_PRICE * self.then.pick.usd_month

    @property
    def verdict(self) -> bool:
        return verdict_of(self.then) != verdict_of(self.now)

    @property
    def decision(self) -> bool:
        """Whether one would decide otherwise: pick, price or verdict."""
        return self.pick or self.price or self.verdict

    def lines(self) -> tuple[ChangeLine, ...]:
        """Need, pick, price and verdict, each then and now."""
        return (self._need(), self._pick(), self._price(), self._verdict())

    def differing(self) -> tuple[ChangeLine, ...]:
        """What makes a decision stale."""
        told = ((self._pick(), self.pick), (self._price(), self.price), (self._verdict(), self.verdict))
        return tuple(line for line, differs in told if differs)

    def _need(self) -> ChangeLine:
        then, now = self.then.need.total_gb, self.now.need.total_gb
        difference = f"{_signed(rounded(self.need_gb, 2))}{NO_BREAK}GB{_share(now, then)}" if self.need else ""
        return ChangeLine("need", gb(then, 2), gb(now, 2), difference)

    def _pick(self) -> ChangeLine:
        return ChangeLine("pick", _named(self.then.pick), _named(self.now.pick), "another" if self.pick else "")

    def _price(self) -> ChangeLine:
        then, now, moved = self.then.pick, self.now.pick, self.usd_month
        difference = ""
        if moved and then and now:
            difference = f"{_signed(usd(moved, _places(moved)))} a month{_share(now.usd_month, then.usd_month)}"
        return ChangeLine("price", _price(then), _price(now), difference)

    def _verdict(self) -> ChangeLine:
        then, now = verdict_of(self.then), verdict_of(self.now)
        return ChangeLine("verdict", then, now, "another" if self.verdict else "")


def verdict_of(answer: Answer) -> str:
    """The verdict on the first named set, else on the pick; `no` where there is neither."""
    if answer.verdicts:
        return answer.verdicts[0].verdict
    return answer.pick.verdict if answer.pick else "no"


def _set(pick: Pick | None) -> tuple[str, int] | None:
    return None if pick is None else (pick.gpu, pick.count)


def _named(pick: Pick | None) -> str:
    return NOTHING if pick is None else gpus(pick.name, pick.count)


def _price(pick: Pick | None) -> str:
    return NOTHING if pick is None else f"{usd(pick.usd_month, _places(pick.usd_month))} a month"


def _places(amount: Decimal) -> int:
    return 0 if amount == int(amount) else 2


def _signed(figure: str) -> str:
    return figure if figure.startswith("-") else f"+{figure}"


def _share(now: float | Decimal, then: float | Decimal) -> str:
    """The difference in percent of what it was."""
    if not then:
        return ""
    return f", {_signed(rounded(100 * (Decimal(str(now)) / Decimal(str(then)) - 1), 1))}%"

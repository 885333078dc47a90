"""What the readers of catalog files share: a row, what it comes to, and the checks of its cells."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from engine.gpus import Gpu
from engine.offers import Commitment, Offer, Unpriced
from engine.price_bands import band_usd_hour, is_sane
from engine.units import HOURS_A_MONTH


@dataclass(frozen=True, slots=True)
class Source:
    """Where lines come from.

    Attributes:
        name: of the catalog, as answers show it.
        provider: whose offers they are, where the lines do not say; empty where they do.
        dated: of what day the prices are, where the lines do not say.
    """

    name: str
    provider: str
    dated: date


class Row(NamedTuple):
    """A line's number and its cells by column."""

    line: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Listed:
    """An offer, or a set that is listed without a price."""

    line: int
    value: Offer | Unpriced


@dataclass(frozen=True, slots=True)
class Left:
    """A line that is no offer: wrong (`is_bad`), or of no use here."""

    line: int
    reason: str
    is_bad: bool = False


class NoOffer(Exception):
    """Why a line is no offer: wrong, or of no use here."""

    def __init__(self, reason: str, *, is_bad: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_bad = is_bad

    def on(self, line: int) -> Left:
        return Left(line, self.reason, self.is_bad)


UNKNOWN: Final = "GPUs that are not known"
OTHER_MEMORY: Final = "GPUs of another memory than they are sold with"
FRACTION: Final = "machines with a part of a GPU"
NO_GPU: Final = "machines without a GPU"


def amount(cell: str) -> Decimal | None:
    """A finite amount; None where the cell is none.

    >>> amount("1.5"), amount("nan"), amount("")
    (Decimal('1.5'), None, None)
    """
    try:
        value = Decimal(cell.strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def outside_the_band(gpu: Gpu, count: int, usd_month: Decimal) -> str:
    """Why a price cannot be one of this set; empty where it can."""
    if is_sane(gpu, count, usd_month):
        return ""
    least, most = band_usd_hour(gpu.memory_gb)
    each = usd_month / HOURS_A_MONTH / count
    return (
        f"{each:.4g} USD an hour for one {gpu.name} is not credible ({least} to {most}):"
        " is it the price of an hour, and of the whole set?"
    )


def listed_at(
    source: Source,
    gpu: Gpu,
    count: int,
    usd_hour: Decimal,
    *,
    region: str,
    commitment: Commitment = "on-demand",
    note: str = "",
) -> Offer:
    """An offer of a file whose lines have neither provider nor date.

    Raises:
        NoOffer: the price is not credible.
    """
    usd_month = usd_hour * HOURS_A_MONTH
    if incredible := outside_the_band(gpu, count, usd_month):
        raise NoOffer(f"{commitment} price: {incredible}", is_bad=True)
    return Offer(
        gpu=gpu.id,
        count=count,
        usd_month=usd_month,
        provider=source.provider,
        priced_on=source.dated,
        region=region,
        commitment=commitment,
        note=note,
    )

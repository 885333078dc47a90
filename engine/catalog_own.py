"""Our own catalog format: one line an offer, the price of the whole set, its unit and its day beside it.

Columns are described in docs/catalogs.md. An empty price is a set that is listed without one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Annotated, Final, Literal, get_args

from pydantic import BeforeValidator, Field, ValidationError

from engine import gpus
from engine.catalog_rows import Left, Listed, Row, Source, outside_the_band
from engine.gpus import Gpu
from engine.offers import Commitment, Offer, Unpriced
from engine.units import HOURS_A_MONTH
from engine.values import Value

TIMES_A_MONTH: Final = {"hour": HOURS_A_MONTH, "month": 1}
MOST_GPUS: Final = 10_000
MOST_DAYS: Final = 3660
MOST_QUOTED: Final = 40
ONE_DAY: Final = timedelta(days=1)


def _or_none(cell: object) -> object:
    return cell or None


def _iso_date(cell: object) -> date:
    try:
        return date.fromisoformat(str(cell))
    except ValueError:
        raise ValueError("a day is written as in 2026-11-30") from None


@cache
def _gpu(written: str) -> Gpu:
    try:
        return gpus.gpu(written)
    except KeyError:
        found = gpus.find(written)
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"it means several GPUs: write {' or '.join(one.id for one in found)}")
    raise ValueError("no GPU has this name")


class _Line(Value):
    """The cells of one line. An empty cell counts as not given."""

    provider: Annotated[str, Field(min_length=1, max_length=60)]
    gpu: Annotated[Gpu, BeforeValidator(_gpu)]
    count: Annotated[int, Field(ge=1, le=MOST_GPUS)]
    price: Annotated[Annotated[Decimal, Field(gt=0)] | None, BeforeValidator(_or_none)]
    unit: Literal["hour", "month"]
    date: Annotated[date, BeforeValidator(_iso_date)]
    commitment: Commitment = "on-demand"
    currency: Literal["USD"] = "USD"
    region: str = ""
    shortest_term_days: Annotated[int, Field(ge=0, le=MOST_DAYS)] = 0
    stock: Annotated[int | None, Field(ge=0)] = None
    source: str = ""
    note: str = ""


EXPECTED: Final = {
    "provider": "a name of at most 60 characters",
    "count": f"a whole number from 1 to {MOST_GPUS:,}",
    "price": "a number above 0, or nothing",
    "unit": "hour or month",
    "commitment": ", ".join(get_args(Commitment)),
    "currency": "USD and nothing else",
    "shortest_term_days": f"a whole number of days up to {MOST_DAYS:,}",
    "stock": "a whole number",
}
"""What a cell has to be, in words; `gpu` and `date` say their own, and the others take any text."""
COLUMNS: Final = tuple(_Line.model_fields)
REQUIRED: Final = frozenset(name for name, column in _Line.model_fields.items() if column.is_required())


def header_faults(names: Sequence[str]) -> Iterator[str]:
    """What is wrong in a header: columns that are none of ours, or that stand there twice."""
    for name, count in Counter(names).items():
        if name not in _Line.model_fields:
            yield f"{_short(name)}: no such column; there are {', '.join(COLUMNS)}"
        elif count > 1:
            yield f"{name}: the column stands there {count} times"


def listed(source: Source, rows: Iterable[Row]) -> Iterator[Listed | Left]:
    """Every line's offer, or why it is none."""
    for row in rows:
        given = {name: cell.strip() for name, cell in row.cells.items()}
        # a column that is none of ours is the header's fault, and reported there
        filled = {name: cell for name, cell in given.items() if name in REQUIRED or (cell and name in COLUMNS)}
        try:
            line = _Line.model_validate(filled)
        except ValidationError as error:
            yield Left(row.line, _faults(error), is_bad=True)
            continue
        yield _listed(row.line, line, source)


def _listed(number: int, line: _Line, source: Source) -> Listed | Left:
    if line.date > source.dated + ONE_DAY:  # somewhere it is tomorrow already
        return Left(number, f"date: {line.date} lies ahead of {source.dated}", is_bad=True)
    if line.price is None:
        return Listed(number, Unpriced(gpu=line.gpu.id, count=line.count, provider=line.provider, note=line.note))
    usd_month = line.price * TIMES_A_MONTH[line.unit]
    if incredible := outside_the_band(line.gpu, line.count, usd_month):
        return Left(number, f"price: {incredible}", is_bad=True)
    offer = Offer(
        gpu=line.gpu.id,
        count=line.count,
        usd_month=usd_month,
        provider=line.provider,
        priced_on=line.date,
        stock=line.stock,
        region=line.region,
        shortest_term_days=line.shortest_term_days,
        note=line.note,
        commitment=line.commitment,
    )
    return Listed(number, offer)


def _faults(error: ValidationError) -> str:
    return "; ".join(_fault(one["loc"], one["type"], one["msg"], one["input"]) for one in error.errors())


def _fault(place: tuple[int | str, ...], kind: str, message: str, given: object) -> str:
    column = str(place[0])
    if given in {None, ""}:
        return f"{column}: missing"
    said = message.removeprefix("Value error, ") if kind == "value_error" else EXPECTED[column]
    return f"{column}: {said}, given {_short(str(given))}"


def _short(text: str) -> str:
    return repr(text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…")

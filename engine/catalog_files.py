"""Catalogs from files: our own CSV, SkyPilot's and gpuhunt's, told apart by their headers.

Lines come in, offers and the lines that could not be used go out; opening files is the caller's. Our own format is
strict: every line is right or is reported. Of the other two the lines that are no offer of ours (unknown GPUs,
fractions of one, placeholder prices, hosts without a GPU) are left out and counted by reason.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Final, Literal

from engine import catalog_gpuhunt, catalog_own, catalog_skypilot
from engine.catalog_rows import Left, Listed, Row, Source
from engine.errors import CatalogError
from engine.offers import Catalog, Offer, Unpriced
from engine.tables import DATA

Format = Literal["own", "skypilot", "gpuhunt"]
Reader = Callable[[Source, Iterable[Row]], Iterator[Listed | Left]]

READERS: Final[dict[Format, Reader]] = {
    "own": catalog_own.listed,
    "skypilot": catalog_skypilot.listed,
    "gpuhunt": catalog_gpuhunt.listed,
}
MARKS: Final[dict[Format, frozenset[str]]] = {
    "skypilot": frozenset({"InstanceType", "AcceleratorName", "AcceleratorCount", "Price"}),
    "gpuhunt": frozenset({"instance_name", "price", "gpu_count", "gpu_name"}),
    "own": catalog_own.REQUIRED,
}
"""Columns by which a format is known; read by name, the order differs from file to file."""

HEADER_LINE: Final = 1


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be used, and why."""

    line: int
    reason: str


@dataclass
class ReadFile:
    """What a file holds.

    Attributes:
        left_out: reasons why lines of a foreign format are no offers of ours, with how many there are.
    """

    source: Source
    format: Format
    offers: list[Offer] = field(default_factory=list)
    unpriced: list[Unpriced] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    lines: int = 0

    @property
    def catalog(self) -> Catalog:
        """The offers as a catalog; its date is that of the newest."""
        dates = [offer.priced_on for offer in self.offers]
        return Catalog(
            self.source.name, max(dates, default=self.source.dated), tuple(self.offers), unpriced=tuple(self.unpriced)
        )


def read_catalog(source: Source, lines: Iterable[str]) -> ReadFile:
    """A file's offers, and every line of it that cannot be used.

    Args:
        source: its name, whose it is, and of what day where the lines do not say.
        lines: of the CSV file, the header first.

    Raises:
        CatalogError: it is no catalog: empty, or of columns that are none of the three formats'.

    >>> read = read_catalog(
    ...     Source("mine", "", date(2026, 11, 30)),
    ...     ["provider,gpu,count,price,unit,date", "lambda,a10,1,1.29,hour,2026-09-20"],
    ... )
    >>> read.offers[0].usd_month, read.bad
    (Decimal('928.80'), [])
    """
    reader = csv.DictReader(_plain(lines))
    found = ReadFile(source, _format_of(source, _header(source, reader)))
    if found.format == "own":
        found.bad += (BadLine(HEADER_LINE, reason) for reason in catalog_own.header_faults(reader.fieldnames or ()))
    else:
        _check_provider(source)
    for one in READERS[found.format](source, _rows(found, reader)):
        if isinstance(one, Left):
            if one.is_bad:
                found.bad.append(BadLine(one.line, one.reason))
            else:
                found.left_out[one.reason] += 1
        elif isinstance(one.value, Offer):
            found.offers.append(one.value)
        else:
            found.unpriced.append(one.value)
    found.bad.sort(key=lambda bad: bad.line)
    return found


def _plain(lines: Iterable[str]) -> Iterator[str]:
    """Lines without a byte order mark and without NUL, which `csv` does not take."""
    for number, line in enumerate(lines):
        plain = line.replace("\0", "")
        yield plain.removeprefix("\ufeff") if number == 0 else plain


def _header(source: Source, reader: "csv.DictReader[str]") -> frozenset[str]:
    try:
        names = reader.fieldnames
    except csv.Error as error:
        raise CatalogError(source.name, reason=f"it is no CSV file: {error}") from error
    if not names:
        raise CatalogError(source.name, reason="the file is empty", allowed="a CSV file with a header")
    reader.fieldnames = [name.strip() for name in names]
    return frozenset(reader.fieldnames)


def _format_of(source: Source, header: frozenset[str]) -> Format:
    for name, marks in MARKS.items():
        if marks <= header:
            return name
    missing = ", ".join(sorted(catalog_own.REQUIRED - header))
    raise CatalogError(
        source.name,
        reason=f"its columns are none of a known format; of our own these are missing: {missing}",
        allowed=f"our own columns ({', '.join(catalog_own.COLUMNS)}), SkyPilot's or gpuhunt's",
    )


def _check_provider(source: Source) -> None:
    if not source.provider:
        raise CatalogError(
            source.name, reason="its lines do not say whose the offers are", allowed="a file named so, such as aws.csv"
        )


def _rows(found: ReadFile, reader: "csv.DictReader[str]") -> Iterator[Row]:
    """Rows with their line; one of another number of cells is bad."""
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            found.bad.append(BadLine(reader.line_num + 1, f"it cannot be read as CSV: {error}"))
            continue
        found.lines += 1
        if None in row or None in row.values():
            said = f"another number of cells than the header's {len(reader.fieldnames or ())}"
            found.bad.append(BadLine(reader.line_num, said))
        else:
            yield Row(reader.line_num, row)


MARKET: Final = "market-2026"
MARKET_DATE: Final = date(2026, 11, 30)
"""Day on which the packaged offers were put together; each has a day of its own."""


@cache
def market_catalog() -> Catalog:
    """The packaged second catalog: dated offers of 26 providers, of each the newest price known.

    Raises:
        CatalogError: a row cannot be used.

    >>> market_catalog().offer("l4", 1).provider
    'gcp'
    """
    name = "market_2026.csv"
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return whole(read_catalog(Source(MARKET, "", MARKET_DATE), lines)).catalog


def whole(read: ReadFile) -> ReadFile:
    """A file without a bad line.

    Raises:
        CatalogError: it has one; the first is named.
    """
    if read.bad:
        raise CatalogError(f"{read.source.name}:{read.bad[0].line}", reason=read.bad[0].reason)
    return read

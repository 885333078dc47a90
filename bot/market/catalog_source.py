"""Where catalogs come from: what the use cases need of the world outside, and what they make of it."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol

from engine import Catalog, packaged_catalog
from engine.catalog_files import MARKET, BadLine, ReadFile, market_catalog, read_catalog
from engine.catalog_rows import Source
from engine.errors import CatalogError
from engine.offers import joined

PACKAGED: Final[dict[str, Callable[[], Catalog]]] = {"gpu-rent-hub": packaged_catalog, MARKET: market_catalog}
"""Catalogs that come with us, by the names under which they are asked for."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that is being read."""

    source: Source
    lines: Iterable[str]


class CatalogFiles(Protocol):
    """Opens files of offers."""

    def opened(self, name: str) -> AbstractContextManager[Opened]:
        """The file's lines; raises CatalogError with the reason where it cannot be read."""


class BadCatalog(Exception):
    """A catalog with lines that cannot be used."""

    def __init__(self, name: str, bad: Sequence[BadLine]) -> None:
        super().__init__(name)
        self.name = name
        self.bad = bad

    @property
    def text(self) -> str:
        """What a person reads at start: the first line, and how to see all."""
        first, more = self.bad[0], len(self.bad) - 1
        others = f", and {more:,} more" if more else ""
        return (
            f"{self.name}, line {first.line}: {first.reason}{others}. See them all with: vram catalog check {self.name}"
        )


def read_file(name: str, files: CatalogFiles) -> ReadFile:
    """What a file holds, good lines and bad.

    Raises:
        CatalogError: it cannot be read, or is no catalog.
    """
    with files.opened(name) as opened:
        return read_catalog(opened.source, opened.lines)


def catalog_of(names: Sequence[str], files: CatalogFiles) -> Catalog:
    """The catalog of the names and files that a deployment sets; our own where it sets none.

    Of a file in a foreign format bad lines are left out; one in our own has to be right.

    Raises:
        CatalogError: a file cannot be read, or holds no offer.
        BadCatalog: a line of our own format cannot be used.
    """
    return joined([_one(name, files) for name in names] or [packaged_catalog()])


def _one(name: str, files: CatalogFiles) -> Catalog:
    if name in PACKAGED:
        return PACKAGED[name]()
    found = read_file(name, files)
    if found.bad and found.format == "own":
        raise BadCatalog(name, found.bad)
    if not found.offers:
        raise CatalogError(name, reason="no line of it is an offer of a GPU that is known")
    return found.catalog

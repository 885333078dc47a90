"""Reading the packaged tables: every row validated, a bad one refused with file, line and reason."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from engine.errors import CatalogError
from engine.values import Value

DATA = Path(__file__).with_name("data")

V = TypeVar("V", bound=Value)


def packaged_rows(name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a packaged CSV, each with its place (`file:line`)."""
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        yield from rows(lines, name)


def rows(lines: Iterable[str], name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of CSV text with a header, each with its place (`name:line`).

    Raises:
        CatalogError: a row has more or fewer cells than the header.
    """
    reader = csv.DictReader(lines)
    for row in reader:
        place = f"{name}:{reader.line_num}"
        if None in row or None in row.values():
            raise CatalogError(place, reason="the row has another number of cells than the header")
        yield place, {key: cell.strip() for key, cell in row.items()}


def checked(model: type[V], fields: Mapping[str, object], place: str) -> V:
    """A row as a value.

    Raises:
        CatalogError: a cell is missing or is not what its column holds.
    """
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        column = ".".join(str(part) for part in first["loc"]) or "row"
        raise CatalogError(place, reason=f"{column}: {first['msg']}, given {first['input']!r}") from error

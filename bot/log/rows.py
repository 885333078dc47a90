"""Between the values of the log and the rows of its tables."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy.engine import RowMapping

from bot.log.entry import NewQuery, StoredQuery
from bot.log.tables import queries
from bot.log.wall import scope_of

ENTRY_FIELDS = tuple(field.name for field in fields(NewQuery))


def row_values(entry: NewQuery) -> dict[str, Any]:
    """The columns of a new row, all but its number."""
    return {name: getattr(entry, name) for name in ENTRY_FIELDS} | {"scope": scope_of(entry)}


def stored(row: RowMapping) -> StoredQuery:
    values: Mapping[str, Any] = {name: row[queries.c[name]] for name in ENTRY_FIELDS}
    return StoredQuery(number=row[queries.c.number], **values)

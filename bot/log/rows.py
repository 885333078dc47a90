"""Between the values of the log and the rows of its tables."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, and_, select
from sqlalchemy.engine import RowMapping

from bot.log.entry import Decision, Measured, NewQuery, StoredQuery
from bot.log.tables import decisions, measured_runs, queries
from bot.log.wall import scope_of

ENTRY_FIELDS = tuple(field.name for field in fields(NewQuery))
DECISION_FIELDS = tuple(field.name for field in fields(Decision))
MEASURED_FIELDS = tuple(field.name for field in fields(Measured))


def row_values(entry: NewQuery) -> dict[str, Any]:
    """The columns of a new row, all but its number."""
    return {name: getattr(entry, name) for name in ENTRY_FIELDS} | {"scope": scope_of(entry)}


def whole_rows() -> Select[Any]:
    """Queries with their standing decision and their latest measured run."""
    joined = queries.outerjoin(decisions, standing(decisions)).outerjoin(measured_runs, standing(measured_runs))
    wanted: list[ColumnElement[Any]] = [queries.c[name] for name in ("number", *ENTRY_FIELDS)]
    wanted += [decisions.c[name].label(f"decision_{name}") for name in DECISION_FIELDS]
    wanted += [measured_runs.c[name].label(f"measured_{name}") for name in MEASURED_FIELDS]
    return select(*wanted).select_from(joined)


def standing(history: FromClause) -> ColumnElement[bool]:
    """That a decision or measured run is of the query and not superseded."""
    ours = and_(history.c.team == queries.c.team, history.c.number == queries.c.number)
    return and_(ours, history.c.until.is_(None))


def stored(row: RowMapping) -> StoredQuery:
    """The value of a row of `whole_rows`."""
    decision = _part(row, "decision", DECISION_FIELDS)
    measured = _part(row, "measured", MEASURED_FIELDS)
    return StoredQuery(
        number=row["number"],
        decision=None if decision is None else Decision(**decision),
        measured=None if measured is None else Measured(**measured),
        **{name: row[name] for name in ENTRY_FIELDS},
    )


def _part(row: RowMapping, prefix: str, names: tuple[str, ...]) -> Mapping[str, Any] | None:
    return None if row[f"{prefix}_at"] is None else {name: row[f"{prefix}_{name}"] for name in names}

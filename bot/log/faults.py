"""What went wrong with the database, in plain words. Never the error's own text: it may hold address and password."""

import sqlite3

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

FAILED = "the database failed"
TOO_SLOW = "the database did not answer in time"
OUT_OF_REACH = "the database cannot be reached"
NO_FOLDER = "the folder of the log cannot be written"
ANOTHERS = "the tables of the database are not ours: it is another program's, or of a newer release"

SQLITE_REASONS = (
    ("readonly", "the database is read-only"),
    ("locked", "the database is held by another program"),
    ("unable to open", "the database file cannot be opened"),
    ("disk is full", "the disk of the database is full"),
    ("disk i/o error", "the disk of the database failed"),
    ("malformed", "the database file is damaged"),
    ("not a database", "the database file is damaged"),
    ("no such table", ANOTHERS),
    ("no such column", ANOTHERS),
    ("has no column", ANOTHERS),
    ("already exists", ANOTHERS),
)

# Source: PostgreSQL 15 manual, appendix A, error codes; the longest beginning that matches counts.
POSTGRES_REASONS = {
    "08": OUT_OF_REACH,
    "25006": "the database is read-only",
    "28": "the database refused the user or the password",
    "3D000": "there is no database of that name on the server",
    "42P01": ANOTHERS,
    "42P07": ANOTHERS,
    "42703": ANOTHERS,
    "42501": "the database user may not write there",
    "53": "the database server has no room for more",
    "53100": "the disk of the database is full",
    "53300": "the database server takes no more connections",
    "55P03": "the database is held by another program",
    "57014": TOO_SLOW,
    "57P": "the database server is stopping or starting",
}


def plain_reason(error: BaseException) -> str:
    """Why the database did not do it, for people."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    state = getattr(cause, "sqlstate", None)
    if isinstance(state, str):
        return _postgres_reason(state)
    if isinstance(cause, TimeoutError | PoolTimeout):
        return TOO_SLOW
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return OUT_OF_REACH
    said = str(cause).lower()
    for words, reason in SQLITE_REASONS:
        if words in said:
            return reason
    if isinstance(cause, OSError):
        return OUT_OF_REACH if cause.filename is None else NO_FOLDER
    return FAILED


def refuses_us(error: BaseException) -> bool:
    """The server is there, and does not let this user into this database."""
    state = getattr(getattr(error, "orig", None) or error, "sqlstate", None)
    return isinstance(state, str) and state.startswith(("28", "3D000"))


def refuses_the_row(error: Exception) -> bool:
    """The database is there and will never take this row: asking again is of no use."""
    if isinstance(error, StatementError) and not isinstance(error, DBAPIError):
        return True  # a value that its column type does not take
    state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    kinds = (DataError, IntegrityError, sqlite3.IntegrityError, sqlite3.DataError, OverflowError, ValueError, TypeError)
    return isinstance(error, kinds) or state.startswith(("22", "23"))


def _postgres_reason(state: str) -> str:
    matching = [start for start in POSTGRES_REASONS if state.startswith(start)]
    return POSTGRES_REASONS[max(matching, key=len)] if matching else FAILED

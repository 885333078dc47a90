"""The query log: one row a question, the team's shared reference.

Decisions kept here, each where its code is: the wall (wall.py), numbering and exactly once (write.py), finding by words
(words.py), keyset pages (read.py), what a commit costs (database.py), rows kept while the database is away (spool.py).

This package file and entry.py import no SQLAlchemy: the card is printed before the database is spoken to.
"""

from bot.log.entry import (
    Decision,
    Filters,
    Kind,
    LogAway,
    Measured,
    NewQuery,
    NotLogged,
    Page,
    PastDecision,
    StoredQuery,
    Viewer,
    Visibility,
    WrongDatabase,
    row_json,
)

__all__ = [
    "Decision",
    "Filters",
    "Kind",
    "LogAway",
    "Measured",
    "NewQuery",
    "NotLogged",
    "Page",
    "PastDecision",
    "StoredQuery",
    "Viewer",
    "Visibility",
    "WrongDatabase",
    "row_json",
]

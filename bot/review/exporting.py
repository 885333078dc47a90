"""Rows of the log as lines of CSV or JSON Lines."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from bot.log.entry import StoredQuery, row_json

NESTED: Final = {
    "decision": ("note", "by", "at"),
    "measured": ("gb", "tokens_per_second", "note", "by", "at"),
}
PLAIN: Final = (
    *("id", "asked_at", "platform", "team", "channel", "user", "visibility", "text", "kind", "model", "workload"),
    *("need_gb", "gpu", "count", "usd_month", "verdict", "catalog", "milliseconds"),
)
COLUMNS: Final = (*PLAIN, *(f"{part}_{name}" for part, names in NESTED.items() for name in names))

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet runs a cell that begins so. Source: OWASP, CSV injection."""

Line = Callable[[StoredQuery], str]


def json_line(row: StoredQuery) -> str:
    """The row as `vram log --json` prints it."""
    return json.dumps(row_json(row), ensure_ascii=False) + "\n"


def csv_header() -> str:
    return _csv_line(COLUMNS)


def csv_line(row: StoredQuery) -> str:
    """The row as a line of CSV (RFC 4180); decision and measured run in columns of their own."""
    values = row_json(row)
    cells = [values[name] for name in PLAIN]
    for part, names in NESTED.items():
        inner = values[part]
        cells += [inner.get(name) if isinstance(inner, Mapping) else None for name in names]
    return _csv_line([defused(cell) if isinstance(cell, str) else cell for cell in cells])


def defused(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe before what would begin one.

    >>> defused("=HYPERLINK(1)"), defused("13b lora")
    ("'=HYPERLINK(1)", '13b lora')
    """
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def _csv_line(cells: Iterable[object]) -> str:
    written = io.StringIO()
    csv.writer(written).writerow(cells)
    return written.getvalue()


FORMATS: Final[Mapping[str, tuple[str, Line]]] = {"csv": (csv_header(), csv_line), "jsonl": ("", json_line)}
"""What stands before the rows, and what makes a row's line."""

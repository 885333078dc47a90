"""Lines of an export: they read back as what was stored, and no spreadsheet runs them."""

import csv
import io
import json
from dataclasses import asdict
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.log.entry import Decision, Measured, StoredQuery
from bot.review.exporting import COLUMNS, FORMATS, defused
from tests.bot.log.making import NOON, a_query


def stored(**changes):
    return StoredQuery(**asdict(a_query()) | {"number": 17} | changes)


def csv_row(row):
    head, line = FORMATS["csv"]
    return next(csv.DictReader(io.StringIO(head + line(row), newline="")))


def test_csv_has_every_field_of_a_row_in_a_column():
    row = stored(
        asked_at=NOON,
        decision=Decision("why", "U1", "ada", NOON),
        measured=Measured(33.1, 12.0, "clipped", "U1", "ada", NOON + timedelta(minutes=1)),
    )
    read = csv_row(row)
    assert tuple(read) == COLUMNS
    assert (read["id"], read["asked_at"], read["need_gb"], read["usd_month"]) == (
        "17",
        "2026-11-30T12:00:00+00:00",
        "34.8",
        "240.0",
    )
    assert (read["decision_note"], read["decision_by"]) == ("why", "U1")
    assert (read["measured_gb"], read["measured_tokens_per_second"]) == ("33.1", "12.0")


def test_csv_leaves_empty_what_there_is_not():
    read = csv_row(stored())
    assert (read["decision_note"], read["measured_gb"], read["channel"]) == ("", "", "")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1"])
def test_a_cell_that_looks_like_a_formula_is_defused(text):
    assert csv_row(stored(text=text))["text"] == f"'{text}"
    assert csv_row(stored(decision=Decision(text, "U1", "ada", NOON)))["decision_note"] == f"'{text}"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_reads_back(text):
    assert csv_row(stored(text=text))["text"].removeprefix("'") == text.removeprefix("'")
    assert not defused(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    _, line = FORMATS["jsonl"]
    written = line(stored(text=text))
    assert json.loads(written)["text"] == text
    assert written.count("\n") == 1

"""The figures that the profiles rest on: one table, each with its unit, what it means and the measured rows behind it.

Rows are ids of the table of measured runs; the ids are explained in docs/accuracy.md.
"""

from functools import cache

from engine.answer import Basis
from engine.tables import checked, packaged_rows
from engine.values import Value


class Constant(Value):
    """A figure with its unit, what it means, and the measured rows or the arithmetic behind it."""

    name: str
    value: float
    unit: str
    meaning: str
    basis: Basis
    rows: str


@cache
def constants() -> dict[str, Constant]:
    """Every constant by name."""
    table = [checked(Constant, row, place) for place, row in packaged_rows("profile_constants.csv")]
    return {one.name: one for one in table}


@cache
def constant(name: str) -> float:
    """The figure of a constant, in the unit of its row.

    >>> constant("context.gb")
    0.5
    """
    return constants()[name].value

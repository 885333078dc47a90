import csv
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[1] / "guide"


def guide_rows(name):
    with (GUIDE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def pytest_generate_tests(metafunc):
    """A test that names a guide table gets one run a row: fixture `lookup_row` reads lookup.csv."""
    for name in metafunc.fixturenames:
        if name.endswith("_row"):
            rows = guide_rows(f"{name.removesuffix('_row')}.csv")
            metafunc.parametrize(name, rows, ids=["-".join(list(row.values())[:3]) for row in rows])


@pytest.fixture(scope="session")
def economics():
    return {row["topic"]: row["figure"] for row in guide_rows("economics.csv")}

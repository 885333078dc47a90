"""The index of written names, made from the tables: `python -m engine.name_index > engine/data/model_names.csv`.

Working it out takes longer than a whole answer, so it is packaged; a test holds the file to the tables.
"""

import csv
import sys
from collections.abc import Iterator

from engine.model_names import joined, partial_keys, quiet_key, tokens, undotted_key, written_names
from engine.tables import packaged_rows

WHOLE, PARTIAL = "whole", "partial"


def index_rows() -> Iterator[tuple[str, str, str]]:
    """Rows of the index: key, whole or partial name, ids. A name as written outranks what is left of a longer one."""
    ranks: tuple[dict[str, list[str]], ...] = ({}, {}, {}, {})
    for table in ("models.csv", "model_variants.csv"):
        for _, row in packaged_rows(table):
            for name in written_names(row):
                parts = tokens(name)
                exact, quiet = joined(parts), quiet_key(parts)
                for rank, key in (
                    (0, exact),
                    (1, quiet),
                    (2, undotted_key(quiet)),
                    *((3, key) for key in partial_keys(parts)),
                ):
                    ids = ranks[rank].setdefault(key, [])
                    if row["id"] not in ids:
                        ids.append(row["id"])
    seen: set[str] = set()
    for rank, keys in enumerate(ranks):
        for key, ids in keys.items():
            if key and key not in seen:
                seen.add(key)
                yield key, PARTIAL if rank == len(ranks) - 1 else WHOLE, " ".join(ids)


if __name__ == "__main__":
    csv.writer(sys.stdout, lineterminator="\n").writerows([("key", "part", "ids"), *index_rows()])

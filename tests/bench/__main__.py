"""`make bench`: every section, printed and kept in docs/benchmarks.md."""

import sys

from tests.bench import engine, process, slack, writing
from tests.bench.measure import keep, section

SECTIONS = (
    ("Engine and card", engine.figures),
    ("A command of its own", process.figures),
    ("Writing the log", writing.figures),
    (slack.TITLE, slack.figures),
)


def main() -> None:
    for title, figures in SECTIONS:
        text = section(title, "make bench", figures())
        sys.stdout.write(f"{text}\n")
        keep(title, text)


if __name__ == "__main__":
    main()

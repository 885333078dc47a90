"""Write docs/accuracy.md: our figures beside measured ones. Run: `python -m tests.accuracy`."""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

from bot.accuracy import by_group, group_line, scores, totals, worst_line
from bot.accuracy import worst as worst_runs
from engine import models
from engine.parameters import counted_params
from tests.asked import explained
from tests.measured_weights import REASONS, Measured, all_rows, compared

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "accuracy.md"
KV_TABLE = Path(__file__).parent / "data" / "measured_kv.csv"

INTRODUCTION = """\
# How far off

Made by `make accuracy` from public measurements (`tests/data`, each row with its source); do not edit. GB is 10⁹ bytes.
An error is ours ÷ measured − 1: above 0 we say more than was measured.
"""


def percent(share: float) -> str:
    return f"{100 * share:+.1f} %"


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    names = list(header)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(str(cell) for cell in row)} |"


def _kind_then_all_then_format(group: tuple[tuple[str, str], list[float]]) -> tuple[str, bool, str]:
    kind, name = group[0]
    return kind, name != "all", name


def by_kind_and_format(rows: list[Measured]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        kind = f"{row.kind}, upper bound" if row.is_upper_bound else row.kind
        groups[kind, "all"].append(row.error)
        groups[kind, row.weight_format].append(row.error)
    yield "## Weights by kind and format\n"
    yield (
        f"All {len(rows)} rows: median size of error {100 * median(abs(row.error) for row in rows):.1f} %. "
        "`file_size`: files as published. `weights`: what an engine said it holds; "
        "`upper bound`: what torch had reserved after load.\n"
    )
    yield from table(
        ("kind", "format", "rows", "median error", "median size of error", "largest"),
        (
            (
                kind,
                name,
                len(errors),
                percent(median(errors)),
                f"{100 * median(map(abs, errors)):.1f} %",
                percent(max(errors, key=abs)),
            )
            for (kind, name), errors in sorted(
                groups.items(), key=lambda group: (group[0][0], group[0][1] != "all", group)
            )
        ),
    )


def worst(rows: list[Measured], count: int = 10) -> Iterator[str]:
    yield "\n## The worst ten\n"
    yield from table(
        ("row", "model", "format", "measured GB", "ours GB", "error", "why"),
        (
            (
                row.id,
                row.model,
                row.weight_format,
                f"{row.measured_gb:.2f}",
                f"{row.our_gb:.2f}",
                percent(row.error),
                REASONS.get(row.id, "under 10 %"),
            )
            for row in sorted(rows, key=lambda row: -abs(row.error))[:count]
        ),
    )


def left_out() -> Iterator[str]:
    yield "\n## Weights left out\n"
    reasons = Counter(row["left_out"] for row in all_rows() if row["left_out"])
    yield from table(("rows", "why"), ((count, reason) for reason, count in reasons.most_common()))


def kv_caches() -> Iterator[str]:
    with KV_TABLE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    held = [row for row in rows if not row["left_out"]]
    yield "\n## KV cache\n"
    yield (
        f"{len(held)} logged caches agree to the printed digit: {', '.join(row['id'] for row in held)}. "
        "Gemma 3 was run by a fork without windows and is compared with all layers. "
        f"{len(rows) - len(held)} rows are pools that an engine had left over, no needs."
    )


def parameters() -> Iterator[str]:
    shapes = [shape for shape in models.all_shapes() if shape.kind != "diffusion"]
    errors = {shape.id: counted_params(shape) / shape.params_total - 1 for shape in shapes}
    past = {identity: error for identity, error in errors.items() if abs(error) > 0.01}
    yield "\n## Parameters counted from the shape\n"
    yield (
        f"{len(errors) - len(past)} of {len(errors)} models agree with the stated total within 1 %, the median within "
        f"{100 * median(map(abs, errors.values())):.3f} %. The others hold towers, or weights that nothing uses, which "
        "no shape describes:\n"
    )
    yield from table(
        ("model", "error", "note"), ((name, percent(error), models.shape(name).notes) for name, error in past.items())
    )


def measured_runs() -> Iterator[str]:
    found = scores()
    yield "## Runs that somebody measured\n"
    yield (
        f"{len(found)} questions with what was measured (`engine/data/measured_runs.csv`, each row with its source); "
        "`vram accuracy` prints the same. Errors in percent; `inside`: share of the measured values inside our range; "
        "`wrong`: verdicts against what became of the run. Groups called `outside` ran with settings that the grammar "
        "cannot say and count in no total.\n"
    )
    header = ("group", "runs", "median error", "median size", "90% below", "inside", "wrong")
    lines = [group_line(one) for one in (*by_group(found), *totals(found))]
    yield from table(
        header, ((one.name, one.runs, one.error, one.size, one.p90, one.inside, one.wrong) for one in lines)
    )
    yield "\nThe ten that are furthest off:\n"
    yield from table(
        ("error", "question", "measured", "what its source leaves open"),
        ((one.error, f"`{one.ask}`", one.measured, one.why) for one in map(worst_line, worst_runs(found))),
    )
    yield ""


def asked_questions() -> Iterator[str]:
    whys = explained()
    yield "\n## Real questions\n"
    yield (
        "128 questions from public threads, each typed and as a sentence (`tests/data/asked_questions.csv`), with what "
        "an answer should satisfy: our own arithmetic, widened to hold what was reported. "
        f"{len(whys)} tags do not hold. `row`: what the tag expects is another question or another rule; `ours`: we "
        "could do better.\n"
    )
    yield from table(
        ("id", "form", "tag", "whose", "why"), ((one.id, one.form, one.tag, *why) for one, why in whys.items())
    )


def page() -> str:
    rows = list(compared())
    sections = (
        measured_runs(),
        asked_questions(),
        by_kind_and_format(rows),
        worst(rows),
        left_out(),
        kv_caches(),
        parameters(),
    )
    return "\n".join([INTRODUCTION, *(line for section in sections for line in section)]) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")

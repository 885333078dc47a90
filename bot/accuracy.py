"""Our figures held against runs that somebody measured: errors, intervals and verdicts, by group.

Each packaged row is a question as a person would type it, with what was measured. `settings` says how well the row's
source tells what was run: `stated`, `assumed` (the note says what), or `outside` (what shaped the figure has no word
in the grammar: shown, and in no total).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import groupby
from statistics import median, quantiles
from typing import Final, Literal

from bot.cards import Card
from bot.commands import Called
from bot.grammar import read
from bot.reply import Reply, Request
from bot.tools import Tools
from engine import packaged_catalog, size
from engine.answer import Answer
from engine.tables import checked, packaged_rows
from engine.values import Value

WORST: Final = 10
MEASURED: Final = ("inference", "training")
"""Groups whose need was measured; their errors make the totals."""


class Run(Value):
    """A measured run as a question.

    Attributes:
        compare: what is held against `value_gb`: the need (`need.total_gb`, `need.per_gpu_gb`), a term, or nothing.
        verdict: what became of it on the GPU that is named: `not-fits` (out of memory) or `not-no` (it ran).
        without: terms that the reading does not hold, such as torch's figures the CUDA context.
    """

    id: str
    ask: str
    compare: str
    value_gb: float | None
    verdict: Literal["", "not-fits", "not-no"]
    without: tuple[str, ...]
    group: str
    settings: Literal["stated", "assumed", "outside"]
    note: str
    source: str


@dataclass(frozen=True, slots=True)
class Score:
    """A run with what we say of it. Errors are shares: 0.1 is 10% too much."""

    run: Run
    error: float | None
    is_inside: bool | None
    is_wrong: bool | None


@dataclass(frozen=True, slots=True)
class Group:
    """What the runs of a group come to; None where there is nothing to say."""

    name: str
    runs: int
    median_error: float | None
    median_size: float | None
    p90_size: float | None
    inside: float | None
    wrong: int | None


@cache
def measured_runs() -> tuple[Run, ...]:
    """The packaged rows."""
    return tuple(
        checked(
            Run,
            row | {"value_gb": row["value_gb"] or None, "without": tuple(filter(None, row["without"].split(";")))},
            place,
        )
        for place, row in packaged_rows("measured_runs.csv")
    )


def answer_to(text: str) -> Answer:
    """Our answer to a question with one reading."""
    (option,) = read(text).options
    return size(option.question, packaged_catalog())


def score(run: Run, ask: Callable[[str], Answer] = answer_to) -> Score:
    """A run held against our answer."""
    answer = ask(run.ask)
    wrong = answer.verdicts[0].verdict == run.verdict.removeprefix("not-") if run.verdict else None
    if run.value_gb is None:
        return Score(run, None, None, wrong)
    if run.compare.startswith("term:"):
        name = run.compare.removeprefix("term:")
        ours = sum(term.gb for term in answer.need.terms if term.name == name)
        return Score(run, ours / run.value_gb - 1, None, wrong)
    need = answer.need
    left_out = sum(term.gb for term in need.terms if term.name in run.without)
    per_gpu = need.per_gpu_gb if need.per_gpu_gb is not None else need.total_gb
    share = (1 - left_out / need.total_gb) * (per_gpu / need.total_gb if run.compare == "need.per_gpu_gb" else 1)
    inside = need.low_gb * share <= run.value_gb <= need.high_gb * share
    return Score(run, need.total_gb * share / run.value_gb - 1, inside, wrong)


def scores() -> tuple[Score, ...]:
    """Every packaged row, scored."""
    return tuple(score(run) for run in measured_runs())


def group(name: str, found: Sequence[Score]) -> Group:
    """What a group of scores comes to."""
    errors = [one.error for one in found if one.error is not None]
    sizes = sorted(map(abs, errors))
    inside = [one.is_inside for one in found if one.is_inside is not None]
    wrong = [one.is_wrong for one in found if one.is_wrong is not None]
    several = len(sizes) > 1
    return Group(
        name=name,
        runs=len(found),
        median_error=median(errors) if errors else None,
        median_size=median(sizes) if sizes else None,
        p90_size=quantiles(sizes, n=10, method="inclusive")[-1] if several else sum(sizes) if sizes else None,
        inside=sum(inside) / len(inside) if inside else None,
        wrong=sum(wrong) if wrong else None,
    )


def sayable(found: Iterable[Score]) -> list[Score]:
    """The scores whose settings the grammar can say: those that count."""
    return [one for one in found if one.run.settings != "outside"]


def by_group(found: Iterable[Score]) -> list[Group]:
    """A group for each kind of run, in the order of their names."""
    ordered = sorted(found, key=lambda one: one.run.group)
    return [group(name, list(ones)) for name, ones in groupby(ordered, key=lambda one: one.run.group)]


def totals(found: Sequence[Score]) -> list[Group]:
    """Inference and training, and the verdicts, over everything that counts."""
    counted = sayable(found)
    needs = [group(f"all {kind}", [one for one in counted if one.run.group.startswith(kind)]) for kind in MEASURED]
    fits = [one for one in counted if one.run.verdict == "not-fits"]
    ran = [one for one in counted if one.run.verdict == "not-no"]
    verdicts = (("ran out of memory, we say fits", fits), ("ran, we say no", ran))
    return needs + [group(name, [Score(one.run, None, None, one.is_wrong) for one in ones]) for name, ones in verdicts]


def worst(found: Iterable[Score], count: int = WORST) -> list[Score]:
    """The runs that are furthest off, of those that count."""
    counted = [one for one in sayable(found) if one.error is not None]
    return sorted(counted, key=lambda one: -abs(one.error or 0.0))[:count]


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One line of the table, rounded."""

    name: str
    runs: str
    error: str
    size: str
    p90: str
    inside: str
    wrong: str


@dataclass(frozen=True, slots=True)
class WorstLine:
    """One run that is far off."""

    error: str
    ask: str
    measured: str
    why: str


@dataclass(frozen=True, slots=True)
class AccuracyCard(Card):
    """The table of errors."""

    template = "accuracy"

    title: str
    groups: tuple[GroupLine, ...]
    totals: tuple[GroupLine, ...]
    worst: tuple[WorstLine, ...]


def accuracy_card() -> AccuracyCard:
    """The table of errors over the packaged rows, with the worst of them."""
    found = scores()
    return AccuracyCard(
        title=f"{len(found)} measured runs held against our figures",
        groups=tuple(map(group_line, by_group(found))),
        totals=tuple(map(group_line, totals(found))),
        worst=tuple(map(worst_line, worst(found))),
    )


def group_line(one: Group) -> GroupLine:
    """A group in words."""
    return GroupLine(
        name=one.name,
        runs=str(one.runs),
        error="" if one.median_error is None else f"{100 * one.median_error:+.1f}",
        size="" if one.median_size is None else f"{100 * one.median_size:.1f}",
        p90="" if one.p90_size is None else f"{100 * one.p90_size:.1f}",
        inside="" if one.inside is None else f"{100 * one.inside:.0f}",
        wrong="" if one.wrong is None else str(one.wrong),
    )


def worst_line(one: Score) -> WorstLine:
    """A run that is far off, with what its source leaves open."""
    return WorstLine(
        error=f"{100 * (one.error or 0.0):+.0f}%",
        ask=one.run.ask,
        measured=f"{one.run.value_gb:.1f} GB",
        why=one.run.note or "settings stated; see docs/method.md, when not to trust it",
    )


def accuracy(tools: Tools, _call: Called, _request: Request) -> Reply:
    """The table of errors, as a card and as rows."""
    card = accuracy_card()
    rows = tuple(asdict(one) for one in by_group(scores()))
    return Reply("list", "asker", tools.renderer.parts(card), rows=rows)

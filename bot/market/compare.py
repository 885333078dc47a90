"""`compare A B [question] [speed=3x]`: sets side by side, and which for what."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from textwrap import wrap
from typing import Final

from bot.commands import Called
from bot.market.asked import Asked, asked, with_sets, written
from bot.market.cards import CompareCard, CompareRow, CompareTable
from bot.market.choose import back_with
from bot.market.compare_rows import answer_rows, job_rows, run_rows, set_rows
from bot.market.compare_words import by_finished_job, for_this, which_for_what
from bot.market.runs import contrary_notes
from bot.market.wording import money, number, old_prices, rented_as, set_name
from bot.market.words import HOURS, SPEED, take
from bot.refusals import shown
from bot.reply import Reply, Request
from bot.tools import Tools
from bot.wording import NO_BREAK, rounded
from engine import size
from engine.answer import Answer
from engine.comfort import comforts
from engine.comparison import Column, column, rented_form, tokens_per_second_a_usd
from engine.economics import job_usd
from engine.errors import EmptyQuestion, ImpossibleValue, UnknownWord
from engine.question import GpuSet

SETS_A_TABLE: Final = 4
HEADING_COLUMNS: Final = 13
"""What a column of every platform's table holds."""
LONGEST_TITLE: Final = 240
"""The title of an embed takes 256 characters; in a terminal a long one takes several lines."""
BOTH_NEEDED: Final = "Name two sets or more, as in compare h100 4090 70b int4"
USUAL_JOB_HOURS: Final = Decimal(100)
"""Hours on the first set that a job is reckoned with where nobody says how long it takes."""


@dataclass(frozen=True, slots=True)
class Job:
    """How fast each set is against the first, and how long the first takes.

    Attributes:
        measured: numbers of the queries whose measured runs say so; () where the asker does.
    """

    speeds: tuple[Decimal, ...]
    hours: Decimal
    hours_assumed: bool
    measured: tuple[int, ...] = ()


def compare(tools: Tools, call: Called, request: Request) -> Reply:
    """The sets that a text names, side by side; with a question what it comes to on each.

    Raises:
        EngineError: no sets, an unknown word, or an impossible value.
    """
    taken = take(call.words, (SPEED, HOURS))
    found = asked(taken.rest, tools.catalog, mention=request.mention)
    if len(found.sets) < 2:
        missing = "only one set is named" if found.sets else "no sets to compare are named"
        raise EmptyQuestion(call.words, reason=missing, allowed=BOTH_NEEDED)
    if found.loose:
        raise UnknownWord(
            found.loose,
            reason="it says something only of a model, and none is named",
            allowed="a model with it, as in compare h100 4090 70b int4 ctx=8k",
        )
    job = _job(taken.values.get("speed"), taken.values.get("hours"), found)
    return compare_sets(tools, found.sets, found, request, job, options=taken.written)


def _job(speeds: tuple[Decimal, ...] | None, hours: Decimal | None, found: Asked) -> Job | None:
    """The speeds as one a set; they are given one a name, or of the last of two names alone."""
    if speeds is None:
        return None
    groups = found.groups
    each = (Decimal(1), *speeds) if len(speeds) == 1 and len(groups) == 2 else speeds
    if len(each) != len(groups):
        allowed = f"one figure a set, such as speed={','.join(['1'] * (len(groups) - 1) + ['3'])}"
        given = f"speed={','.join(map(str, speeds))}"
        raise ImpossibleValue(given, allowed=allowed, reason=f"{len(groups)} sets are named")
    of_set = {one: speed for group, speed in zip(groups, each, strict=True) for one in group}
    return Job(tuple(of_set[one] for one in found.sets), *job_hours(hours))


def job_hours(hours: Decimal | None) -> tuple[Decimal, bool]:
    """Hours of the job on the first set, and whether they are assumed."""
    return hours or USUAL_JOB_HOURS, hours is None


def compare_sets(
    tools: Tools,
    sets: Sequence[GpuSet],
    found: Asked | None = None,
    request: Request | None = None,
    job: Job | None = None,
    *,
    options: str = "",
) -> Reply:
    """The reply about these sets; a question with several readings is asked back, the command's options with it."""
    answer = None
    if found is not None and found.reading is not None:
        readings = found.reading.options
        if len(readings) > 1:
            text = request.text if request else ""
            before = " ".join(filter(None, ("compare", options, *map(written, sets))))
            return back_with(tools, text, readings, before)
        question = with_sets(readings[0], tuple(sets))
        answer = size(question, tools.catalog, today=tools.clock.now().date())
    columns = [column(one, tools.catalog) for one in sets]
    card = compare_card(columns, answer, job, tools)
    rows = tuple(_json(place, columns, answer, job) for place in range(len(columns)))
    return Reply("list", "asker", tools.renderer.parts(card), rows=rows)


def compare_card(columns: Sequence[Column], answer: Answer | None, job: Job | None, tools: Tools) -> CompareCard:
    rows = [*set_rows(columns)]
    rows += answer_rows(answer) if answer else run_rows(columns)
    if job is not None:
        rows += job_rows(columns, job.speeds, job.hours)
    return CompareCard(
        title=_title(columns, answer),
        tables=tuple(_tables(columns, rows)),
        notes=tuple(_notes(columns, answer, job, tools)),
        conclusion=_conclusion(columns, answer, job),
    )


def _title(columns: Sequence[Column], answer: Answer | None) -> str:
    names = " against ".join(dict.fromkeys(map(set_name, columns)))
    return shown(f"{names}: {answer.question.text}" if answer else names, LONGEST_TITLE)


def _tables(columns: Sequence[Column], rows: Sequence[CompareRow]) -> Iterator[CompareTable]:
    for start in range(0, len(columns), SETS_A_TABLE):
        end = start + SETS_A_TABLE
        names = tuple(map(set_name, columns[start:end]))
        yield CompareTable(
            names,
            _headings(names),
            tuple(CompareRow(row.label, row.cells[start:end]) for row in rows),
        )


def _headings(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    r"""Names in lines that a column holds, so that none is cut; the last lines stand side by side.

    >>> _headings(("A40", "A100 PCIe 80 GB"))
    (('', 'A100 PCIe'), ('A40', '80\xa0GB'))
    """
    lines = [wrap(_AT_COUNT_OR_UNIT.sub(NO_BREAK, name.replace(NO_BREAK, " ")), HEADING_COLUMNS) for name in names]
    most = max(map(len, lines))
    return tuple(zip(*([""] * (most - len(one)) + one for one in lines), strict=True))


_AT_COUNT_OR_UNIT: Final = re.compile(r" (?=GB\b|×)")
"""Where a name is not parted: `8 ×`, `80 GB`."""


def _notes(columns: Sequence[Column], answer: Answer | None, job: Job | None, tools: Tools) -> Iterator[str]:
    yield f"Sums of each set, prices of {tools.catalog.name} in US dollars; a month is 720 hours. * best of its row."
    if answer is None:
        yield "Each model in the largest format that fits, at 8,192 tokens a user."
        for one in columns:
            yield from contrary_notes(one.gpu, comforts(one.gpu, one.count)) if one.count == 1 else ()
    else:
        yield "Tokens/s are what memory bandwidth allows one stream: a limit, no benchmark."
        yield from _said_once(warning.text for warning in answer.warnings if warning.code in _OF_SETS)
    yield from _forms(columns, tools)
    yield from old_prices(columns, tools.clock.now().date())
    if job is not None and job.measured:
        yield f"Speeds as measured: {', '.join(f'#{number}' for number in job.measured)}."
    if job is not None and job.hours_assumed:
        yield f"Assumed: the job takes {rounded(job.hours)} hours on the first (hours=... changes it)."


def _forms(columns: Sequence[Column], tools: Tools) -> Iterator[str]:
    """Which other form is rented of a set without a price, where that form is not a column itself."""
    compared = {(one.gpu.id, one.count) for one in columns}
    for one in columns:
        form = rented_form(one, tools.catalog)
        if form is not None and (form.gpu.id, form.count) not in compared:
            yield f"{set_name(one)} has no price here; it is {rented_as(form)}."


_OF_SETS: Final = frozenset(
    {"tight-fit", "no-fp8-hardware", "slow-link", "replica-per-gpu", "heads-not-divisible", "consumer-rig", "rocm"}
)
"""Warnings that are about a set that is compared."""


def _said_once(texts: Iterable[str]) -> Iterator[str]:
    for text in dict.fromkeys(texts):
        yield f"{text[:1].upper()}{text[1:]}."


def _conclusion(columns: Sequence[Column], answer: Answer | None, job: Job | None) -> str:
    if job is not None:
        return by_finished_job(columns, job.speeds, job.hours)
    return for_this(columns, answer) if answer else which_for_what(columns)


def _json(place: int, columns: Sequence[Column], answer: Answer | None, job: Job | None) -> Mapping[str, object]:
    one = columns[place]
    row: dict[str, object] = {
        "gpu": one.gpu.id,
        "name": one.gpu.name,
        "count": one.count,
        "memory_gb": one.memory_gb,
        "bandwidth_gb_s": one.bandwidth_gb_s,
        "fp8": one.gpu.fp8,
        "link": one.gpu.link,
        "link_gb_s": one.gpu.link_gb_s,
        "mig_max": one.gpu.mig_max,
        "usd_month": money(one.usd_month),
        "usd_hour": money(one.usd_hour),
        "usd_per_gb_month": number(one.usd_a_gb),
        "gb_s_per_usd_month": number(one.gb_s_a_usd),
        "provider": one.provider,
        "currency": "USD",
    }
    if answer is not None:
        verdict = answer.verdicts[place]
        row |= {"question": answer.question.text, "need_gb": answer.need.total_gb}
        row |= {"verdict": verdict.model_dump(mode="json")}
        row |= {"tokens_per_second_per_usd_hour": number(tokens_per_second_a_usd(verdict))}
    else:
        row["runs"] = [
            {"what": each.use.name, "how": each.word, "weight_format": each.weight_format, "need_gb": each.need_gb}
            for each in comforts(one.gpu, one.count)
        ]
    if job is not None:
        cost = None if one.usd_hour is None else job_usd(one.usd_hour, job.hours, job.speeds[place])
        row |= {"speed": float(job.speeds[place]), "job_usd": money(cost)}
    return row

"""The rows of a comparison: a cell a set, the best of each row marked."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from bot.market.cards import CompareRow
from bot.market.runs import runs_cell
from bot.market.wording import NO_PRICE, NOTHING, link, marked, yes
from bot.wording import rounded, usd
from engine.answer import Answer, SetVerdict
from engine.comfort import USES, comfort_on
from engine.comparison import Column, tokens_per_second_a_usd, winners
from engine.economics import job_usd

VERDICTS = {"fits": "fits", "tight": "tight", "no": "too big"}

Figure = Decimal | float | None


def _row(label: str, figures: Sequence[Figure], text: Callable[[Decimal | float], str], *, least: bool) -> CompareRow:
    best = winners(figures, least=least)
    cells = (
        NOTHING if figure is None else marked(text(figure), best=place in best) for place, figure in enumerate(figures)
    )
    return CompareRow(label, tuple(cells))


def set_rows(columns: Sequence[Column]) -> Iterator[CompareRow]:
    """What each set is and costs."""
    yield _row("Memory", [one.memory_gb for one in columns], lambda gb: f"{gb:g} GB", least=False)
    speeds = [one.bandwidth_gb_s for one in columns]
    yield _row("Bandwidth", speeds, lambda speed: f"{rounded(speed)} GB/s", least=False)
    yield CompareRow("FP8", tuple(yes(one.gpu.fp8) for one in columns))
    yield CompareRow("Link", tuple(_link(one) for one in columns))
    yield CompareRow("MIG slices", tuple(str(one.gpu.mig_max * one.count or NOTHING) for one in columns))
    month = _row("A month", [one.usd_month for one in columns], usd, least=True)
    yield CompareRow(month.label, tuple(map(_or_why, month.cells, columns)))
    yield _row("An hour", [one.usd_hour for one in columns], lambda price: usd(price, 2), least=True)
    yield _row("$/GB/month", [one.usd_a_gb for one in columns], lambda price: usd(price, 2), least=True)
    yield _row("GB/s/$", [one.gb_s_a_usd for one in columns], lambda ratio: rounded(ratio, 2), least=False)
    yield from _ratios(columns)


def _link(one: Column) -> str:
    speed = f" {one.gpu.link_gb_s:g}" if one.gpu.link_gb_s else ""
    return f"{link(one.gpu)}{speed}"


def _or_why(cell: str, one: Column) -> str:
    if cell != NOTHING:
        return cell
    return f"{one.least_count} at least" if one.least_count and one.least_count > one.count else NO_PRICE


def _ratios(columns: Sequence[Column]) -> Iterator[CompareRow]:
    """Price and bandwidth against the first set."""
    for label, figures in (
        ("Price, times", [one.usd_month for one in columns]),
        ("Speed, times", [one.bandwidth_gb_s for one in columns]),
    ):
        first = figures[0]
        if first and any(figures[1:]):
            ratios = (NOTHING if figure is None else rounded(figure / first, 2) for figure in figures)  # type: ignore[operator]
            yield CompareRow(label, tuple(ratios))


def run_rows(columns: Sequence[Column]) -> Iterator[CompareRow]:
    """How well each of the usual uses runs on each set."""
    for use in USES:
        yield CompareRow(use.name, tuple(runs_cell(comfort_on(use, one.gpu, one.count)) for one in columns))


def answer_rows(answer: Answer) -> Iterator[CompareRow]:
    """What the question comes to on each set."""
    verdicts = answer.verdicts
    yield CompareRow("Verdict", tuple(VERDICTS[one.verdict] for one in verdicts))
    yield CompareRow("Need", tuple(_need(one, answer) for one in verdicts))
    yield _row("Spare", [one.spare_gb for one in verdicts], lambda gb: f"{rounded(gb, 1)} GB", least=False)
    speeds = [_if_held(one, one.tokens_per_second) for one in verdicts]
    yield _row("Tokens/s", speeds, _speed, least=False)
    if any(one.tokens_per_second_tensor_parallel for one in verdicts):
        parallel = [_if_held(one, one.tokens_per_second_tensor_parallel or one.tokens_per_second) for one in verdicts]
        yield _row("in parallel", parallel, _speed, least=False)
    a_usd = [_if_held(one, tokens_per_second_a_usd(one)) for one in verdicts]
    yield _row("Tokens/s/$/h", a_usd, lambda figure: rounded(figure, 1), least=False)
    yield _row("Max context", [one.max_context_tokens for one in verdicts], rounded, least=False)
    if any(one.max_users for one in verdicts):
        yield _row("Max users", [one.max_users for one in verdicts], rounded, least=False)


def _if_held(verdict: SetVerdict, figure: Figure) -> Figure:
    """A speed on a set that does not hold the need is none."""
    return None if verdict.verdict == "no" else figure


def _need(verdict: SetVerdict, answer: Answer) -> str:
    if verdict.count == 1:
        return f"{rounded(answer.need.total_gb, 1)} GB"
    return f"{rounded(verdict.per_gpu_gb, 1)} GB each"


def _speed(tokens_per_second: Decimal | float) -> str:
    return rounded(tokens_per_second, 1 if tokens_per_second < 10 else 0)


def job_rows(columns: Sequence[Column], speeds: Sequence[Decimal], hours: Decimal) -> Iterator[CompareRow]:
    """What a finished job takes and costs on each set."""
    yield CompareRow("Job, hours", tuple(rounded(hours / speed, 1) for speed in speeds))
    costs = [
        None if one.usd_hour is None else job_usd(one.usd_hour, hours, speed)
        for one, speed in zip(columns, speeds, strict=True)
    ]
    yield _row("Job, cost", costs, lambda cost: usd(cost, 2), least=True)

"""`advise <who, what or budget>`: what the guides advise, each computed against the catalog."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby
from typing import Final

from bot.answer_card import VERDICT_WORDS, within_limits
from bot.cards import Line
from bot.commands import Called
from bot.grammar import read
from bot.grammar.tokens import words_of
from bot.market.advise_words import EXAMPLES, Wanted, wanted
from bot.market.asked import with_sets, written
from bot.market.budget import break_even_lines, budget_lines, months
from bot.market.cards import SheetCard
from bot.market.choose import back_with
from bot.market.spending import Budget
from bot.market.wording import money, sized_name
from bot.refusals import capital, shown
from bot.reply import Reply, Request
from bot.tools import Tools
from bot.wording import gb, gpus, rounded, usd
from engine import size
from engine.advice import Workload, advised, for_budget, says
from engine.answer import Answer, SetVerdict
from engine.comparison import Column, fleet, one_of
from engine.errors import EmptyQuestion, EngineError, UnknownWord
from engine.gpus import Gpu, gpu
from engine.question import GpuSet, Question
from engine.slices import HALF_GPU_THROUGHPUT, sharing_of

FASTEST_UNDER_USD: Final = Decimal(600)
"""A month; what the guides' row of the fastest GPU asks. Source: sizing guide, workloads."""
MOST_READINGS: Final = 3
"""Readings of a question that are computed one by one (lora, qlora, full); more are asked back."""
BUYING: Final = frozenset({"buy", "rent"})
TENANTS: Final = frozenset({"tenant", "tenants", "mig"})


@dataclass(frozen=True, slots=True)
class Advice:
    """What a text is answered by: rows of the guides, its own questions, what may be spent.

    Attributes:
        sets: the asker's own; () where each row's GPUs are asked.
        left: words of the guides whose rows are not among these.
    """

    rows: tuple[Workload, ...]
    own: tuple[Question, ...]
    sets: tuple[GpuSet, ...]
    budget: Budget | None
    left: tuple[str, ...]


def advise(tools: Tools, call: Called, request: Request) -> Reply:
    """What the guides advise for a text, with what it comes to in the catalog.

    Raises:
        EngineError: a word is not known, or the text names neither task nor model nor budget.
    """
    words = call.words.strip().strip('"').strip()
    if not words:
        raise EmptyQuestion(words, reason="nothing to advise on is named", allowed=f"Name {EXAMPLES}")
    found = wanted(words, tools.catalog, mention=request.mention)
    options = found.asked.reading.options if found.asked.reading else ()
    if len(options) > MOST_READINGS:
        beside = [word for word in found.guides if word not in found.asked_words.split()]
        money = [found.budget.written] if found.budget else []
        return back_with(
            tools, request.text, options, " ".join(["advise", *beside, *money, *map(written, found.asked.sets)])
        )
    advice = _advice(found)
    if not advice.rows and not advice.own:
        raise _nothing_named(words, found)
    card = _card(tools, words, advice)
    json = tuple(_json(tools, row, advice) for row in advice.rows) or (_json(tools, None, advice),)
    return Reply("list", "asker", tools.renderer.parts(card), rows=json)


def _advice(found: Wanted) -> Advice:
    budget, sets = found.budget, found.asked.sets
    rows = advised(" ".join(found.guides))
    if budget is not None and budget.period == "sum" and not budget.is_more and rows and _is_fastest(rows[0]):
        budget = replace(budget, period="month")  # the guides' row means a month's price
    own = tuple(with_sets(option, sets) for option in (found.asked.reading.options if found.asked.reading else ()))
    if budget is not None and (budget.period == "sum" or not (rows or own)):
        rows = tuple(dict.fromkeys((*rows, for_budget(budget.usd_month, is_more=budget.is_more))))
    counted = words_of(found.asked_words) if own else []
    in_question = {word.text for word in counted}
    left = (
        word.typed
        for word in words_of(" ".join(found.guides))
        if rows and word.text not in in_question and not any(says(row, word.text) for row in rows)
    )
    return Advice(rows, own, sets, budget, tuple(dict.fromkeys(left)))


def _nothing_named(words: str, found: Wanted) -> EngineError:
    sets = found.asked.sets
    if not sets:
        return EmptyQuestion(words, reason="nothing to advise on is named", allowed=f"Name {EXAMPLES}")
    names = ", ".join(map(written, sets))
    money = f"; as a budget it is {words} usd" if words.isdecimal() else ""
    return UnknownWord(
        words,
        reason="it names GPUs and not what they are for",
        allowed=f"a task with it, as in advise {names.split(', ')[0]} 13b lora, or gpus {names}{money}",
    )


def _card(tools: Tools, words: str, advice: Advice) -> SheetCard:
    lines: list[Line] = []
    notes: list[str] = []
    budget = advice.budget
    if budget is not None and budget.period != "sum":
        lines.append(Line("Budget", f"{budget.text}: only what costs no more is called the cheapest"))
    for row in advice.rows:
        lines += _row_lines(tools, row, advice)
        notes += [row.note] if row.note else []
        notes += [text for question in _questions(row, advice) for text in _idle(tools, question, row.gpus)]
    if not advice.rows:
        own = _within(advice.own, budget)
        lines += [Line("" if n else "Computed", _computed(tools, one, (), budget)) for n, one in enumerate(own)]
    if advice.left:
        asks = ", ".join(f"advise {word}" for word in advice.left)
        notes.append(f"not in these rows: {', '.join(advice.left)}; ask apart: {asks}")
    if budget is not None and budget.period != "sum" and any(_is_of_budgets(row) for row in advice.rows):
        notes.append("the guides' budgets are sums: an amount a month is read as the sum of one month")
    said = tuple(f"{capital(note)}." for note in dict.fromkeys(notes))
    return SheetCard(title=shown(words), lines=tuple(lines), commands=(), notes=said)


def _is_fastest(row: Workload) -> bool:
    return row.who_or_what.startswith("fastest")


def _is_of_budgets(row: Workload) -> bool:
    return row.who_or_what.startswith("budget")


def _within(questions: Iterable[Question], budget: Budget | None) -> Iterator[Question]:
    """The questions with the budget as a limit of theirs."""
    for question in questions:
        limits = budget.on(question.limits) if budget else question.limits
        yield question.model_copy(update={"limits": limits})


def _questions(row: Workload, advice: Advice) -> Iterator[Question]:
    """The row's questions, and the asker's own where it is another; all within the budget."""
    of_row = (read(ask).options[0].question.model_copy(update={"sets": advice.sets}) for ask in row.asks)
    known: list[Question] = []
    for question in _within((*of_row, *advice.own), advice.budget):
        plain = question.model_copy(update={"text": ""})
        if plain not in known:
            known.append(plain)
            yield question


def _row_lines(tools: Tools, row: Workload, advice: Advice) -> Iterator[Line]:
    budget = advice.budget
    yield Line("Guide", f"{row.who_or_what}: {row.card}" + (f". {capital(row.because)}" if row.because else ""))
    for place, question in enumerate(_questions(row, advice)):
        yield Line("" if place else "Computed", _computed(tools, question, row.gpus, budget))
    if budget is not None and _is_of_budgets(row):
        yield from budget_lines(tools, budget)
    if row.words & TENANTS:
        yield from _sharing_lines(tools, row)
    if row.words & BUYING:
        yield from break_even_lines(tools)
    if _is_fastest(row):
        yield from _fastest(tools, budget.usd_month if budget else FASTEST_UNDER_USD)
    prices = (_price(one_of(gpu_id, tools.catalog), budget) for gpu_id in row.gpus)
    yield Line("Price", ", ".join(prices))


def _price(one: Column, budget: Budget | None) -> str:
    name = sized_name(one.gpu)
    if one.usd_month is None:
        return f"{name} is not for rent here"
    is_over = budget is not None and budget.period != "sum" and one.usd_month > budget.usd_month
    return f"{name} {usd(one.usd_month)} a month" + (", over the budget" if is_over else "")


def _computed(tools: Tools, question: Question, gpu_ids: tuple[str, ...], budget: Budget | None) -> str:
    """What a question comes to: on the guide's GPUs, and the cheapest that holds it."""
    answer = _answer(tools, question, gpu_ids)
    said = [f"{question.text} needs {gb(answer.need.total_gb)}", *_on_sets(answer.verdicts)]
    if answer.pick:
        lasts = f" ({months(budget.usd, answer.pick.usd_month)})" if budget and budget.period == "sum" else ""
        said.append(f"cheapest {gpus(answer.pick.name, answer.pick.count)}, {usd(answer.pick.usd_month)}{lasts}")
    elif answer.cluster:
        said.append(f"cheapest {answer.cluster.nodes} nodes of {gpus(answer.cluster.name, answer.cluster.per_node)}")
    else:
        beyond = _beyond(tools, question)
        said.append(f"nothing in {answer.catalog.name} holds it{within_limits(question.limits)}{beyond}")
    return "; ".join(said)


def _beyond(tools: Tools, question: Question) -> str:
    """What holds a question at a higher price than the budget, where that is what nothing does."""
    limits = question.limits.model_copy(update={"usd_month": None, "usd_hour": None})
    if limits == question.limits:
        return ""
    pick = size(question.model_copy(update={"limits": limits}), tools.catalog).pick
    return f"; beyond that {gpus(pick.name, pick.count)}, {usd(pick.usd_month)}" if pick else ""


def _answer(tools: Tools, question: Question, gpu_ids: tuple[str, ...]) -> Answer:
    """The answer with a verdict on one of each GPU, and on the sets of it that are rented."""
    sets = question.sets or tuple(
        GpuSet(gpu=gpu_id, count=count)
        for gpu_id in gpu_ids
        for count in dict.fromkeys((1, *tools.catalog.counts(gpu_id)))
    )
    return size(question.model_copy(update={"sets": sets}), tools.catalog, today=tools.clock.now().date())


def _on_sets(verdicts: Sequence[SetVerdict]) -> Iterator[str]:
    """Of each GPU the smallest set that holds it."""
    for _, of_gpu in groupby(verdicts, key=lambda one: one.gpu):
        alone, *sets = of_gpu
        said = f"{gpus(alone.name, alone.count)} {VERDICT_WORDS[alone.verdict].lower()}"
        larger = next((one for one in sets if one.verdict != "no"), None)
        if alone.verdict == "no" and larger is not None:
            said += f", {gpus(larger.name, larger.count)} {VERDICT_WORDS[larger.verdict].lower()}"
        yield said


def _idle(tools: Tools, question: Question, gpu_ids: tuple[str, ...]) -> Iterator[str]:
    """That most of a GPU would stand idle at several times the price."""
    for gpu_id in gpu_ids:
        alone = question.model_copy(update={"sets": (GpuSet(gpu=gpu_id),)})
        yield from (warning.text for warning in size(alone, tools.catalog).warnings if warning.code == "oversized")


def _sharing_lines(tools: Tools, row: Workload) -> Iterator[Line]:
    """How many instances of each model share one GPU, and what a tenant costs."""
    for gpu_id in row.gpus:
        one, price = gpu(gpu_id), one_of(gpu_id, tools.catalog)
        for place, question in enumerate(read(ask).options[0].question for ask in row.asks):
            text = _sharing(one, question.text, _answer(tools, question, ()).need.total_gb, price)
            yield Line("" if place else "Sharing", text)
    kept = f"{rounded(100 * HALF_GPU_THROUGHPUT)}%"
    yield Line("", f"half a GPU keeps {kept} of the throughput with small models; slices isolate, processes do not")


def _sharing(one: Gpu, ask: str, need_gb: float, price: Column) -> str:
    sharing = sharing_of(need_gb, one)
    side = f"{sharing.side_by_side} side by side"
    if sharing.isolated is None:
        return f"{one.name}: {side} of {ask} ({gb(need_gb, 1)})"
    count = sharing.isolated.instances
    each = f", {usd(price.usd_month / count)} a month each" if price.usd_month is not None else ""
    return f"{one.name}: {count} of {ask} ({gb(need_gb, 1)}) in MIG slices {sharing.isolated.name}{each}; {side}"


def _fastest(tools: Tools, most: Decimal) -> Iterator[Line]:
    priced = [one for one in fleet(tools.catalog) if one.usd_month is not None and one.usd_month <= most]
    single = [one for one in priced if one.least_count is None]
    if not single:
        yield Line("Fastest", f"nothing in {tools.catalog.name} costs up to {usd(most)} a month")
        return
    best = max(single, key=lambda one: one.bandwidth_gb_s or 0.0)
    yield Line(
        "Fastest", f"{sized_name(best.gpu)}, {rounded(best.bandwidth_gb_s or 0.0)} GB/s, of those up to {usd(most)}"
    )


def _json(tools: Tools, row: Workload | None, advice: Advice) -> Mapping[str, object]:
    """A row of the guides with what it comes to; the asker's own questions alone where no row speaks of them."""
    budget = advice.budget
    questions = _questions(row, advice) if row else _within(advice.own, budget)
    return {
        "who_or_what": row.who_or_what if row else None,
        "guide": row.card if row else None,
        "because": row.because if row else None,
        "budget_usd": money(budget.usd) if budget else None,
        "budget_period": budget.period if budget else None,
        "computed": [_computed_json(tools, question, row.gpus if row else ()) for question in questions],
        "note": row.note if row else None,
    }


def _computed_json(tools: Tools, question: Question, gpu_ids: tuple[str, ...]) -> Mapping[str, object]:
    answer = _answer(tools, question, gpu_ids)
    return {
        "ask": question.text,
        "need_gb": answer.need.total_gb,
        "pick": answer.pick.model_dump(mode="json") if answer.pick else None,
        "verdicts": [
            {"gpu": one.gpu, "count": one.count, "verdict": one.verdict, "spare_gb": one.spare_gb}
            for one in answer.verdicts
        ],
    }

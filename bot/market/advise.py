"""`advise <who, what or budget>`: what the guides advise, each computed against the catalog."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from bot.answer_card import VERDICT_WORDS
from bot.cards import Line
from bot.commands import Called
from bot.grammar import nearest, read
from bot.market.budget import break_even_lines, budget_lines
from bot.market.cards import SheetCard
from bot.market.wording import money, sized_name
from bot.refusals import capital, shown
from bot.reply import Reply, Request
from bot.tools import Tools
from bot.wording import gb, gpus, rounded, usd
from engine import size
from engine.advice import Workload, advised, for_budget, known_words
from engine.answer import Answer, SetVerdict
from engine.comparison import Column, fleet, one_of
from engine.errors import EmptyQuestion, EngineError, UnknownWord
from engine.gpus import Gpu, gpu
from engine.question import GpuSet, Question
from engine.slices import HALF_GPU_THROUGHPUT, sharing_of

USD_WORDS: Final = re.compile(
    r"(?:budget(?: of|=)?|under|up to|below|with)?\s*\$?\s*(\d[\d,]*(?:\.\d+)?)(k?)\s*(?:usd|dollars?|bucks|\$)?",
    re.IGNORECASE,
)
FASTEST_UNDER_USD: Final = Decimal(600)
TUNED: Final = frozenset({"lora", "qlora", "full"})
BUYING: Final = frozenset({"buy", "rent"})
TENANTS: Final = frozenset({"tenant", "tenants", "mig"})
EXAMPLES: Final = 'a task, a person or a budget, such as advise LoRA on 13B, advise "many tenants", advise 2000'


def advise(tools: Tools, call: Called, _request: Request) -> Reply:
    """What the guides advise for a text, with what it comes to in the catalog.

    Raises:
        EngineError: nothing of the text is known.
    """
    words = call.words.strip().strip('"').strip()
    if not words:
        raise EmptyQuestion(words, reason="who or what it is for is missing", allowed=EXAMPLES)
    budget = _budget(words)
    rows = (for_budget(budget),) if budget is not None else advised(words)
    own = _own_questions(words) if budget is None else ()
    if not rows and not own:
        known = (word for part in words.lower().split() for word in nearest(part, known_words()))
        raise UnknownWord(words, near=tuple(dict.fromkeys(known)), allowed=EXAMPLES)
    card = _card(tools, words, rows, own, budget)
    json = tuple(_json(tools, row, budget) for row in rows)
    return Reply("list", "asker", tools.renderer.parts(card), rows=json)


def _budget(words: str) -> Decimal | None:
    """US dollars, where the text is a sum alone."""
    found = USD_WORDS.fullmatch(words)
    if not found:
        return None
    return Decimal(found[1].replace(",", "")) * (1000 if found[2] else 1)


def _own_questions(words: str) -> tuple[Question, ...]:
    """The text as questions of the grammar, where it names a model; () where it does not."""
    try:
        return tuple(option.question for option in read(words, mention=True).options)
    except EngineError:
        return ()


def _says_more(question: Question) -> bool:
    """Whether a question has more than a model and its use."""
    return question.weight_format is not None or question.context_tokens is not None or question.workload in TUNED


def _card(
    tools: Tools, words: str, rows: tuple[Workload, ...], own: tuple[Question, ...], budget: Decimal | None
) -> SheetCard:
    lines: list[Line] = []
    notes: list[str] = []
    for row in rows:
        lines += _row_lines(tools, row, own, budget)
        notes += [row.note] if row.note else []
        notes += [text for question in _questions(row, own) for text in _idle(tools, question, row.gpus)]
    if not rows:
        lines += [Line("" if n else "Computed", _computed(tools, question, ())) for n, question in enumerate(own)]
    said = tuple(f"{capital(note)}." for note in dict.fromkeys(notes))
    return SheetCard(title=shown(words), lines=tuple(lines), commands=(), notes=said)


def _questions(row: Workload, own: tuple[Question, ...]) -> Iterator[Question]:
    """The row's questions, and the asker's own where it says more and is another."""
    known: list[Question] = []
    for question in (*(read(ask).options[0].question for ask in row.asks), *filter(_says_more, own)):
        plain = question.model_copy(update={"text": "", "sets": ()})
        if plain not in known:
            known.append(plain)
            yield question


def _row_lines(tools: Tools, row: Workload, own: tuple[Question, ...], budget: Decimal | None) -> Iterator[Line]:
    yield Line("Guide", f"{row.who_or_what}: {row.card}" + (f". {capital(row.because)}" if row.because else ""))
    for place, question in enumerate(_questions(row, own)):
        yield Line("" if place else "Computed", _computed(tools, question, row.gpus))
    if budget is not None:
        yield from budget_lines(tools, budget)
    if row.words & TENANTS:
        yield from _sharing_lines(tools, row)
    if row.words & BUYING:
        yield from break_even_lines(tools)
    if row.who_or_what.startswith("fastest"):
        yield from _fastest(tools)
    prices = (_price(one_of(gpu_id, tools.catalog)) for gpu_id in row.gpus)
    yield Line("Price", ", ".join(prices))


def _price(one: Column) -> str:
    name = sized_name(one.gpu)
    return f"{name} {usd(one.usd_month)} a month" if one.usd_month is not None else f"{name} is not for rent here"


def _computed(tools: Tools, question: Question, gpu_ids: tuple[str, ...]) -> str:
    """What a question comes to: on the guide's GPUs, and the cheapest that holds it."""
    answer = _answer(tools, question, gpu_ids)
    said = [f"{question.text} needs {gb(answer.need.total_gb)}", *_on_sets(answer.verdicts)]
    if answer.pick:
        said.append(f"cheapest {gpus(answer.pick.name, answer.pick.count)}, {usd(answer.pick.usd_month)}")
    elif answer.cluster:
        said.append(f"cheapest {answer.cluster.nodes} nodes of {gpus(answer.cluster.name, answer.cluster.per_node)}")
    else:
        said.append(f"nothing in {answer.catalog.name} holds it")
    return "; ".join(said)


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
        said = f"{alone.name} {VERDICT_WORDS[alone.verdict].lower()}"
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
        for place, question in enumerate(_questions(row, ())):
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


def _fastest(tools: Tools) -> Iterator[Line]:
    priced = [one for one in fleet(tools.catalog) if one.usd_month is not None and one.usd_month <= FASTEST_UNDER_USD]
    single = [one for one in priced if one.least_count is None]
    if single:
        best = max(single, key=lambda one: one.bandwidth_gb_s or 0.0)
        speed = f"{rounded(best.bandwidth_gb_s or 0.0)} GB/s"
        yield Line("Fastest", f"{sized_name(best.gpu)}, {speed}, of those up to {usd(FASTEST_UNDER_USD)}")


def _json(tools: Tools, row: Workload, budget: Decimal | None) -> Mapping[str, object]:
    return {
        "who_or_what": row.who_or_what,
        "guide": row.card,
        "because": row.because,
        "budget_usd": money(budget),
        "computed": [_computed_json(tools, question, row.gpus) for question in _questions(row, ())],
        "note": row.note,
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

"""`cost <question> [gpu] [hours=…] [buy=…] …`: renting, owning, tokens, on the pick or on the sets that are named."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from bot.answer_card import within_limits
from bot.cards import Line
from bot.commands import Called
from bot.market.asked import Asked, asked, with_sets, written
from bot.market.cards import SheetCard
from bot.market.choose import back_with
from bot.market.cost_lines import Wishes, owning_lines, renting_lines, token_lines
from bot.market.wording import NO_PRICE, money, number, old_prices, prices, rented_as, sized_name
from bot.market.words import BUY, EGRESS, HOURS, IDLE, KWH, MONTHS, SHARE, take, take_commitment, take_tokens
from bot.refusals import shown
from bot.reply import Reply, Request
from bot.tools import Tools
from bot.wording import gb, spare
from engine import size
from engine.answer import Answer
from engine.billing import bill
from engine.comparison import Column, column, rented_form
from engine.economics import (
    CEILING_SHARE,
    USD_A_KWH,
    break_even_hours,
    running_usd_hour,
    usd_a_million_tokens,
    with_hidden_costs,
)
from engine.errors import ConflictingWords, EmptyQuestion, UnknownWord
from engine.job import Job, job_of
from engine.offers import Offer
from engine.question import GpuSet, Question
from engine.throughput import streams_per_second

OPTIONS: Final = (HOURS, MONTHS, BUY, KWH, IDLE, EGRESS, SHARE)
EXAMPLE: Final = "cost 13b qlora hours=200 buy=1700 4090"


@dataclass(frozen=True, slots=True)
class Costed:
    """A set with its offer, and the tokens/s of the question on it; None where it has none."""

    column: Column
    offer: Offer | None
    tokens_per_second: float | None
    streams: int


def cost(tools: Tools, call: Called, request: Request) -> Reply:
    """What a question costs to run.

    Raises:
        EngineError: neither question nor GPU, an unknown word or an impossible value.
    """
    tokens, words = take_tokens(call.words)
    kind, words = take_commitment(words)
    tools = replace(tools, catalog=tools.catalog.of_commitment(kind))
    taken = take(words, OPTIONS)
    found = asked(taken.rest, tools.catalog, mention=request.mention)
    if found.loose:
        raise UnknownWord(
            found.loose,
            reason="it says something only of a model, and none is named",
            allowed=f"a model with it, as in {EXAMPLE}",
        )
    if found.reading is not None and len(found.reading.options) > 1:
        counted = "" if tokens is None else f"{tokens:f} tokens"
        kept = "" if kind == "on-demand" else kind
        before = " ".join(filter(None, ("cost", kept, counted, taken.written, *map(written, found.sets))))
        return back_with(tools, request.text, found.reading.options, before)
    if found.reading is None and not found.sets:
        raise EmptyQuestion(
            call.words, reason="neither a model nor a GPU is named", allowed=f"Name one or both, as in {EXAMPLE}"
        )
    question = None if found.reading is None else with_sets(found.reading.options[0], found.sets)
    wishes = _wishes(taken.values, question, tokens)
    answer = size(question, tools.catalog, today=tools.clock.now().date()) if question else None
    costed = tuple(_costed(tools, one, answer, question) for one in _sets(found, answer))
    card = cost_card(tools, shown(request.text), answer, costed, wishes)
    return Reply("list", "asker", tools.renderer.parts(card), rows=tuple(_json(one, wishes) for one in costed))


def _wishes(values: Mapping[str, Decimal], question: Question | None, tokens: Decimal | None) -> Wishes:
    if "hours" in values and "months" in values:
        raise ConflictingWords("hours and months", allowed="one of them", reason="both say how long it runs")
    term = question.limits.term_hours if question else None
    return Wishes(
        hours=values.get("hours") or values.get("months") or term,
        buy=values.get("buy"),
        kwh=values.get("kwh", USD_A_KWH),
        kwh_assumed="kwh" not in values,
        idle=values.get("idle"),
        egress=values.get("egress"),
        share=values.get("share", CEILING_SHARE),
        share_assumed="share" not in values,
        tokens=tokens,
    )


def _sets(found: Asked, answer: Answer | None) -> tuple[GpuSet, ...]:
    """The sets that are named, else the pick."""
    if found.sets or answer is None or answer.pick is None:
        return found.sets
    return (GpuSet(gpu=answer.pick.gpu, count=answer.pick.count),)


def _costed(tools: Tools, one: GpuSet, answer: Answer | None, question: Question | None) -> Costed:
    offer = tools.catalog.offer(one.gpu, one.count)
    found = column(one, tools.catalog)
    if answer is None or question is None:
        return Costed(found, offer, None, 1)
    job, _ = job_of(question)
    return Costed(found, offer, _speed(job, found), 1 if job.is_tuning else job.sequences)


def _speed(job: Job, one: Column) -> float | None:
    """Tokens/s of all streams of a question on a set, split by layers; None in tuning."""
    return None if job.is_tuning else streams_per_second(job, one.gpu, job.sequences)


def cost_card(tools: Tools, title: str, answer: Answer | None, costed: tuple[Costed, ...], wishes: Wishes) -> SheetCard:
    lines: list[Line] = []
    if answer is not None:
        lines.append(Line("Needs", gb(answer.need.total_gb)))
    if not costed and answer is not None:
        lines.append(Line("Price", f"nothing in {tools.catalog.name} holds it{within_limits(answer.question.limits)}"))
    for one in costed:
        lines += _set_lines(tools, one, answer, wishes)
    notes = tuple(_notes(tools, answer, costed, wishes))
    return SheetCard(title=title, lines=tuple(lines), commands=(), notes=notes)


def _set_lines(tools: Tools, one: Costed, answer: Answer | None, wishes: Wishes) -> Iterator[Line]:
    found, offer = one.column, one.offer
    yield Line("On", f"{sized_name(found.gpu, found.count)}{_verdict(found, answer)}")
    if offer is None:
        yield Line("Rent", f"{NO_PRICE}: {_why_no_price(found, tools)}")
    else:
        kind = "" if offer.commitment == "on-demand" else f"{offer.commitment}, "
        yield Line("Rent", f"{kind}{prices(offer.usd_month, offer.usd_hour)}, {offer.provider}, {offer.priced_on}")
        yield from renting_lines(offer, wishes)
    yield from owning_lines(found, offer, wishes)
    if offer is not None and one.tokens_per_second:
        yield from token_lines(offer, one.tokens_per_second, one.streams, wishes)


def _why_no_price(found: Column, tools: Tools) -> str:
    """That nobody rents the set; which counts of it, or which other form, are rented."""
    counts = ", ".join(map(str, tools.catalog.counts(found.gpu.id)))
    said = ["nobody in this catalog rents it", f"rented are sets of {counts}" if counts else ""]
    return "; ".join(filter(None, (*said, rented_as(rented_form(found, tools.catalog)))))


def _verdict(found: Column, answer: Answer | None) -> str:
    if answer is None:
        return ""
    for verdict in answer.verdicts:
        if (verdict.gpu, verdict.count) == (found.gpu.id, found.count):
            word = {"fits": "it fits", "tight": "it is tight", "no": "it does not fit"}[verdict.verdict]
            return f": {word}, {spare(verdict.spare_gb)}"
    return f": the cheapest {'single GPU' if found.count == 1 else 'set'} that holds it"


def _notes(tools: Tools, answer: Answer | None, costed: tuple[Costed, ...], wishes: Wishes) -> Iterator[str]:
    assumed = [f"{wishes.kwh} dollars a kWh"] if wishes.kwh_assumed else []
    if any(one.tokens_per_second for one in costed) and wishes.share_assumed:
        assumed.append(f"{wishes.share} of the ceiling (share=... changes it)")
    if assumed:
        yield f"Assumed: {', '.join(assumed)}. US dollars; a month is 720 hours."
    else:
        yield "US dollars; a month is 720 hours."
    if answer is not None and answer.question.workload == "infer":
        yield "The ceiling is what memory bandwidth allows: a limit, no benchmark."
    yield "Hybrid: develop on a GPU of your own and rent for the full runs."
    yield from old_prices((one.column for one in costed), tools.clock.now().date())


def _json(one: Costed, wishes: Wishes) -> Mapping[str, object]:
    found, offer = one.column, one.offer
    running = running_usd_hour(found.gpu.tdp_w * found.count, wishes.kwh) if found.gpu.tdp_w else None
    row: dict[str, object] = {
        "gpu": found.gpu.id,
        "name": found.gpu.name,
        "count": found.count,
        "usd_month": money(found.usd_month),
        "usd_hour": number(found.usd_hour),
        "provider": found.provider,
        "commitment": None if offer is None else offer.commitment,
        "running_usd_hour": number(running),
        "currency": "USD",
    }
    if offer is None:
        return row
    if wishes.hours is not None:
        bound = bill(offer, wishes.hours)
        hidden = with_hidden_costs(bound.usd_total)
        row |= {"hours": float(wishes.hours), "usd_total": money(bound.usd_total)}
        row |= {"usd_with_hidden_costs": [money(hidden.low), money(hidden.high)]}
    if wishes.buy is not None and running is not None:
        even = break_even_hours(wishes.buy, offer.usd_hour, running)
        row |= {"buy_usd": money(wishes.buy), "break_even_hours": number(even)}
    if one.tokens_per_second:
        at_ceiling = usd_a_million_tokens(offer.usd_hour, one.tokens_per_second)
        at_share = usd_a_million_tokens(offer.usd_hour, one.tokens_per_second, wishes.share)
        row |= {"tokens_per_second": one.tokens_per_second, "share": float(wishes.share)}
        row |= {"usd_a_million_tokens_at_ceiling": number(at_ceiling), "usd_a_million_tokens": number(at_share)}
        if wishes.tokens is not None:
            row |= {"tokens": float(wishes.tokens), "usd_tokens": money(at_share * wishes.tokens / 10**6)}
    return row

"""`plan <question>`: the 30-minute test to run before paying, and the four figures to take in it."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from bot.answer_card import VERDICT_WORDS
from bot.cards import Line
from bot.commands import Called
from bot.market.asked import asked, with_sets, written
from bot.market.cards import SheetCard
from bot.market.choose import back_with
from bot.market.wording import money, percent, rented_as, sized_name
from bot.market.words import HOURS, take
from bot.refusals import capital, shown
from bot.reply import Reply, Request
from bot.tools import Tools
from bot.wording import counted, gb, rate, rounded, tokens, usd
from engine import size
from engine.answer import Answer, SetVerdict
from engine.billing import bill
from engine.comparison import column, rented_form
from engine.economics import CEILING_SHARE
from engine.errors import EmptyQuestion, EngineError, NotModelled
from engine.gpus import Gpu, gpu
from engine.job import Job, job_of
from engine.offers import Offer
from engine.question import GpuSet, Question
from engine.throughput import streams_per_second
from engine.trial import MINUTES, TUNING_STEPS, memory_share, trial

EXAMPLE: Final = "a question of a language model, as in plan llama-3.1-8b ctx=8192 l4"
HALF_HOUR: Final = Decimal("0.5")


def plan(tools: Tools, call: Called, request: Request) -> Reply:
    """The test for a question, on the set that is named or on the pick.

    Raises:
        EngineError: no model, or nothing that holds it.
    """
    taken = take(call.words, (HOURS,))
    found = asked(taken.rest, tools.catalog, mention=request.mention)
    if found.reading is None:
        raise EmptyQuestion(call.words, reason="no model to test is named", allowed=f"Give it {EXAMPLE}")
    options = found.reading.options
    if len(options) > 1:
        before = " ".join(filter(None, ("plan", taken.written, *map(written, found.sets))))
        return back_with(tools, request.text, options, before)
    sets = found.sets[:1]
    question = with_sets(options[0], sets)
    if job_of(question)[0].shape.kind == "diffusion":
        raise NotModelled(call.words, reason="the test is one of language models", allowed=EXAMPLE)
    answer = size(question, tools.catalog, today=tools.clock.now().date())
    on = sets[0] if sets else _picked(answer)
    card = plan_card(tools, question, answer, on, taken.values.get("hours"), others=found.sets[1:])
    return Reply("list", "asker", tools.renderer.parts(card), rows=(_json(tools, question, answer, on),))


def _picked(answer: Answer) -> GpuSet:
    if answer.pick is None:
        raise EmptyQuestion(
            answer.question.text,
            reason=f"nothing in {answer.catalog.name} holds it, so there is nothing to test it on",
            allowed="Name a set to test it on all the same, as in plan 70b 4xa100-80",
        )
    return GpuSet(gpu=answer.pick.gpu, count=answer.pick.count)


def plan_card(
    tools: Tools,
    question: Question,
    answer: Answer,
    on: GpuSet,
    hours: Decimal | None,
    *,
    others: Sequence[GpuSet] = (),
) -> SheetCard:
    """The test on one set; `others` are named beside it."""
    job, _ = job_of(question)
    kind, test = gpu(on.gpu), trial(job, on.count)
    offer = tools.catalog.offer(on.gpu, on.count)
    served = _served(tools, question, job, on)
    lines = (
        *_verdict_lines(question, answer, served, job, on),
        Line("1 Speed", _speed(job, kind)),
        Line("2 Latency", _latency(job)),
        Line("3 Memory", _memory(job)),
        Line("4 Cost", _cost(offer, hours)),
        Line("Then", "ask the question, take its number N, and keep what was measured: measured N 31.2GB 42tok/s"),
    )
    return SheetCard(
        title=f"{MINUTES} minutes on {sized_name(kind, on.count)} before paying: {shown(question.text, 40)}",
        lines=lines,
        commands=test.commands,
        notes=(*_left(others), *_differ(answer, served, on), *_notes(tools, job, test.checkpoint, on, answer)),
    )


def _verdict_lines(question: Question, answer: Answer, served: Answer | None, job: Job, on: GpuSet) -> Iterator[Line]:
    """What decides whether the test can run; an estimate beside it says that it does not."""
    if served is None:
        word = _estimate(answer, on)
        if word == VERDICT_WORDS["no"].lower():
            word += _instead(answer, ", so this test will run out of memory", "which holds it")
        yield Line("We say", f"{_held(answer, on)}: {word}")
        return
    if question.engine != "vllm":
        whose = f"{question.engine}'s sum" if question.engine not in (None, "guide") else "the sizing guide's sum"
        yield Line("Estimate", f"{_held(answer, on)}: {_estimate(answer, on)}, by {whose}, which does not decide here")
    yield Line("Decides", f"vLLM's own test at start: it {_server_test(served, job)}")


def _held(answer: Answer, on: GpuSet) -> str:
    return f"{gb(answer.need.total_gb, 1)} of {gb(gpu(on.gpu).memory_gb * on.count)}"


def _estimate(answer: Answer, on: GpuSet) -> str:
    for one in answer.verdicts:
        if (one.gpu, one.count) == (on.gpu, on.count):
            return VERDICT_WORDS[one.verdict].lower()
    return f"the cheapest {'single GPU' if on.count == 1 else 'set'} that holds it"


def _instead(answer: Answer, why: str, then: str) -> str:
    """What to test on where the set cannot hold the question."""
    if answer.pick is None:
        return f"{why}: do not rent it for that"
    return f"{why}: rather plan it on {sized_name(gpu(answer.pick.gpu), answer.pick.count)}, {then}"


def _served(tools: Tools, question: Question, job: Job, on: GpuSet) -> Answer | None:
    """The answer by vLLM's profile, which knows the test that it makes at start; None where vLLM is not what runs."""
    if job.is_tuning or job.fmt.kind == "gguf":
        return None
    asked_vllm = question.model_copy(update={"engine": "vllm", "sets": (on,)})
    try:
        return size(asked_vllm, tools.catalog)
    except EngineError:
        return None


def _server_test(served: Answer, job: Job) -> str:
    verdict: SetVerdict = served.verdicts[0]
    word = {"fits": "starts", "tight": "may start", "no": "will refuse to start"}[verdict.verdict]
    said = f"{word} with {percent(memory_share(job))} of the memory: {verdict.why}"
    # a set may be refused for its count, and then it serves nobody
    if verdict.max_users and (verdict.verdict != "no" or verdict.max_users < job.sequences):
        said += f", at most {counted(verdict.max_users, 'user')} of this context"
    return said + (_instead(served, "; so the test cannot run", "where it starts") if verdict.verdict == "no" else "")


def _differ(answer: Answer, served: Answer | None, on: GpuSet) -> Iterator[str]:
    """That the estimate and vLLM do not agree, and why vLLM counts."""
    if served is None or answer.question.engine == "vllm":
        return
    holds = all(one.verdict != "no" for one in answer.verdicts if (one.gpu, one.count) == (on.gpu, on.count))
    if holds != (served.verdicts[0].verdict != "no"):
        yield (
            "The two differ, and vLLM's counts, since it is what runs: it holds its own need against the share of"
            " the memory that it takes, and the GPUs have to divide the model's heads."
        )


def _speed(job: Job, kind: Gpu) -> str:
    if job.is_tuning:
        return f"tokens/s over {TUNING_STEPS} steps at {tokens(job.context_tokens)}, without the first two"
    limit = streams_per_second(job, kind, job.sequences)
    of = f"at {tokens(job.context_tokens)}" + (
        f", {counted(job.sequences, 'stream')} together" if job.sequences > 1 else ""
    )
    if limit is None:
        return f"tokens/s {of}"
    usual = rate(limit * float(CEILING_SHARE))
    return f"tokens/s {of}: memory bandwidth allows {rate(limit)}, about {usual} is usual"


def _latency(job: Job) -> str:
    if job.is_tuning:
        return "95th percentile of a step's time: one slow step in twenty is the data or the link, not the GPU"
    users = counted(job.sequences, "user")
    return f"95th percentile of the time to the first token and of a whole request, with {users}"


def _memory(job: Job) -> str:
    if job.is_tuning:
        return "to spare at the hottest moment: the longest samples first, and look past the first optimizer step"
    return "to spare at the hottest moment: the KV cache usage that the server logs while all users are at full context"


def _cost(offer: Offer | None, hours: Decimal | None) -> str:
    if offer is None:
        return "of a finished run: the price an hour x its hours"
    said = f"of a finished run: {usd(offer.usd_hour, 2)} an hour x its hours"
    if hours is not None:
        said += f", {usd(bill(offer, hours).usd_total, 2)} for {rounded(hours)}"
    test = bill(offer, HALF_HOUR)
    if test.is_shortest_term:
        return (
            f"{said}; {offer.provider} rents for {offer.shortest_term_days} days at least: test where hours are rented"
        )
    return f"{said}; the test itself {usd(test.usd_total, 2)}"


def _left(others: Sequence[GpuSet]) -> Iterator[str]:
    if others:
        alone = ", ".join(map(written, others))
        yield f"A test is for one set, here the first that is named. Ask for the others alone: {alone}."


def _notes(tools: Tools, job: Job, checkpoint: str, on: GpuSet, answer: Answer) -> Iterator[str]:
    if checkpoint:
        of = f" of {job.shape.hf_repo}" if job.shape.hf_repo else ""
        yield f"MODEL stands for files{of} that are in {checkpoint} already: the server does not make them."
    elif not job.is_tuning and not job.shape.hf_repo:
        yield "MODEL stands for the model's repository: a size alone names none."
    if job.is_tuning:
        yield f"Run your own script for {TUNING_STEPS} steps, the longest samples first, with this beside it."
    named = column(on, tools.catalog)
    if named.usd_month is None:
        form = rented_as(rented_form(named, tools.catalog))
        yield "Nobody in this catalog rents this set" + (f"; it is {form}." if form else ".")
    yield from (f"{capital(one.text)}." for one in answer.warnings if one.code == "context-beyond-model")


def _json(tools: Tools, question: Question, answer: Answer, on: GpuSet) -> Mapping[str, object]:
    job, _ = job_of(question)
    test, offer = trial(job, on.count), tools.catalog.offer(on.gpu, on.count)
    limit = None if job.is_tuning else streams_per_second(job, gpu(on.gpu), job.sequences)
    return {
        "question": question.text,
        "gpu": on.gpu,
        "count": on.count,
        "minutes": MINUTES,
        "commands": [" ".join(command) for command in test.commands],
        "checkpoint": test.checkpoint,
        "requests": test.requests,
        "need_gb": answer.need.total_gb,
        "tokens_per_second_limit": limit,
        "usd_hour": None if offer is None else money(offer.usd_hour),
        "figures": ["tokens_per_second", "latency_95th_percentile", "memory_to_spare_gb", "usd_a_finished_run"],
    }

"""The one way through: a question and a catalog in, the answer out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from engine import answer, warnings
from engine.alternatives import beside_the_pick, beyond_the_limits, changes, cheaper_without_fp8
from engine.answer import Alternative, Answer, Asked, Assumption, Host, Need, Pick, SetVerdict
from engine.assumptions import assumptions_of
from engine.bands import band_of
from engine.ceiling import ceiling_of
from engine.choice import Demand, cheapest, cluster_of, pick_of, runs_format, without_limits
from engine.engines import check_engine
from engine.errors import ConflictingWords, ImpossibleValue
from engine.evidence import range_of_band, range_of_load
from engine.formats import weight_format
from engine.gpus import Gpu, gpu
from engine.holding import need_on_gb
from engine.job import Job, job_of, shape_of
from engine.need import kv_cache, need_of, need_of_load, per_gpu_gb
from engine.offers import GPUS_A_NODE, Catalog, Rentable
from engine.offload import check_sharding, host_of
from engine.profiles import load_of
from engine.profiles.load import Load
from engine.question import GpuSet, Question
from engine.solve import max_context_tokens, max_users
from engine.verdicts import NamedSet, named_set, verdict_on

_GUIDE_FORMATS: Final = {"nf4-dq": "nf4", "awq": "int4", "gptq": "int4"}
"""What the guide calls a real format."""

LARGEST_NEED_GB: Final = 1e8
"""100 PB, the memory of a million GPUs of 100 GB. Our choice, above every machine that has been built."""


@dataclass(frozen=True, slots=True)
class _Case:
    """All that is known of one question while its answer is put together."""

    question: Question
    catalog: Catalog
    today: date | None
    job: Job
    why_format: str
    load: Load | None
    need: Need
    demand: Demand
    named: tuple[NamedSet, ...]
    jobs: tuple[Job, ...]
    verdicts: tuple[SetVerdict, ...]
    pick: Rentable | None


def size(
    question: Question, catalog: Catalog, *, today: date | None = None, own_runs: tuple[float, ...] = ()
) -> Answer:
    """The answer to a question.

    Args:
        question: what is asked; everything it leaves open is filled in and listed as an assumption.
        catalog: the offers to choose from.
        today: against which the age of prices is judged; None leaves it unjudged.
        own_runs: measured over predicted GB of the asking team's own runs under the engine of the question.

    Returns:
        The answer. Memory in GB (10**9 bytes), money in US dollars a month of 720 hours, not rounded.

    Raises:
        EngineError: the question cannot be answered; the error says why.

    >>> from engine.offers import packaged_catalog
    >>> answer = size(Question(model="13b", params_b=13, workload="lora", context_tokens=4096), packaged_catalog())
    >>> round(answer.need.total_gb, 1), answer.pick.name
    (34.8, 'A40')
    """
    case = _case(question, catalog, today, own_runs)
    question, job, need, pick = case.question, case.job, case.need, case.pick
    return Answer(
        question=_asked(question, job),
        need=need if job.engine != "guide" else need.model_copy(update={"per_gpu_gb": _per_gpu_gb(case)}),
        kv=kv_cache(job, need),
        pick=_pick(case),
        ceiling=ceiling_of(job, pick.gpu, pick.count) if pick else None,
        verdicts=case.verdicts,
        cluster=cluster_of(catalog, case.demand) if _no_set_holds_it(case) else None,
        alternatives=tuple(_alternatives(case)),
        warnings=tuple(_warnings(case)),
        assumptions=(
            *assumptions_of(question, job, case.why_format, case.named[0].gpu if case.named else None),
            *_fallbacks(question, case.jobs, case.named),
            *_slower_taken(question),
            *(Assumption(name="noted", value=words, why=why) for words, why in question.noted),
            *_range(case),
        ),
        guide_need=_guide_need(job),
        catalog=catalog.mark,
        host=_host(case),
    )


def _case(question: Question, catalog: Catalog, today: date | None, own_runs: tuple[float, ...]) -> _Case:
    """The need, the sets that were named with their verdicts, and the pick."""
    job, why_format = job_of(question)
    check_engine(job)
    check_sharding(job)
    if own_runs and job.engine != "guide":
        job = job._replace(own_runs=own_runs)
    sets = tuple(_spread(one, job) for one in question.sets)
    if sets != question.sets:
        question = question.model_copy(update={"sets": sets})
    named = tuple(named_set(one, catalog) for one in sets)
    jobs = tuple(_on_its_hardware(question, job, one) for one in named)
    if named and all(own is not job for own in jobs):
        job = jobs[0]
    load = _load(job, named)
    need = _need(job, named, load)
    _check_sane(need)
    demand = Demand(job, need, question.limits, job.options.shards or job.options.tensor_parallel)
    pick = cheapest(catalog, demand)
    verdicts = tuple(
        verdict_on(one, own, question, need if own == job else need_of(own))
        for one, own in zip(named, jobs, strict=True)
    )
    return _Case(question, catalog, today, job, why_format, load, need, demand, named, jobs, verdicts, pick)


def _spread(named: GpuSet, job: Job) -> GpuSet:
    """The set as `shards=` or `tp=` want it: one GPU named stands for its kind.

    Raises:
        ConflictingWords: the set has another number of GPUs.
    """
    option, count = ("shards", job.options.shards) if job.options.shards else ("tp", job.options.tensor_parallel)
    if count is None or named.count == count:
        return named
    if named.count != 1:
        raise ConflictingWords(
            f"{named.count}x{named.gpu} {option}={count}",
            reason="the set and the split are different numbers of GPUs",
            allowed=f"{count}x{named.gpu}, or {option}={named.count}",
        )
    return GpuSet(gpu=named.gpu, count=count)


def _load(job: Job, named: tuple[NamedSet, ...]) -> Load | None:
    """The load of an engine on the only named set, or on as many GPUs as `shards=` or `tp=` say, or on one."""
    if job.engine == "guide":
        return None
    if len(named) == 1:
        return load_of(job, named[0].gpu, named[0].count)
    return load_of(job, None, job.options.shards or job.options.tensor_parallel or 1)


def _check_sane(need: Need) -> None:
    """Refuses what no answer is of use for: a slip in the question is likelier than the machine for it."""
    if need.total_gb > LARGEST_NEED_GB:
        raise ImpossibleValue(
            reason=f"this takes {need.total_gb:,.0f} GB, more memory than all GPUs of the world's largest sites have",
            allowed="a smaller model, a shorter context or fewer users",
        )


def _need(job: Job, named: tuple[NamedSet, ...], load: Load | None) -> Need:
    if load is None:
        return need_of(job)
    split = job.options.shards or job.options.tensor_parallel
    return need_of_load(load, per_gpu=len(named) == 1 or split is not None)


def _slower_taken(question: Question) -> Iterator[Assumption]:
    for gpu_id in question.slower_taken:
        yield Assumption(name="gpu", value=gpu(gpu_id).full_name, why="the slower of those with this memory")


def _range(case: _Case) -> Iterator[Assumption]:
    job = case.job
    if case.load is not None:
        yield range_of_load(job, case.load)
    elif not job.guide and job.shape.kind != "diffusion":
        # copies of a tuning on every GPU would add up to no need of anybody
        only = case.named[0] if len(case.named) == 1 and not job.is_tuning else None
        yield from range_of_band(band_of(job, only.gpu, only.count) if only else band_of(job))


def _on_its_hardware(question: Question, job: Job, named: NamedSet) -> Job:
    """The job on a set: a format that we chose ourselves falls back to bf16 where the GPU does not run it."""
    if question.weight_format is not None or runs_format(named.gpu, job.fmt):
        return job
    return job._replace(fmt=weight_format("bf16"))


def _fallbacks(question: Question, jobs: tuple[Job, ...], named: tuple[NamedSet, ...]) -> Iterator[Assumption]:
    if question.weight_format is not None:
        return
    for own, one in {one.gpu.name: (own, one) for own, one in zip(jobs, named, strict=True)}.values():
        if (
            own.workload == "infer"
            and not runs_format(one.gpu, weight_format(shape_of(question).native_format))
            and own.fmt.name == "bf16"
        ):
            why = f"{one.gpu.name} does not run {shape_of(question).native_format}, as it was released"
            yield Assumption(name="fallback_format", value="bf16", why=why)


def _pick(case: _Case) -> Pick | None:
    """The pick, with what else it holds where no set is named."""
    if case.pick is None:
        return None
    pick = pick_of(case.pick, case.demand)
    if case.named:
        return pick
    kind, count = case.pick.gpu, case.pick.count
    need_gb = need_on_gb(case.job, kind, count)
    most = {
        "max_context_tokens": max_context_tokens(case.job, kind, count, need_gb),
        "max_users": max_users(case.job, kind, count, need_gb),
    }
    return pick.model_copy(update=most)


def _guide_need(job: Job) -> Need | None:
    """What the sizing guide says, beside a named model's real bits or an engine's terms."""
    if job.guide and job.engine == "guide":
        return None
    name = _GUIDE_FORMATS.get(job.fmt.name, job.fmt.name)
    if job.shape.kind == "diffusion" or weight_format(name).guide_bytes is None:
        return None
    return need_of(job._replace(guide=True, engine="guide", fmt=weight_format(name)))


def _asked(question: Question, job: Job) -> Asked:
    adapter = job.workload in {"lora", "qlora"}
    return Asked(
        text=question.text,
        model=question.model,
        params_b=job.shape.params_b,
        workload=job.workload,
        weight_format=job.fmt.name,
        kv_format=job.kv.name,
        engine=job.engine,
        context_tokens=job.context_tokens,
        batch=job.sequences if question.users is None else 1,
        users=question.users,
        sets=question.sets,
        limits=question.limits,
        rank=job.rank if adapter else None,
        checkpointing=job.checkpointing if job.is_tuning else None,
        optimizer=job.optimizer if job.workload == "full" else None,
        loss=(job.loss or "plain") if job.is_tuning else None,
    )


def _host(case: _Case) -> Host | None:
    """Host memory of `offload=cpu`, on the only named set, else on the pick."""
    if not case.job.tuning.offload_cpu:
        return None
    on = _only_set(case)
    return host_of(case.job, on[0] if on else None, on[1] if on else 1)


def _only_set(case: _Case) -> tuple[Gpu, int] | None:
    if len(case.named) == 1:
        return case.named[0].gpu, case.named[0].count
    return (case.pick.gpu, case.pick.count) if case.pick and not case.named else None


def _per_gpu_gb(case: _Case) -> float | None:
    if len(case.verdicts) == 1:
        return case.verdicts[0].per_gpu_gb
    split = case.job.options.shards or case.job.options.tensor_parallel
    return per_gpu_gb(case.need.total_gb, split) if split and not case.verdicts else None


def _no_set_holds_it(case: _Case) -> bool:
    if case.pick is not None:
        return False
    split = case.demand.split
    return (split is not None and split > GPUS_A_NODE) or cheapest(case.catalog, without_limits(case.demand)) is None


def _alternatives(case: _Case) -> Iterator[Alternative]:
    failing = [one for one, verdict in zip(case.named, case.verdicts, strict=True) if verdict.verdict == "no"]
    if failing and len(failing) == len(case.named):
        yield from changes(case.job, failing[-1], case.demand, case.catalog)
    if case.pick is None:
        yield from filter(None, [beyond_the_limits(case.demand, case.catalog)])
    else:
        yield from beside_the_pick(case.pick, case.demand, case.catalog)


def _warnings(case: _Case) -> list[answer.Warning]:
    """Every warning that is due, tight fits first, none twice."""
    found = {(one.code, one.text): one for one in _found_warnings(case)}
    return sorted(found.values(), key=lambda one: one.code != "tight-fit")


def _found_warnings(case: _Case) -> Iterator[answer.Warning]:
    job, need, pick, question = case.job, case.need, case.pick, case.question
    for one, own, verdict in zip(case.named, case.jobs, case.verdicts, strict=True):
        yield from warnings.of_a_named_set(own, verdict, one.gpu, need)
        yield from filter(None, [warnings.of_a_replica(verdict, job), warnings.oversized(verdict, need, pick)])
    if pick is not None:
        yield from warnings.of_the_pick(pick, case.demand, case.today)
        term_hours = question.limits.term_hours
        if question.asked_hours if term_hours is None else term_hours < warnings.WEEK_HOURS:
            yield from filter(None, [warnings.of_the_term(pick)])
    sets = [(one.gpu, one.count) for one in case.named]
    yield from filter(None, [warnings.real_4bit_is_bigger(job, need, pick, sets)])
    passed_over = cheaper_without_fp8(pick, case.demand, case.catalog)
    if passed_over is not None:
        yield warnings.passed_over_for_fp8(passed_over, job)
    yield from warnings.of_the_job(job)
    host, on = _host(case), _only_set(case)
    if host is not None:
        yield warnings.of_the_host(host, *(on or (None, 1)))

"""Other ways: the nearest change that makes a `no` fit, and offers that are cheaper, CUDA or faster than the pick."""

import math
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from engine.answer import Alternative
from engine.choice import Demand, cheapest, cheapest_set, cheapest_single, first, pick_of, runs_format, without_limits
from engine.formats import kv_format, weight_format
from engine.holding import holds, need_on_gb
from engine.job import Job
from engine.offers import GPUS_A_NODE, QUANTITY_DISCOUNTS, Catalog, Rentable
from engine.profiles.constants import constant
from engine.profiles.vllm import sequences_at_once
from engine.question import Limits
from engine.solve import at_context, max_context_tokens
from engine.units import HOURS_A_MONTH, TOKENS_A_K
from engine.usable import usable_gb
from engine.verdicts import NamedSet

CHEAPER_SET_SHARE: Final = Decimal("0.9")
"""A set of several is offered when it costs at least 10% less than the pick."""
FASTER_TIMES: Final = 1.5
FASTER_PRICE_TIMES: Final = Decimal("2.5")
LEAST_USEFUL_TOKENS: Final = 1024
MOST_SHORTENED: Final = 8
"""A context of less than an eighth of what was asked is another question, no way out of this one."""
MOST_UTIL: Final = 0.95
"""The largest --gpu-memory-utilization worth advising: beyond it CUDA graphs and context find no room.
Source: measured runs of vLLM, C001-C008."""

_SMALLER_WEIGHTS: Final = ("fp8", "int8", "int4")
_SMALLER_GGUF: Final = ("q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m")


def changes(job: Job, named: NamedSet, demand: Demand, catalog: Catalog) -> Iterator[Alternative]:
    """The single changes after which the set holds the need, the smallest first."""
    same_price = None if named.usd_month is None else Decimal(0)
    for what, changed in (*_engine_flags(job, named), _smaller_cache(job), _smaller_base(job, named)):
        if changed is not None and named.holds(changed):
            yield _change(what, named.need_gb(changed), same_price)
    tokens = max_context_tokens(job, named.gpu, named.count)
    if (
        tokens is not None
        and max(LEAST_USEFUL_TOKENS, job.context_tokens / MOST_SHORTENED) <= tokens < job.context_tokens
    ):
        shorter = at_context(job, tokens // TOKENS_A_K * TOKENS_A_K)
        yield _change(f"ctx={shorter.context_tokens // TOKENS_A_K}k", named.need_gb(shorter), same_price)
    count = next((n for n in range(named.count + 1, GPUS_A_NODE + 1) if holds(job, named.gpu, n)), None)
    if count is not None:
        price = catalog.price_usd_month(named.gpu.id, count)
        yield _change(f"{count}x{named.gpu.id}", need_on_gb(job, named.gpu, count), _difference(price, named.usd_month))
    up = cheapest(catalog, demand)
    if up is not None and (up.gpu.id, up.count) != (named.gpu.id, count):
        yield Alternative(
            code="change",
            what=_words(up),
            need_gb=need_on_gb(job, up.gpu, up.count),
            pick=pick_of(up, demand),
            usd_month_difference=_difference(up.usd_month, named.usd_month),
        )


def _change(what: str, need_gb: float, difference: Decimal | None) -> Alternative:
    return Alternative(code="change", what=what, need_gb=need_gb, pick=None, usd_month_difference=difference)


def _difference(usd_month: Decimal | None, of_usd_month: Decimal | None) -> Decimal | None:
    return None if usd_month is None or of_usd_month is None else usd_month - of_usd_month


def _words(rentable: Rentable) -> str:
    return rentable.gpu.id if rentable.count == 1 else f"{rentable.count}x{rentable.gpu.id}"


def _engine_flags(job: Job, named: NamedSet) -> Iterator[tuple[str, Job]]:
    """Flags of vLLM that take less for its dry run, or as much of the GPU as it can."""
    if job.engine != "vllm":
        return
    fewer = int(constant("vllm.seqs"))
    if sequences_at_once(job, named.gpu) > fewer:
        yield f"seqs={fewer}", job._replace(options=job.options.model_copy(update={"seqs": fewer}))
    outside = constant("context.gb") + constant("vllm.graphs_gb")
    has_room = (1 - MOST_UTIL) * usable_gb(named.gpu) >= outside
    if has_room and (job.options.util or constant("vllm.util")) != MOST_UTIL:
        yield f"util={MOST_UTIL}", job._replace(options=job.options.model_copy(update={"util": MOST_UTIL}))


def _smaller_cache(job: Job) -> tuple[str, Job | None]:
    name = "q8_0" if job.fmt.kind == "gguf" else "fp8"
    smaller = kv_format(name)
    if job.is_tuning or smaller.bits >= job.kv.bits:
        return "", None
    return f"kv={name}", job._replace(kv=smaller)


def _smaller_base(job: Job, named: NamedSet) -> tuple[str, Job | None]:
    """The largest smaller weight format (in tuning: the next cheaper way of tuning) that the set holds."""
    for what, changed in _ladder(job, named):
        if named.holds(changed):
            return what, changed
    return "", None


def _ladder(job: Job, named: NamedSet) -> Iterator[tuple[str, Job]]:
    if job.workload == "full":
        for optimizer in ("adam8bit", "adam-bf16"):
            if optimizer != job.optimizer:
                yield f"optim={optimizer}", job._replace(optimizer=optimizer)
    if job.workload in {"full", "lora"}:
        base = weight_format("nf4" if job.guide else "nf4-dq")
        yield "qlora", job._replace(workload="qlora", fmt=base)
        return
    if job.workload == "qlora":
        return
    names = _SMALLER_GGUF if job.fmt.kind == "gguf" else _SMALLER_WEIGHTS
    held = named.need_gb(job)
    for name in names:
        fmt = weight_format("awq" if name == "int4" and not job.guide else name)
        changed = job._replace(fmt=fmt)
        if runs_format(named.gpu, fmt) and named.need_gb(changed) < held:
            yield name, changed


def beyond_the_limits(demand: Demand, catalog: Catalog) -> Alternative | None:
    """Where the limits leave nothing: the nearest offer above them, as the change of the limit that lets it in."""
    if demand.split is not None:
        other = _another_split(demand, catalog)
        if other is not None:
            return other
    open_demand = without_limits(demand)
    limits = demand.limits
    if limits.max_gpus is not None:
        with_money = replace(demand, limits=limits.model_copy(update={"max_gpus": None}))
        nearest = cheapest(catalog, with_money)
        if nearest is not None:
            return _above(f"max-gpus={nearest.count}", nearest, demand, None)
    nearest = _cheapest_of_all(catalog, open_demand)
    if nearest is None:
        return None
    if limits.usd_month is not None and nearest.usd_month > limits.usd_month:
        what = f"budget={math.ceil(nearest.usd_month)}/mo"
        return _above(what, nearest, demand, nearest.usd_month - limits.usd_month)
    if limits.usd_hour is not None and nearest.offer.usd_hour > limits.usd_hour:
        cents = math.ceil(nearest.offer.usd_hour * 100)
        difference = nearest.usd_month - limits.usd_hour * HOURS_A_MONTH
        return _above(f"budget={Decimal(cents) / 100}/hr", nearest, demand, difference)
    return _above(f"provider={nearest.offer.provider}", nearest, demand, None)


def _another_split(demand: Demand, catalog: Catalog) -> Alternative | None:
    """The nearest larger number of GPUs that somebody rents."""
    options = demand.job.options
    name, field = ("shards", "shards") if options.shards else ("tp", "tensor_parallel")
    for count in (count for count in QUANTITY_DISCOUNTS if count > (demand.split or 1)):
        job = demand.job._replace(options=options.model_copy(update={field: count}))
        found = cheapest_set(catalog, replace(demand, job=job, split=count))
        if found is not None:
            return _above(f"{name}={count}", found, replace(demand, job=job, split=count), None)
    return None


def _cheapest_of_all(catalog: Catalog, demand: Demand) -> Rentable | None:
    found = [r for r in (cheapest_single(catalog, demand), cheapest_set(catalog, demand)) if r is not None]
    return min(found, key=lambda r: r.usd_month, default=None)


def _above(what: str, nearest: Rentable, demand: Demand, difference: Decimal | None) -> Alternative:
    pick = pick_of(nearest, demand)
    return Alternative(
        code="change",
        what=what,
        need_gb=need_on_gb(demand.job, nearest.gpu, nearest.count),
        pick=pick,
        usd_month_difference=difference,
    )


def beside_the_pick(pick: Rentable, demand: Demand, catalog: Catalog) -> Iterator[Alternative]:
    """Offers worth a look beside the pick: a cheaper set, the cheapest without ROCm, a faster one."""

    def offered(code: str, rentable: Rentable, what: str) -> Alternative:
        return Alternative.model_validate(
            {
                "code": code,
                "what": what,
                "need_gb": need_on_gb(demand.job, rentable.gpu, rentable.count),
                "pick": pick_of(rentable, demand),
                "usd_month_difference": rentable.usd_month - pick.usd_month,
            }
        )

    if pick.count == 1:
        several = cheapest_set(catalog, demand)
        if several is not None and several.usd_month <= CHEAPER_SET_SHARE * pick.usd_month:
            yield offered("set", several, _words(several))
    if pick.gpu.is_rocm:
        limits = demand.limits.model_copy(update={"cuda": True})
        cuda = cheapest(catalog, replace(demand, limits=Limits.model_validate(limits)))
        if cuda is not None:
            yield offered("cuda", cuda, "cuda")
    faster = _faster(pick, demand, catalog)
    if faster is not None:
        yield offered("faster", faster, _words(faster))


def _faster(pick: Rentable, demand: Demand, catalog: Catalog) -> Rentable | None:
    """The cheapest offer with 1.5 times the ceiling at 2.5 times the price at most.

    A set counts with the bandwidth of one GPU: split by layers it is no faster.
    """
    least = FASTER_TIMES * (pick.gpu.bandwidth_gb_s or 0.0)
    dearest = FASTER_PRICE_TIMES * pick.usd_month

    def is_faster(rentable: Rentable) -> bool:
        return (
            (rentable.gpu.bandwidth_gb_s or 0.0) >= least
            and rentable.usd_month <= dearest
            and demand.is_held_by(rentable)
        )

    pool = catalog.pool(demand.limits.provider)
    found = [r for r in (first(pool.singles, is_faster), first(pool.sets, is_faster)) if r is not None]
    return min(found, key=lambda r: r.usd_month, default=None)


def cheaper_without_fp8(pick: Rentable | None, demand: Demand, catalog: Catalog) -> Rentable | None:
    """An offer that would hold the need for less and was passed over for want of FP8 hardware."""
    if not demand.job.fmt.needs:
        return None
    anything = replace(demand, job=demand.job._replace(fmt=weight_format("int8")))
    found = cheapest(catalog, anything)
    if found is None or runs_format(found.gpu, demand.job.fmt):
        return None
    return found if pick is None or found.usd_month < pick.usd_month else None

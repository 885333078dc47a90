"""The choice: the cheapest offer that holds the need.

First one GPU; only where none holds it, the cheapest set. Full tuning across GPUs needs a link between all of them.
Source: sizing guide, rules ("Choice").
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from engine.answer import Cluster, Need, Pick
from engine.fit import Fit, fit_of
from engine.formats import WeightFormat
from engine.gpus import FULL_MESH_LINKS, Gpu
from engine.holding import holding_of, holds, need_on_gb, room_gb
from engine.job import Job
from engine.offers import GPUS_A_NODE, Catalog, Rentable
from engine.question import Limits
from engine.units import HOURS_A_MONTH


@dataclass(frozen=True, slots=True)
class Demand:
    """What an offer must hold and be. By the guide the need is the same on every set.

    `split` is how many GPUs it must be, where `shards=` or `tp=` say so.
    """

    job: Job
    need: Need
    limits: Limits
    split: int | None = None

    def runs_on(self, gpu: Gpu) -> bool:
        """Whether the GPU has the hardware for the format and the software that was asked for."""
        if self.limits.cuda and gpu.is_rocm:
            return False
        return runs_format(gpu, self.job.fmt)

    def is_within_limits(self, rentable: Rentable) -> bool:
        limits = self.limits
        return (
            (limits.usd_month is None or rentable.usd_month <= limits.usd_month)
            and (limits.usd_hour is None or rentable.usd_month <= limits.usd_hour * HOURS_A_MONTH)
            and (limits.max_gpus is None or rentable.count <= limits.max_gpus)
            and (self.split is None or rentable.count == self.split)
            and (limits.provider is None or rentable.offer.provider == limits.provider)
        )

    def joins(self, rentable: Rentable) -> bool:
        """Whether the GPUs of a set are linked as the work needs it."""
        return self.job.workload != "full" or rentable.count == 1 or rentable.gpu.link in FULL_MESH_LINKS

    def has_room(self, rentable: Rentable) -> bool:
        """Whether the need goes in: by the guide on nominal capacity, with an engine on what it can use."""
        if self.job.engine == "guide":
            return rentable.capacity_gb >= self.need.total_gb
        return holds(self.job, rentable.gpu, rentable.count)

    def is_held_by(self, rentable: Rentable) -> bool:
        return (
            self.has_room(rentable)
            and self.joins(rentable)
            and self.runs_on(rentable.gpu)
            and self.is_within_limits(rentable)
        )


def runs_format(gpu: Gpu, fmt: WeightFormat) -> bool:
    """Whether a GPU has the hardware for a weight format; a nameless one is given the benefit of the doubt.

    >>> from engine.formats import weight_format
    >>> from engine.gpus import gpu
    >>> runs_format(gpu("a40"), weight_format("fp8")), runs_format(gpu("l4"), weight_format("fp8"))
    (False, True)
    """
    if fmt.name == "fp8":
        return gpu.fp8 is not False
    return gpu.is_nameless or not fmt.needs or any(family in gpu.architecture for family in fmt.needs)


def first(offers: Iterable[Rentable], holds: Callable[[Rentable], bool]) -> Rentable | None:
    """The first offer that holds; with sorted offers the cheapest."""
    return next((rentable for rentable in offers if holds(rentable)), None)


def cheapest(catalog: Catalog, demand: Demand) -> Rentable | None:
    """The cheapest single GPU that holds the need, or else the cheapest set; None where none does."""
    return cheapest_single(catalog, demand) or cheapest_set(catalog, demand)


def cheapest_single(catalog: Catalog, demand: Demand) -> Rentable | None:
    """The cheapest single GPU that holds the need."""
    return first(catalog.pool(demand.limits.provider).singles, demand.is_held_by)


def cheapest_set(catalog: Catalog, demand: Demand) -> Rentable | None:
    """The cheapest set of several GPUs that holds the need."""
    return first(catalog.pool(demand.limits.provider).sets, demand.is_held_by)


def without_limits(demand: Demand) -> Demand:
    """The same demand with money, count, split and provider left open; ROCm stays out where it was."""
    return replace(demand, limits=Limits(cuda=demand.limits.cuda), split=None)


def fit_of_pick(rentable: Rentable, demand: Demand) -> Fit:
    """The verdict of an offer that holds the need: tight too where only the upper end of the need passes it."""
    if demand.job.engine != "guide":
        return holding_of(demand.job, rentable.gpu, rentable.count).fit
    fit = fit_of(demand.need.total_gb, rentable.gpu.memory_gb, rentable.count)
    if fit.verdict == "fits" and demand.need.high_gb > rentable.capacity_gb:
        return Fit("tight", fit.spare_gb)
    return fit


def pick_of(rentable: Rentable, demand: Demand) -> Pick:
    """An offer as the answer shows it."""
    fit = fit_of_pick(rentable, demand)
    return Pick(
        gpu=rentable.gpu.id,
        name=rentable.gpu.name,
        count=rentable.count,
        capacity_gb=rentable.capacity_gb,
        spare_gb=fit.spare_gb,
        verdict=fit.verdict,
        usd_month=rentable.usd_month,
        usd_hour=rentable.offer.usd_hour,
        provider=rentable.offer.provider,
        priced_on=rentable.offer.priced_on,
    )


def cluster_of(catalog: Catalog, demand: Demand) -> Cluster | None:
    """How many nodes of eight hold what no single set does; None where the catalog has no node for it.

    The node is the largest one, so that there are as few as possible.
    """
    nodes = [r for r in catalog.sets if r.count == GPUS_A_NODE and demand.joins(r) and demand.runs_on(r.gpu)]
    if not nodes:
        return None
    largest = max(nodes, key=lambda r: r.capacity_gb)
    return Cluster(
        gpu=largest.gpu.id,
        name=largest.gpu.name,
        per_node=GPUS_A_NODE,
        nodes=_nodes(demand, largest),
    )


def _nodes(demand: Demand, node: Rentable) -> int:
    """How many nodes hold the need, or as many as the GPUs that were asked for; more than one."""
    if demand.split is not None and demand.split > GPUS_A_NODE:
        return math.ceil(demand.split / GPUS_A_NODE)
    room = room_gb(demand.job, node.gpu, GPUS_A_NODE)
    return max(2, math.ceil(need_on_gb(demand.job, node.gpu, GPUS_A_NODE) / room))

"""The verdict on a set that the question names, with what else it could hold and how fast it would be."""

from dataclasses import dataclass
from decimal import Decimal

from engine.answer import Layout, Need, SetVerdict
from engine.ceiling import ceiling_of
from engine.errors import UnknownGpu
from engine.fit import fit_of_named
from engine.gpus import Gpu, gpu
from engine.job import Job
from engine.need import per_gpu_gb
from engine.offers import Catalog
from engine.question import GpuSet, Question
from engine.solve import max_context_tokens, max_users


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A set that the question names, with what it costs a month where the catalog rents it."""

    gpu: Gpu
    count: int
    usd_month: Decimal | None

    @property
    def capacity_gb(self) -> float:
        return self.gpu.memory_gb * self.count


def named_set(named: GpuSet, catalog: Catalog) -> NamedSet:
    """The set with its GPU and price.

    Raises:
        UnknownGpu: no GPU has this id.
    """
    try:
        kind = gpu(named.gpu)
    except KeyError as error:
        raise UnknownGpu(named.gpu) from error
    return NamedSet(kind, named.count, catalog.price_usd_month(kind.id, named.count))


def verdict_on(named: NamedSet, job: Job, question: Question, need: Need) -> SetVerdict:
    """Does the set hold the need? Speeds in tokens/s: split by layers, and at most that times the GPUs in parallel."""
    kind, count = named.gpu, named.count
    fit = fit_of_named(need, kind, count)
    ceiling = ceiling_of(job, kind, count)
    speed = ceiling.tokens_per_second if ceiling else None
    return SetVerdict(
        gpu=kind.id,
        name=kind.name,
        count=count,
        capacity_gb=named.capacity_gb,
        driver_gb=kind.driver_gb * count,
        per_gpu_gb=per_gpu_gb(need.total_gb, count),
        spare_gb=fit.spare_gb,
        verdict=fit.verdict,
        why=_why(need, named, fit.spare_gb),
        max_context_tokens=max_context_tokens(job, named.capacity_gb),
        max_users=max_users(job, named.capacity_gb),
        layout=_layout(job, question, count),
        tokens_per_second=speed,
        tokens_per_second_tensor_parallel=speed * count if speed and count > 1 else None,
        usd_month=named.usd_month,
    )


def _layout(job: Job, question: Question, count: int) -> Layout:
    if count == 1:
        return "single"
    if job.is_tuning:
        return "sharded"
    return "tensor-parallel" if question.options.tensor_parallel else "layer-split"


def _why(need: Need, named: NamedSet, spare_gb: float) -> str:
    held = f"needs {need.total_gb:.1f} GB of {named.capacity_gb:g}"
    if spare_gb >= 0:
        beyond = f", up to {need.high_gb:.1f}" if need.high_gb > named.capacity_gb else ""
        return f"{held}{beyond}, {spare_gb:.1f} GB to spare"
    driver_gb = named.gpu.driver_gb * named.count
    if need.total_gb <= driver_gb:
        return f"{held}: past the nominal memory, within the {driver_gb:.1f} GB that the driver reports"
    return f"{held}: {-spare_gb:.1f} GB too much"

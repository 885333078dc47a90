"""The verdict on a set that the question names, with what else it could hold and how fast it would be."""

from dataclasses import dataclass
from decimal import Decimal

from engine.answer import Layout, Need, OtherForm, SetVerdict
from engine.ceiling import ceiling_of
from engine.errors import UnknownGpu
from engine.fit import Fit, fit_of_named
from engine.gpus import LINK_NAMES, Gpu, gpu
from engine.holding import Holding, divides, holding_of, holds, need_on_gb
from engine.job import Job
from engine.offers import Catalog
from engine.profiles import load_of
from engine.profiles.constants import constant
from engine.profiles.vllm import fit_test
from engine.question import GpuSet, Question
from engine.solve import max_context_tokens, max_users
from engine.usable import usable_gb, wired_gb


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A set that the question names, with what it, or else another form of its GPU, costs a month."""

    gpu: Gpu
    count: int
    usd_month: Decimal | None
    other_form: tuple[Gpu, Decimal] | None

    @property
    def capacity_gb(self) -> float:
        return self.gpu.memory_gb * self.count

    def need_gb(self, job: Job) -> float:
        """GB that a job takes on this set."""
        return need_on_gb(job, self.gpu, self.count)

    def holds(self, job: Job) -> bool:
        return holds(job, self.gpu, self.count)


def named_set(named: GpuSet, catalog: Catalog) -> NamedSet:
    """The set with its GPU and price.

    Raises:
        UnknownGpu: no GPU has this id.
    """
    try:
        kind = gpu(named.gpu)
    except KeyError as error:
        raise UnknownGpu(named.gpu) from error
    usd_month = catalog.price_usd_month(kind.id, named.count)
    return NamedSet(kind, named.count, usd_month, catalog.other_form(kind, named.count) if usd_month is None else None)


def verdict_on(named: NamedSet, job: Job, question: Question, need: Need) -> SetVerdict:
    """Does the set hold the need? Speeds in tokens/s: split by layers, and at most that times the GPUs in parallel."""
    kind, count = named.gpu, named.count
    held = holding_of(job, kind, count)
    fit = held.fit if job.engine != "guide" else fit_of_named(need, kind, count)
    if fit.verdict == "fits" and held.need_gb > wired_gb(kind) * count:
        fit = fit._replace(verdict="tight")
    layered = job._replace(options=job.options.model_copy(update={"tensor_parallel": None}))
    ceiling = ceiling_of(layered, kind, count)
    speed = ceiling.tokens_per_second if ceiling else None
    return SetVerdict(
        gpu=kind.id,
        name=kind.name,
        count=count,
        capacity_gb=named.capacity_gb,
        driver_gb=kind.driver_gb * count,
        per_gpu_gb=held.per_gpu_gb,
        spare_gb=fit.spare_gb,
        verdict=fit.verdict,
        why=_why(named, held, need, fit) if job.engine == "guide" else _why_of_the_engine(job, named, held),
        max_context_tokens=max_context_tokens(job, kind, count, held.need_gb),
        max_users=max_users(job, kind, count, held.need_gb),
        layout=held.layout or _layout(job, question, count),
        tokens_per_second=speed,
        tokens_per_second_tensor_parallel=speed * count if speed and count > 1 else None,
        usd_month=named.usd_month,
        at_full_context=ceiling.at_full_context if ceiling else None,
        link=_link(kind) if count > 1 else "",
        other_form=_other_form(named.other_form),
    )


def _other_form(rented: tuple[Gpu, Decimal] | None) -> OtherForm | None:
    if rented is None:
        return None
    form, usd_month = rented
    return OtherForm(gpu=form.id, name=form.name, usd_month=usd_month)


def _link(gpu: Gpu) -> str:
    """The link of a set's GPUs and its GB/s, as its maker states them."""
    if gpu.is_nameless:
        return ""
    return LINK_NAMES[gpu.link] + (f", {gpu.link_gb_s:g} GB/s" if gpu.link_gb_s else "")


def _layout(job: Job, question: Question, count: int) -> Layout:
    if count == 1:
        return "single"
    if job.is_tuning:
        return "sharded"
    return "tensor-parallel" if question.options.tensor_parallel else "layer-split"


def _why(named: NamedSet, held: Holding, need: Need, fit: Fit) -> str:
    said = f"needs {held.need_gb:,.1f} GB of {named.capacity_gb:g}"
    if fit.spare_gb >= 0:
        beyond = f", up to {need.high_gb:,.1f}" if need.high_gb > named.capacity_gb else ""
        return f"{said}{beyond}, {fit.spare_gb:,.1f} GB to spare"
    driver_gb = named.gpu.driver_gb * named.count
    if held.need_gb <= driver_gb:
        return f"{said}: past the nominal memory, within the {driver_gb:,.1f} GB that the driver reports"
    if fit.verdict == "tight":
        return f"{said}: only the leanest engine stays within it, with {need.low_gb:,.1f} GB"
    return f"{said}: {-fit.spare_gb:,.1f} GB too much"


def _why_of_the_engine(job: Job, named: NamedSet, held: Holding) -> str:
    each = " on each GPU" if named.count > 1 else ""
    if job.engine == "vllm" and not divides(job, named.count):
        return f"vLLM refuses {job.shape.num_attention_heads} heads on {named.count:,} GPUs"
    if job.engine == "vllm":
        return _why_of_vllm(job, named, each)
    spread = f"{held.low_gb / named.count:,.1f}-{held.high_gb / named.count:,.1f}"
    room = f"{held.room_gb / named.count:,.1f} that a process can use"
    return f"needs {held.per_gpu_gb:,.1f} GB ({spread}){each} of the {room}"


def _why_of_vllm(job: Job, named: NamedSet, each: str) -> str:
    """VLLM's own test: what it wants of its share, and the pool that is left for the cache."""
    test = fit_test(job, load_of(job, named.gpu, named.count), usable_gb(named.gpu))
    said = f"vLLM wants {test.wants_gb:,.1f} GB{each} of the {test.share_gb:,.1f} it takes"
    pool = (
        f"{test.pool_gb:,.1f} GB{each} are left for the cache" if test.pool_gb > 0 else "nothing is left for the cache"
    )
    if not test.leaves_room:
        needed = constant("context.gb")
        pool = f"{test.outside_gb:,.1f} GB{each} are left beside it, CUDA's context takes {needed:,.1f}: lower util="
    return f"{said}; {pool}"

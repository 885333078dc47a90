"""Warnings: what a good colleague would say before the money is spent. Each is one sentence.

Thresholds of ours carry their reason; the rules behind them are the sizing guide's.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final

from engine import answer
from engine.answer import Host, Need, SetVerdict, WarningCode
from engine.choice import Demand, fit_of_pick, runs_format
from engine.fit import fit_of, fit_of_named
from engine.formats import weight_format
from engine.gpus import FULL_MESH_LINKS, LINK_NAMES, Gpu
from engine.job import Job
from engine.kv_cache import kv_bytes, kv_bytes_all_layers, kv_bytes_per_token
from engine.need import per_gpu_gb, real_4bit, total_gb
from engine.offers import GPUS_A_NODE, Rentable
from engine.profiles.constants import constant
from engine.units import GB
from engine.weights import weight_bytes

LARGE_KV_MB: Final = 0.5
"""KV cache of one token past which multi-head attention is worth a word (Llama-2-7B: 0.52 MB)."""
OVERSIZED_SHARE: Final = 0.5
"""A named set of which less than this is needed ..."""
OVERSIZED_PRICE_TIMES: Final = 3
"""... at this many times the price of the pick: 'most of it idle at several times the price' (sizing guide)."""
MOST_CONSUMER_GPUS: Final = 4
"""Realistic limit in one consumer machine is 4 to 8. Source: sizing guide, economics (consumer_rig)."""
LOW_BITS: Final = 4.25
"""Whole-model bits below which quality loss is commonly reported for GGUF types (Q3 and smaller)."""
WEEK_HOURS: Final = 168
_A_PAIR: Final = 2
_SMALLER_CACHE_BITS: Final = 8.5
_HALF_BITS: Final = 16
_BYTE_BITS: Final = 8


def _warning(code: WarningCode, text: str) -> answer.Warning:
    return answer.Warning(code=code, text=text)


def of_the_job(job: Job) -> Iterator[answer.Warning]:
    """Warnings that follow from model, format and load alone."""
    shape = job.shape
    most = shape.max_position_embeddings
    if most and not job.guide and job.context_tokens > most:
        text = f"{shape.name} was made for {most:,} tokens: past that it answers badly or not at all"
        yield _warning("context-beyond-model", text)
    per_token_mb = kv_bytes_per_token(shape, job.kv.bits) / 1e6
    if shape.attention == "mha" and per_token_mb >= LARGE_KV_MB:
        served = "serving it adds" if job.is_tuning else "it takes"
        text = f"multi-head attention: {served} {per_token_mb:,.2f} MB of KV cache a token"
        yield _warning("mha-large-kv", text)
    if not job.is_tuning:
        yield from _of_the_cache(job)
    unpacked = weight_format(shape.native_format).kind == "weights" and shape.native_format in {"fp8", "mxfp4", "int4"}
    if unpacked and job.workload in {"lora", "full"} and job.fmt.name in {"bf16", "fp16"}:
        text = f"{shape.name} was released in {shape.native_format}: tuning unpacks it to {job.fmt.name} first"
        yield _warning("unpacked-base", text)
    if job.fmt.kind == "gguf" and (job.fmt.whole_model_bits or 0.0) < LOW_BITS:
        text = f"{job.fmt.name} keeps {job.fmt.whole_model_bits:g} bits a weight: check the answers, quality suffers"
        yield _warning("quantised-quality", text)


def _of_the_cache(job: Job) -> Iterator[answer.Warning]:
    cache = kv_bytes(job.shape, job.context_tokens, job.sequences, job.kv.bits)
    whole = kv_bytes_all_layers(job.shape, job.context_tokens, job.sequences, job.kv.bits)
    if whole > cache * 1.01 and whole - cache > GB / 10:
        text = (
            f"an engine that does not honour the model's window takes {whole / GB:,.1f} GB of KV cache"
            f" instead of {cache / GB:,.1f}"
        )
        yield _warning("windows-differ", text)
    weights = weight_bytes(job.shape, job.fmt, guide=job.guide)
    if cache > weights:
        text = f"the KV cache ({cache / GB:,.0f} GB) is larger than the weights ({weights / GB:,.0f} GB)"
        if job.kv.bits > _SMALLER_CACHE_BITS:
            text += ": kv=q8_0 nearly halves it" if job.fmt.kind == "gguf" else ": kv=fp8 halves it"
        yield _warning("kv-dominates", text)


def of_the_pick(pick: Rentable, demand: Demand, today: date | None) -> Iterator[answer.Warning]:
    """Warnings that come with the pick."""
    offer, gpu, job, need = pick.offer, pick.gpu, demand.job, demand.need
    fit = fit_of_pick(pick, demand)
    if fit.verdict == "tight":
        reach = f", and up to {need.high_gb:,.1f} GB are needed" if need.high_gb > pick.capacity_gb else ""
        text = f"tight on {_set_name(gpu, pick.count)}: {fit.spare_gb:,.1f} GB to spare{reach}"
        yield _warning("tight-fit", text)
    if gpu.is_rocm:
        yield _warning(
            "rocm", f"{gpu.name} runs ROCm, not CUDA: vLLM and PyTorch run, hand-written CUDA kernels do not"
        )
    if offer.stock is not None:
        where = f" in {offer.region}" if offer.region else ""
        yield _warning("few-in-stock", f"{offer.stock} {gpu.name} in stock{where}")
    if offer.smallest_order > 1:
        yield _warning("min-order", f"{gpu.name}: the smallest order is {offer.smallest_order}")
    if pick.count > 1:
        yield from _of_the_link(job, gpu, pick.count)
        yield from _of_the_heads(job, pick.count)
    if today is not None and offer.is_old(today):
        yield _warning("price-old", f"the price is of {offer.priced_on.isoformat()}: look it up again")


def of_the_term(pick: Rentable) -> answer.Warning | None:
    """The shortest rental term, for a question that speaks of hours or of less than a week."""
    days = pick.offer.shortest_term_days
    if not days:
        return None
    return _warning("min-term", f"{pick.offer.provider} rents for {days} days at least, not by the hour")


def of_the_host(host: Host, gpu: Gpu | None, count: int) -> answer.Warning:
    """What `offload=cpu` keeps in host memory, and the time that it costs each step."""
    nodes = -(-count // GPUS_A_NODE)
    whose = "a node of eight has" if nodes == 1 else f"{nodes:,} nodes of eight have"
    room = f"{'of' if host.gb <= host.of_gb else 'more than'} the {host.of_gb:,.0f} that {whose}"
    took = f", {host.seconds_a_step:,.1f} s on {_set_name(gpu, count)}" if gpu and host.seconds_a_step else ""
    text = (
        f"offload=cpu keeps {host.gb:,.0f} GB of optimizer states in host memory, {room};"
        f" each step moves {host.each_step_gb:,.0f} GB to and fro{took}"
    )
    return _warning("host-memory", text)


def _set_name(gpu: Gpu, count: int) -> str:
    return gpu.full_name if count == 1 else f"{count:,} × {gpu.full_name}"


def _of_the_link(job: Job, gpu: Gpu, count: int) -> Iterator[answer.Warning]:
    if gpu.is_nameless or gpu.link in FULL_MESH_LINKS:
        return
    speed = f" ({gpu.link_gb_s:g} GB/s)" if gpu.link_gb_s else ""
    link = LINK_NAMES[gpu.link] + speed
    if gpu.link == "nvlink-bridge":
        link = f"{link} at most" if count == _A_PAIR else f"{link} at most, in pairs"
    if job.workload == "full":
        text = f"{_set_name(gpu, count)} are joined by {link}: full tuning needs a link between all of them"
    elif job.is_tuning:
        text = f"{_set_name(gpu, count)} are joined by {link}: it works, and each step waits for the exchange"
    else:
        text = f"{_set_name(gpu, count)} are joined by {link}: split by layers it works, tensor parallel gains less"
    yield _warning("slow-link", text)


def of_a_named_set(job: Job, verdict: SetVerdict, gpu: Gpu, need: Need) -> Iterator[answer.Warning]:
    """Warnings about one set that the question names."""
    count = verdict.count
    if verdict.verdict == "tight":
        text = (
            f"tight on {_set_name(gpu, count)}: {verdict.spare_gb:,.1f} GB to spare"
            if verdict.spare_gb >= 0
            else f"tight on {_set_name(gpu, count)}: {-verdict.spare_gb:,.1f} GB more than it has"
        )
        yield _warning("tight-fit", text)
    if not runs_format(gpu, job.fmt):
        yield _warning("no-fp8-hardware", f"{gpu.name} has no {_hardware(job)}")
    if count > 1:
        yield from _of_the_link(job, gpu, count)
        yield from _of_the_heads(job, count)
        yield from _of_copies(job, gpu, count, need)
    if gpu.segment == "consumer" and count > MOST_CONSUMER_GPUS:
        text = f"{count:,} consumer GPUs are more than one machine usually takes (4 to 8, 2 or 3 at full PCIe speed)"
        yield _warning("consumer-rig", text)
    reserving = job.engine in {"guide", "vllm"} and not gpu.is_mac
    if job.workload == "infer" and reserving and verdict.verdict == "fits" and need.total_gb < verdict.capacity_gb / 2:
        share = job.options.util or constant("vllm.util")
        text = f"a server such as vLLM takes {share:.0%} of the GPU whatever the need: what it shows is no need"
        yield _warning("server-reserves", text)


def _hardware(job: Job) -> str:
    """What a GPU lacks for the format, and what to do."""
    if job.fmt.name == "fp8":
        return "FP8 hardware: int8 takes the same memory, or an Ada, Hopper or Blackwell GPU"
    return f"hardware for {job.fmt.name}: awq takes the same memory, or a {' or '.join(job.fmt.needs)} GPU"


def _of_the_heads(job: Job, count: int) -> Iterator[answer.Warning]:
    """Heads that tensor parallel cannot split; llama.cpp and transformers split by layers alone."""
    heads, kv_heads = job.shape.num_attention_heads, job.shape.num_key_value_heads
    if job.workload != "infer" or not heads or job.engine not in {"guide", "vllm"}:
        return
    uneven_kv = kv_heads and job.shape.attention != "mla" and kv_heads % count and count % kv_heads
    if heads % count == 0 and not uneven_kv:
        return
    which = f"{heads} heads" if heads % count else f"{kv_heads} KV heads"
    valid = [n for n in range(2, 17) if not heads % n and (not kv_heads or not kv_heads % n or not n % kv_heads)]
    parallel = f"tensor parallel needs {_numbers(valid)} GPUs" if valid else "tensor parallel is not possible"
    by_layers = "" if job.engine == "vllm" else "; split by layers any number works"
    yield _warning("heads-not-divisible", f"{which} do not divide by {count:,}: {parallel}{by_layers}")


def _of_copies(job: Job, gpu: Gpu, count: int, need: Need) -> Iterator[answer.Warning]:
    quantised_base = job.is_tuning and (job.fmt.bits_linear or _HALF_BITS) < _HALF_BITS
    if job.engine == "guide" and quantised_base:
        fits_one = need.total_gb <= max(gpu.memory_gb, gpu.driver_gb)
        alone = f"it takes {need.total_gb:,.0f} GB on each GPU" + ("" if fits_one else ", more than one has")
        text = (
            f"4-bit training copies the model to every GPU unless it is sharded (FSDP or ZeRO-3): copied, {alone};"
            f" sharded, {per_gpu_gb(need.total_gb, count):,.0f} GB"
        )
        yield _warning("replica-per-gpu", text)


def of_a_replica(verdict: SetVerdict, job: Job) -> answer.Warning | None:
    """An engine that copies the model to every GPU."""
    if verdict.layout != "replica":
        return None
    each = f"{verdict.per_gpu_gb:,.1f} GB each"
    text = f"{job.engine} copies the model to every GPU, {each}: more GPUs make no room, shards= does"
    return _warning("replica-per-gpu", text)


def _numbers(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:-1])) + f" or {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def real_4bit_is_bigger(
    job: Job, need: Need, pick: Rentable | None, named: list[tuple[Gpu, int]]
) -> answer.Warning | None:
    """Where a real 4-bit file of the shape changes a verdict that the guide's half byte a parameter gave."""
    real = real_4bit(job)
    if real is None:
        return None
    real_gb = total_gb(real)
    real_need = need.model_copy(update={"total_gb": real_gb, "low_gb": real_gb, "high_gb": real_gb})
    before = [fit_of_named(need.model_copy(update={"high_gb": need.total_gb}), *one).verdict for one in named]
    after = [fit_of_named(real_need, *one).verdict for one in named]
    sets = [(_set_name(*one), new) for one, old, new in zip(named, before, after, strict=True) if old != new]
    if pick is not None:
        old, new = (fit_of(gb, pick.gpu.memory_gb, pick.count).verdict for gb in (need.total_gb, real_gb))
        name = _set_name(pick.gpu, pick.count)
        if old != new and name not in dict(sets):
            sets.append((name, new))
    if not sets:
        return None
    words = {"no": "does not fit", "tight": "is tight", "fits": "fits"}
    told = ", ".join(f"on {name} it {words[verdict]}" for name, verdict in sets)
    return _warning("real-4bit-is-bigger", f"a real 4-bit file (AWQ) of this shape needs {real_gb:,.1f} GB: {told}")


def oversized(verdict: SetVerdict, need: Need, pick: Rentable | None) -> answer.Warning | None:
    """A named set most of which would stand idle at several times the price of the pick."""
    if pick is None or verdict.verdict != "fits" or verdict.usd_month is None:
        return None
    if need.total_gb >= OVERSIZED_SHARE * verdict.capacity_gb:
        return None
    if verdict.usd_month < OVERSIZED_PRICE_TIMES * pick.usd_month:
        return None
    times = verdict.usd_month / pick.usd_month
    text = (
        f"{verdict.name} is more than this needs: {need.total_gb / verdict.capacity_gb:.0%} of its memory"
        f" at {times:,.1f} times the price of {pick.gpu.name}"
    )
    return _warning("oversized", text)


def passed_over_for_fp8(rentable: Rentable, job: Job) -> answer.Warning:
    """A cheaper offer that holds the need and has no hardware for its format."""
    lacking = "FP8 hardware" if job.fmt.name == "fp8" else f"hardware for {job.fmt.name}"
    text = f"{_set_name(rentable.gpu, rentable.count)} would hold it for less, but has no {lacking}"
    return _warning("no-fp8-hardware", text)

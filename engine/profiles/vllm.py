"""vLLM: its own fit test at start. It reserves a share of the GPU and refuses what does not fit into it."""

from dataclasses import dataclass

from engine.formulas import weights_formula
from engine.gpus import Gpu
from engine.job import Job
from engine.profiles.constants import constant
from engine.profiles.load import Load, Share, layout_of, parts_on
from engine.profiles.weights import stored_bytes
from engine.units import GB

ROWS = "W003-W010; C001-C008; K001-K008; O015; O016; O028"


def sequences_at_once(job: Job, gpu: Gpu | None) -> int:
    """max_num_seqs: as given, or vLLM's default for the GPU, or more where more are to be served at once."""
    if job.options.seqs:
        return job.options.seqs
    return max(default_sequences(gpu), job.sequences)


def default_sequences(gpu: Gpu | None) -> int:
    """The max_num_seqs that vLLM takes by itself on a GPU."""
    large = gpu is not None and gpu.memory_gb >= constant("vllm.large_gpu_gb") and not gpu.id.startswith("a100")
    return int(constant("vllm.seqs_large" if large else "vllm.seqs"))


def cache_bytes(job: Job, gpu: Gpu | None) -> float:
    """Bytes of KV cache for the sequences that run at once; a windowed layer holds its window and a batch of tokens.

    More sequences than max_num_seqs wait their turn.
    """
    shape = job.shape
    window = min(job.context_tokens, shape.sliding_window + int(constant("vllm.batch_tokens")))
    values = shape.kv_values_per_token * job.context_tokens + shape.kv_window_values_per_token * window
    each = values * job.kv.bits / 8 + shape.indexer_bytes_per_token * job.context_tokens
    return min(job.sequences, sequences_at_once(job, gpu)) * (each + shape.recurrent_state_bytes_per_seq)


def _cache_formula(each_bytes: float, running: int, share: int) -> str:
    text = f"{each_bytes:,.0f} B a sequence × {running:,}"
    return f"{text} / {share}, split by KV heads" if share > 1 else text


def cache_share(job: Job, gpus: int) -> int:
    """Over how many GPUs the cache is split: KV heads at most; a latent is copied to each."""
    shape = job.shape
    return 1 if shape.attention == "mla" else min(gpus, max(1, shape.num_key_value_heads))


def vllm(job: Job, gpu: Gpu | None, gpus: int) -> Load:
    """The left side of vLLM's fit test, GB over all GPUs of a tensor-parallel group."""
    shape, seqs = job.shape, sequences_at_once(job, gpu)
    nontorch = constant("vllm.nontorch_gb" if gpus == 1 else "vllm.nontorch_parallel_gb")
    sampler = constant("vllm.sampler_bytes") * seqs * shape.vocab_size
    workspace = 2 * constant("vllm.batch_tokens") * shape.hidden_size
    share = cache_share(job, gpus)
    cache, running = cache_bytes(job, gpu), min(job.sequences, seqs)
    exact = parts_on(
        gpus,
        (
            Share("weights", stored_bytes(job) / gpus, weights_formula(job)),
            Share("kv", cache / share, _cache_formula(cache / running, running, share)),
        ),
        job.fmt.term_basis if job.fmt.basis == "exact" else "measured",
    )
    parts = exact + parts_on(
        gpus,
        (
            Share("sampler", sampler, f"38.3 B × {seqs} sequences × {shape.vocab_size:,} vocabulary, dry run"),
            Share("workspace", workspace, f"2 B × 8,192 tokens × {shape.hidden_size:,} hidden"),
            Share("overhead", nontorch * GB, "non-torch memory"),
        ),
    )
    spread = constant("vllm.part_share")
    return Load(parts, gpus, layout_of(gpus, "tensor-parallel"), 1 - spread, 1 + spread, ROWS)


@dataclass(frozen=True, slots=True)
class FitTest:
    """vLLM's test on one GPU, GB: what it wants, the share it may take, what is left for the cache's pool."""

    wants_gb: float
    share_gb: float
    pool_gb: float
    outside_gb: float

    @property
    def leaves_room(self) -> bool:
        """Whether CUDA's context, which the share does not count, has room beside it."""
        return constant("context.gb") <= self.outside_gb

    @property
    def passes(self) -> bool:
        return self.wants_gb <= self.share_gb and self.leaves_room

    @property
    def passes_safely(self) -> bool:
        """With what a fit keeps beyond the test, and room outside the share for the largest CUDA graphs."""
        outside = constant("context.gb") + constant("vllm.graphs_gb")
        return self.wants_gb + constant("vllm.safe_gb") <= self.share_gb and outside <= self.outside_gb


def fit_test(job: Job, load: Load, usable_gb: float) -> FitTest:
    """The test of a load on GPUs of which a process may use `usable_gb` each."""
    util = job.options.util or constant("vllm.util")
    cache_gb = next(part.gb for part in load.parts if part.name == "kv") / load.gpus
    return FitTest(
        wants_gb=load.per_gpu_gb,
        share_gb=util * usable_gb,
        pool_gb=util * usable_gb - (load.per_gpu_gb - cache_gb),
        outside_gb=(1 - util) * usable_gb,
    )

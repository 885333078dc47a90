"""Answers written by hand, from the figures of the design's sample card. No engine is asked."""

from datetime import date
from decimal import Decimal

from engine.answer import Answer, Asked, Assumption, CatalogMark, Ceiling, KvCache, Need, Pick, Term
from engine.answer import Warning as Warn
from engine.question import Limits

CATALOG = CatalogMark(name="gpu-rent-hub", date=date(2026, 9, 1), fingerprint="0123456789abcdef")

A40 = Pick(
    gpu="a40",
    name="A40",
    count=1,
    capacity_gb=48.0,
    spare_gb=13.16,
    verdict="fits",
    usd_month=Decimal(240),
    usd_hour=Decimal("0.33"),
    provider="gpu-rent-hub",
    priced_on=date(2026, 9, 1),
)

SAMPLE = Answer(
    question=Asked(
        text="13b lora ctx=4k",
        model="13b",
        params_b=13.0,
        workload="lora",
        weight_format="bf16",
        kv_format="fp16",
        engine="guide",
        context_tokens=4096,
        batch=1,
        sets=(),
        limits=Limits(),
        rank=16,
        checkpointing="on",
    ),
    need=Need(
        total_gb=34.84,
        per_gpu_gb=None,
        low_gb=33.0,
        high_gb=34.84,
        terms=(
            Term(name="weights", gb=26.0, formula="13 × 10⁹ × 2 B", basis="guide"),
            Term(name="adapter", gb=1.04, formula="0.5% × 13 × 10⁹ × 16 B", basis="guide"),
            Term(name="activations", gb=5.8, formula="4 GB + 2,048 tokens × 0.88 MB", basis="guide"),
            Term(name="overhead", gb=2.0, formula="one process", basis="guide"),
        ),
    ),
    kv=KvCache(bytes_per_token=819_200, gb=0.0),
    pick=A40,
    ceiling=Ceiling(
        tokens_per_second=696 / 26, read_gb=26.0, bandwidth_gb_s=696.0, at_full_context=696 / 26, layout="single"
    ),
    verdicts=(),
    cluster=None,
    alternatives=(),
    warnings=(Warn(code="mha-large-kv", text="multi-head attention: serving it adds 0.82 MB of KV cache a token"),),
    assumptions=(
        Assumption(name="weight_format", value="bf16", why="not named"),
        Assumption(name="shape", value="geometry of the guide's 13B", why="a size alone has no geometry"),
        Assumption(name="batch", value="1", why="not named"),
        Assumption(name="rank", value="16", why="not named"),
        Assumption(name="checkpointing", value="on", why="not named"),
    ),
    catalog=CATALOG,
)

"""What comes out: the answer to a question as one value (design: the JSON contract, schema 1).

The log stores it, `--json` prints it, the cards are made from it. Numbers are not rounded; GB is 10**9 bytes.
Fields are only ever added.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from engine.question import Checkpointing, Engine, GpuSet, Limits, Loss, Optimizer
from engine.values import Usd, Value, Workload

Basis = Literal["exact", "guide", "measured", "assumed"]
Verdict = Literal["fits", "tight", "no"]
Layout = Literal["single", "layer-split", "tensor-parallel", "sharded", "replica"]
TermName = Literal[
    "weights",
    "kv",
    "overhead",
    "adapter",
    "gradients",
    "optimizer",
    "activations",
    "logits",
    "workspace",
    "gather",
    "sampler",
    "context",
    "slack",
]
WarningCode = Literal[
    "tight-fit",
    "real-4bit-is-bigger",
    "no-fp8-hardware",
    "rocm",
    "context-beyond-model",
    "heads-not-divisible",
    "slow-link",
    "mha-large-kv",
    "kv-dominates",
    "server-reserves",
    "replica-per-gpu",
    "price-old",
    "few-in-stock",
    "min-order",
    "min-term",
    "oversized",
    "consumer-rig",
    "quantised-quality",
    "windows-differ",
    "unpacked-base",
    "host-memory",
]
ProblemCode = Literal[
    "empty",
    "too-long",
    "unknown-word",
    "unknown-model",
    "unknown-gpu",
    "impossible-value",
    "conflict",
    "not-modelled",
    "no-such-query",
    "not-allowed",
]


class Asked(Value):
    """The question as it was answered: every default filled in."""

    text: str
    model: str
    params_b: float
    workload: Workload
    weight_format: str
    kv_format: str
    engine: Engine
    context_tokens: int
    batch: int
    users: int | None = None
    sets: tuple[GpuSet, ...]
    limits: Limits
    rank: int | None = None
    checkpointing: Checkpointing | None = None
    optimizer: Optimizer | None = None
    loss: Loss | None = None


class Term(Value):
    """One part of the need: GB, how it is reckoned in words and figures, and how it is known.

    `rows` are the measured runs behind a measured one.
    """

    name: TermName
    gb: float
    formula: str
    basis: Basis
    rows: str = ""


class Need(Value):
    """GB over all GPUs; `per_gpu_gb` that of the only named set. `low_gb` <= `total_gb` <= `high_gb`."""

    total_gb: float
    per_gpu_gb: float | None
    low_gb: float
    high_gb: float
    terms: tuple[Term, ...]


class KvCache(Value):
    """Bytes of KV cache that one more token of one sequence takes, and the GB that the question's cache takes."""

    bytes_per_token: int
    gb: float


class Pick(Value):
    """The cheapest offer that holds the need. `capacity_gb` is the whole set's.

    The largest context and the most users are worked out where the question names no set.
    """

    gpu: str
    name: str
    count: int
    capacity_gb: float
    spare_gb: float
    verdict: Verdict
    usd_month: Usd
    usd_hour: Usd
    provider: str
    priced_on: date
    max_context_tokens: int | None = None
    max_users: int | None = None


class Ceiling(Value):
    """Tokens/s of one stream that memory bandwidth allows at most: a limit, never a benchmark."""

    tokens_per_second: float
    read_gb: float
    bandwidth_gb_s: float
    at_full_context: float
    layout: Layout


class OtherForm(Value):
    """What is rented of a GPU in another form: the SXM of an A100 PCIe."""

    gpu: str
    name: str
    usd_month: Usd


class SetVerdict(Value):
    """Does this set hold the need? Capacities are the whole set's, `tokens_per_second` by layer split.

    `other_form` is given where nobody rents the set itself.
    """

    gpu: str
    name: str
    count: int
    capacity_gb: float
    driver_gb: float
    per_gpu_gb: float
    spare_gb: float
    verdict: Verdict
    why: str
    max_context_tokens: int | None
    max_users: int | None
    layout: Layout
    tokens_per_second: float | None
    tokens_per_second_tensor_parallel: float | None
    usd_month: Usd | None
    at_full_context: float | None = None
    link: str = ""
    other_form: OtherForm | None = None


class Cluster(Value):
    """More than one node of eight."""

    gpu: str
    name: str
    per_node: int
    nodes: int


class Host(Value):
    """Host memory that `offload=cpu` takes, of how much, and the GB that each step moves between host and GPUs."""

    gb: float
    of_gb: float
    each_step_gb: float
    seconds_a_step: float | None


class Alternative(Value):
    """Another way: a `change` that makes it fit, or a `set`, `cuda` or `faster` pick. `what` can be asked as it is."""

    code: Literal["change", "set", "cuda", "faster"]
    what: str
    need_gb: float
    pick: Pick | None
    usd_month_difference: Usd | None


class Warning(Value):  # noqa: A001 - the design's word for it
    code: WarningCode
    text: str


class Assumption(Value):
    name: str
    value: str
    why: str


class CatalogMark(Value):
    """Which catalog was asked."""

    name: str
    date: date
    fingerprint: str


class LogMark(Value):
    id: int


class ChoiceOption(Value):
    """One reading of an ambiguous question. `ask` is the question that picks it; `verdict` that of its named set."""

    label: str
    ask: str
    need_gb: float | None
    verdict: Verdict | None = None


class Answer(Value):
    """Everything for one question.

    Attributes:
        guide_need: what the sizing guide says of a named model or an engine.
        choices: where the named sets are too small, other models of the same name that one of them holds.
    """

    schema_version: Literal[1] = Field(default=1, alias="schema", serialization_alias="schema")
    kind: Literal["answer"] = "answer"
    question: Asked
    need: Need
    kv: KvCache
    pick: Pick | None
    ceiling: Ceiling | None
    verdicts: tuple[SetVerdict, ...]
    cluster: Cluster | None
    alternatives: tuple[Alternative, ...]
    warnings: tuple[Warning, ...]
    assumptions: tuple[Assumption, ...]
    catalog: CatalogMark
    host: Host | None = None
    guide_need: Need | None = None
    choices: tuple[ChoiceOption, ...] = ()
    log: LogMark | None = None


class Choice(Value):
    """The question has several readings: a question back.

    Where they differ in the GPU alone, the need and every verdict are known all the same.
    """

    schema_version: Literal[1] = Field(default=1, alias="schema", serialization_alias="schema")
    kind: Literal["choice"] = "choice"
    text: str
    choices: tuple[ChoiceOption, ...]
    need: Need | None = None
    verdicts: tuple[SetVerdict, ...] = ()
    log: LogMark | None = None


class Problem(Value):
    code: ProblemCode
    given: str
    near: tuple[str, ...]
    text: str


class Refusal(Value):
    """The question cannot be answered: what was given, why not, what to do."""

    schema_version: Literal[1] = Field(default=1, alias="schema", serialization_alias="schema")
    kind: Literal["refusal"] = "refusal"
    text: str
    problem: Problem
    log: LogMark | None = None


Outcome = Annotated[Answer | Choice | Refusal, Field(discriminator="kind")]
"""What a question comes to."""

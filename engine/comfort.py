"""What runs comfortably, tightly or not at all on a set: computed for usual models, beside what the guides say.

Comfortably is a verdict `fits`, tightly `tight`. Each use takes the least quantised format that the set holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from engine.answer import Verdict
from engine.fit import fit_of
from engine.gpus import Gpu
from engine.job import job_of
from engine.need import total_gb
from engine.question import Question
from engine.tables import checked, packaged_rows
from engine.values import Value

Word = Literal["comfortably", "tightly", "not at all"]
WORDS: Final[dict[Verdict, Word]] = {"fits": "comfortably", "tight": "tightly", "no": "not at all"}

CONTEXT_TOKENS: Final = 8192
LADDER: Final = ("bf16", "fp8", "int8", "int4")
"""Formats from the largest to the smallest; int8 stands in where there is no FP8 hardware."""
MANY_USERS: Final = 32
"""Full contexts of a 7B at once that count as high concurrency: 34 GB of KV cache, twice the weights; ours."""


@dataclass(frozen=True, slots=True)
class Use:
    """Something that people want to run."""

    id: str
    name: str
    model: str
    params_b: float | None
    formats: tuple[str, ...]
    users: int | None = None


USES: Final = (
    Use("7b", "7B", "7b", 7.0, LADDER),
    Use("13b", "13B", "13b", 13.0, LADDER),
    Use("70b", "70B", "70b", 70.0, LADDER),
    Use("sdxl", "SDXL", "sdxl", None, ("fp16",)),
    Use("users", f"7B, {MANY_USERS} users", "7b", 7.0, LADDER, MANY_USERS),
)


class Said(Value):
    """What the guides say of a use on a GPU, and which of our words that is."""

    source: str
    gpus: tuple[str, ...]
    use: str
    said: str
    means: Word
    note: str


@dataclass(frozen=True, slots=True)
class Comfort:
    """A use on a set. `need_gb` in the format that was taken; `contrary` are the guides' words that differ."""

    use: Use
    word: Word
    weight_format: str
    need_gb: float
    spare_gb: float
    contrary: tuple[Said, ...]


@cache
def said_by_the_guides() -> tuple[Said, ...]:
    """The rows of the guides on what runs how well. Source: sizing guide, comfort."""
    return tuple(
        checked(Said, {**row, "gpus": row["gpus"].split("|")}, place) for place, row in packaged_rows("comfort.csv")
    )


@cache
def need_gb(use: Use, fmt: str) -> float:
    """GB that a use takes in a format, with 8,192 tokens of context for each user."""
    diffusion = use.params_b is None
    question = Question(
        model=use.model,
        params_b=use.params_b,
        workload="infer",
        weight_format=fmt,
        context_tokens=None if diffusion else CONTEXT_TOKENS,
        users=use.users,
    )
    return total_gb(job_of(question)[0])


def comfort_on(use: Use, gpu: Gpu, count: int = 1) -> Comfort:
    """How well a use runs on a set.

    >>> from engine.gpus import gpu
    >>> found = comfort_on(USES[2], gpu("rtx-4090"))
    >>> found.word, round(found.need_gb, 1)
    ('not at all', 39.7)
    """
    word: Word = "not at all"
    fmt, need, spare = use.formats[-1], 0.0, 0.0
    for fmt in _runnable(use, gpu):
        need = need_gb(use, fmt)
        fit = fit_of(need, gpu.memory_gb, count)
        word, spare = WORDS[fit.verdict], fit.spare_gb
        if fit.verdict != "no":
            break
    contrary = tuple(one for one in _said_of(use, gpu, count) if one.means != word)
    return Comfort(use, word, fmt, need, spare, contrary)


def comforts(gpu: Gpu, count: int = 1) -> tuple[Comfort, ...]:
    """How well each of the usual uses runs on a set."""
    return tuple(comfort_on(use, gpu, count) for use in USES)


def _runnable(use: Use, gpu: Gpu) -> Iterator[str]:
    """Formats that the hardware runs: FP8 where there is hardware for it, else int8 in its place."""
    passed_over = "fp8" if gpu.fp8 is False else "int8"
    return (fmt for fmt in use.formats if fmt != passed_over)


def _said_of(use: Use, gpu: Gpu, count: int) -> Iterator[Said]:
    if count == 1:
        yield from (one for one in said_by_the_guides() if gpu.id in one.gpus and one.use == use.id)

"""What the range of a need hangs on, and on how many measured runs it rests."""

import re
from collections.abc import Iterator
from typing import Final

from engine.answer import Assumption
from engine.bands import Band
from engine.calibration import said
from engine.job import Job
from engine.profiles.load import Load

NOTABLE_SHARE: Final = 0.10
"""A range hangs on the loss kernel where its term is at least this share of the need."""

_ROWS: Final = re.compile(r"([A-Z])(\d+)(?:-\1(\d+))?")


def runs(rows: str) -> int:
    """How many measured runs a list of row ids names.

    >>> runs("T062-T064; T161; O015")
    5
    """
    return sum(int(last or first) - int(first) + 1 for _, first, last in _ROWS.findall(rows))


def range_of_load(job: Job, load: Load) -> Assumption:
    """The range of an engine's profile or of the team's own runs, what it hangs on and what it rests on."""
    if load.own_runs:
        return Assumption(name="range", value="your runs", why=f"your runs: {said(load.own_runs)}")
    return Assumption(
        name="range",
        value=_hangs_on(job, load),
        why=f"fitted on {runs(load.evidence)} runs",
    )


def _hangs_on(job: Job, load: Load) -> str:
    parts = {part.name: part.gb for part in load.parts}
    if job.loss is None and parts.get("logits", 0.0) >= NOTABLE_SHARE * load.total_gb:
        return "loss kernel"
    if job.is_tuning:
        return "tokens really in the batch"
    if job.engine == "vllm":
        return "sequences at once"
    return "micro-batch" if job.engine in {"llama.cpp", "ollama"} else "prompt length"


def range_of_band(band: Band) -> Iterator[Assumption]:
    """The range over engines that could run it, with what each would take."""
    needs = ", ".join(f"{engine} {need_gb:,.0f} GB" for engine, need_gb in band.needs_gb)
    only = band.needs_gb[0][0]
    narrowed = (
        f"name the engine to narrow it: {needs}" if len(band.needs_gb) > 1 else f"name {only} for its own: {needs}"
    )
    yield Assumption(name="range", value="engine", why=narrowed)

"""What stands behind `measured N`: `31.2GB [42tok/s] [sure] [note]`, and which figures are asked back.

Memory is written in GB (10^9 bytes) or GiB (2^30); tools mix the two, so a figure that is off by just the factor
between them is asked back before it is kept, and so is half or twice of what was predicted. `sure` keeps it as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.wording import NO_BREAK, gb, rate, rounded
from engine.errors import EmptyQuestion, ImpossibleValue
from engine.units import GB, GIB

UNIT_BYTES: Final = {"gb": GB, "gib": GIB, "mb": GB // 1000, "mib": GIB // 1024}
GIB_AS_GB: Final = GIB / GB
"""1.0737: a figure in GiB that is called GB, or the other way round."""
MIB_BY_1000: Final = 1.024
"""MiB divided by 1,000 in place of 1,024."""
SAME_FACTOR: Final = 0.004
"""How near a ratio has to come to such a factor: figures have three digits. Our choice."""
TWICE: Final = 1.9
"""From here on a figure counts as twice, or half, of what was predicted: one GPU of two, or a wrong format."""
ABOVE_CEILING: Final = 1.02
MOST_GB: Final = 1_000_000.0
SURE: Final = "sure"
FORM: Final = "measured 17 31.2GB 42tok/s, or 29.1GiB; a note may follow"

_MEMORY: Final = re.compile(r"(-?\d+(?:[.,]\d+)?)\s?([kmgt]i?b?|bytes)?(?=\s|$)\s*", re.IGNORECASE)
_RATE: Final = re.compile(r"(\d+(?:\.\d+)?)\s?(?:tok(?:en)?s?/s(?:ec)?|t/s|tps)(?=\s|$)\s*", re.IGNORECASE)
_SURE: Final = re.compile(rf"{SURE}(?=\s|$)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """What was written: GB in all, tokens/s of one stream, and how the memory was written."""

    gb: float
    tokens_per_second: float | None
    note: str
    written: str
    unit: str
    is_sure: bool


def run_of(words: str) -> Run:
    """The run of a text.

    Raises:
        EngineError: no figure, no unit, or none that a run can take.

    >>> run = run_of("29.1GiB 42tok/s two GPUs")
    >>> round(run.gb, 2), run.tokens_per_second, run.note
    (31.25, 42.0, 'two GPUs')
    """
    memory = _MEMORY.match(words)
    if memory is None:
        raise EmptyQuestion(reason="it is not said how much memory the run took", allowed=f"Write {FORM}")
    figure, unit = memory[1].replace(",", "."), (memory[2] or "").lower()
    if unit not in UNIT_BYTES:
        raise ImpossibleValue(memory[0].strip(), reason="GB (10⁹ bytes) or GiB (2³⁰)?", allowed=FORM)
    size_gb = float(figure) * UNIT_BYTES[unit] / GB
    if not 0 < size_gb <= MOST_GB:
        raise ImpossibleValue(memory[0].strip(), reason="no run takes that", allowed="above 0 GB")
    rest = words[memory.end() :]
    speed, rest = _taken(_RATE, rest)
    sure, rest = _taken(_SURE, rest)
    tokens_per_second = float(speed[1]) if speed else None
    return Run(size_gb, tokens_per_second, rest.strip(), figure, unit, sure is not None)


def _taken(pattern: re.Pattern[str], words: str) -> tuple[re.Match[str] | None, str]:
    found = pattern.match(words)
    return found, words if found is None else words[found.end() :]


def doubts(run: Run, need_gb: float | None, ceiling: float | None, number: int, gpus: int = 1) -> tuple[str, ...]:
    """What is asked back about a run, in plain words; () where nothing looks wrong.

    Args:
        run: what was written.
        need_gb: what was predicted, over all GPUs.
        ceiling: tokens/s of one stream at most, where the question was about one.
        number: of the query, for what to write.
        gpus: how many the question named or picked.
    """
    memory = () if need_gb is None else tuple(_memory_doubts(run, need_gb, number, gpus))
    return (*memory[:1], *_rate_doubts(run, ceiling))


def _memory_doubts(run: Run, need_gb: float, number: int, gpus: int) -> Iterator[str]:
    ratio = need_gb / run.gb
    said, predicted = f"{run.written}{NO_BREAK}{_unit(run.unit)}", gb(need_gb, 1)
    if run.unit in {"gb", "mb"} and _near(ratio, GIB_AS_GB):
        other = f"measured {number} {run.written}{_unit(run.unit).replace('B', 'iB')}"
        yield f"{said} is 1.07 times less than the {predicted} predicted, as if it were GiB. If so, write {other}"
    if run.unit in {"gib", "mib"} and _near(ratio, 1 / GIB_AS_GB):
        other = f"measured {number} {run.written}{_unit(run.unit).replace('iB', 'B')}"
        yield f"{said} is 1.07 times more than the {predicted} predicted, as if it were GB. If so, write {other}"
    if _near(ratio, MIB_BY_1000) or _near(ratio, 1 / MIB_BY_1000):
        yield f"{said} is off by 1.024 from the {predicted} predicted, as if MiB had been divided by 1,000"
    if gpus > 1 and run.gb * 1.2 < need_gb and abs(ratio - gpus) < 0.15 * gpus:
        yield f"{said} is about what one of {gpus} GPUs takes. Here the total of all is wanted: {predicted} predicted"
    if ratio >= TWICE:
        less = f"{said} is {rounded(ratio, 1)} times less than the {predicted} predicted"
        yield f"{less}, as if it were one GPU of several or another format"
    if ratio <= 1 / TWICE:
        yield (
            f"{said} is {rounded(1 / ratio, 1)} times more than the {predicted} predicted, "
            "as if it were what the server reserves or another format"
        )


def _rate_doubts(run: Run, ceiling: float | None) -> Iterator[str]:
    if run.tokens_per_second is not None and ceiling is not None and run.tokens_per_second > ABOVE_CEILING * ceiling:
        above = f"{rate(run.tokens_per_second)} is above the ceiling of one stream, {rate(ceiling)}"
        yield f"{above}, as if it were the sum of several streams"


def _near(ratio: float, factor: float) -> bool:
    return abs(ratio / factor - 1) <= SAME_FACTOR


def _unit(unit: str) -> str:
    return {"gb": "GB", "gib": "GiB", "mb": "MB", "mib": "MiB"}[unit]

"""What an answer should satisfy, as tags: `RANGE 36-44; FIT 2x24; NOFIT 1x24` (tests/data/asked_expected.csv).

    RANGE a-b      the need lies between a and b GB
    FIT NxC        N GPUs of C GB hold it; NOFIT: they do not; TIGHT: never a plain yes
    COUNT >=NxC    the need is more than N - 1 GPUs of C GB
    ASK …          a question back, or several verdicts or choices
    REJECT         a refusal
    A or B         either

Tags are this project's own arithmetic, widened to hold what people reported; words such as NOTE are for people.
"""

import re
from collections.abc import Iterator

from engine.answer import Answer, Choice, Refusal

Outcome = Answer | Choice | Refusal
DRIVER_SHARE = 1.07
"""The driver reports up to 7% more than the nominal memory."""
SAME_CAPACITY = 0.06
TIGHT_GB, TIGHT_GB_A_GPU = 5, 2

_SET = re.compile(r"(FIT|NOFIT|TIGHT) (?:(\d+)x)?(\d+(?:\.\d+)?)")
_RANGE = re.compile(r"RANGE ([\d.]+)-([\d.]+)")
_COUNT = re.compile(r"COUNT >=(\d+)x([\d.]+)")


def need_gb(outcome: Outcome) -> float | None:
    need = None if isinstance(outcome, Refusal) else outcome.need
    return need.total_gb if need else None


def verdict(outcome: Outcome, count: int, memory_gb: float) -> str | None:
    """The verdict on a set of about this capacity, where one was given."""
    if isinstance(outcome, Refusal):
        return None
    room = count * memory_gb
    near = (v for v in outcome.verdicts if v.count == count and abs(v.capacity_gb - room) <= SAME_CAPACITY * room)
    return next((v.verdict for v in near), None)


def holds(tag: str, outcome: Outcome) -> bool | None:
    """Whether a tag holds; None for one that only people can read."""
    need = need_gb(outcome)
    if tag.startswith("REJECT"):
        return isinstance(outcome, Refusal)
    if tag.startswith("ASK"):
        answered = isinstance(outcome, Answer) and max(len(outcome.verdicts), len(outcome.choices)) > 1
        return isinstance(outcome, Choice) or answered
    if found := _RANGE.fullmatch(tag):
        return need is not None and float(found[1]) <= need <= float(found[2])
    if found := _COUNT.fullmatch(tag):
        return need is not None and need > (int(found[1]) - 1) * float(found[2])
    if found := _SET.fullmatch(tag):
        count, memory_gb = int(found[2] or 1), float(found[3])
        return need is not None and _fits_as(found[1], need, verdict(outcome, count, memory_gb), count, memory_gb)
    return None


def _fits_as(kind: str, need: float, given: str | None, count: int, memory_gb: float) -> bool:
    room = count * memory_gb
    if kind == "FIT":
        return given != "no" if given else need <= room * DRIVER_SHARE
    if kind == "NOFIT":
        return given == "no" if given else need > room
    spare = TIGHT_GB if count == 1 else TIGHT_GB_A_GPU * count
    return given in {"tight", "no"} if given else need > room - spare


def unheld(expected: str, outcome: Outcome, *, outside: bool) -> Iterator[str]:
    """The tags that do not hold. A model or GPU that is not known may be refused."""
    unknown = isinstance(outcome, Refusal) and outcome.problem.code in {"unknown-model", "unknown-gpu"}
    for tag in filter(None, map(str.strip, expected.split(";"))):
        if (outside and unknown and tag != "REJECT") or tag.startswith(("NOTE", "WARN")):
            continue
        results = [holds(part.strip(), outcome) for part in tag.split(" or ")]
        if True not in results and None not in results:
            yield tag

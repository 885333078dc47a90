"""What runs comfortably, tightly or not at all, in words; and where the guides say otherwise."""

from collections.abc import Iterable, Iterator
from typing import Final

from bot.wording import gb
from engine.comfort import LADDER, Comfort, Word
from engine.gpus import Gpu

LABELS: Final[dict[Word, str]] = {"comfortably": "comfortably", "tightly": "tightly", "not at all": "not at all"}


def runs_cell(found: Comfort) -> str:
    """One use in a cell: `at bf16`, `tight, int4`, `no`.

    What was taken down from the largest format is said with the format.
    """
    if found.word == "not at all":
        return "no"
    return f"{'tight, ' if found.word == 'tightly' else ''}{found.weight_format}"


def runs_text(found: Iterable[Comfort]) -> Iterator[str]:
    """A line for each way of running: `comfortably: 7B bf16, SDXL fp16`."""
    uses = tuple(found)
    for word, label in LABELS.items():
        names = [_named(one) for one in uses if one.word == word]
        if names:
            yield f"{label}: {', '.join(names)}"


def _named(one: Comfort) -> str:
    if one.word == "not at all":
        return (
            f"{one.use.name} ({gb(one.need_gb)} even at {one.weight_format})"
            if one.use.formats == LADDER
            else one.use.name
        )
    return f"{one.use.name} {one.weight_format}"


def contrary_notes(gpu: Gpu, found: Iterable[Comfort]) -> Iterator[str]:
    """Where a guide says otherwise than we compute."""
    for one in found:
        for said in one.contrary:
            why = f" ({said.note})" if said.note else ""
            yield (
                f"{one.use.name} on {gpu.name}: a guide says {said.said}{why}; computed, it runs {one.word}:"
                f" {gb(one.need_gb, 1)} at {one.weight_format}."
            )

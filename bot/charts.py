"""Bars for the web's chart page: sizes and places of everything that is drawn, so that the template only writes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 640
"""Units of the drawing; it is scaled to the page."""
LABEL_WIDTH: Final = 190
VALUE_WIDTH: Final = 90
ROW_HEIGHT: Final = 28
BAR_HEIGHT: Final = 18
LONGEST_LABEL: Final = 26


@dataclass(frozen=True, slots=True)
class Drawn:
    """One bar: where its texts and its box stand."""

    label: str
    value: str
    text_y: int
    box_x: int
    box_y: int
    box_width: int
    box_height: int
    value_x: int


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart; the figures are in a table beside it, for those who read it otherwise.

    Attributes:
        summary: what it shows, in one sentence, for screen readers.
    """

    id: str
    title: str
    heading: str
    summary: str
    width: int
    height: int
    bars: tuple[Drawn, ...]


def bar_chart(name: str, title: str, heading: str, figures: Sequence[tuple[str, float, str]]) -> Chart:
    """A chart of (label, size, size in words), drawn to the largest.

    Args:
        name: of the chart within its page.
        title: above it.
        heading: what the labels are.
        figures: at least nought each.

    >>> chart = bar_chart("c", "Weeks", "week", [("1", 2.0, "2"), ("2", 1.0, "1")])
    >>> [bar.box_width for bar in chart.bars]
    [360, 180]
    """
    largest = max((size for _, size, _ in figures), default=0.0)
    room = WIDTH - LABEL_WIDTH - VALUE_WIDTH
    bars = tuple(
        _drawn(place, label, words, round(room * size / largest) if largest else 0)
        for place, (label, size, words) in enumerate(figures)
    )
    said = "; ".join(f"{label}: {words}" for label, _, words in figures) or "nothing yet"
    return Chart(name, title, heading, said, WIDTH, ROW_HEIGHT * len(bars), bars)


def _drawn(place: int, label: str, value: str, width: int) -> Drawn:
    top = place * ROW_HEIGHT
    return Drawn(
        label=label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…",
        value=value,
        text_y=top + BAR_HEIGHT - 2,
        box_x=LABEL_WIDTH,
        box_y=top + 2,
        box_width=width,
        box_height=BAR_HEIGHT,
        value_x=LABEL_WIDTH + width + 6,
    )

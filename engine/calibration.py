"""A team's own measured runs sharpen the range of that team's answers.

With three runs or more of one engine the range is that of the team's own residuals; its lower end never falls more
than 10% below the profile's. The need itself stays the profile's: what moved is said, not hidden.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Final

from engine.profiles.load import Load

LEAST_RUNS: Final = 3
MOST_BELOW: Final = 0.10
"""How far below the profile's lower end the team's own may lie."""


def counts(ratios: Sequence[float]) -> bool:
    """Whether these runs are enough to go by.

    >>> counts([1.02, 1.05]), counts([1.02, 1.05, 1.04])
    (False, True)
    """
    return len(ratios) >= LEAST_RUNS


def calibrated(load: Load, ratios: Sequence[float]) -> Load:
    """The load with the range of the team's own runs.

    Args:
        load: by the engine's profile.
        ratios: measured GB over predicted GB of each of the team's runs under this engine.

    Returns:
        The load as it was where the runs are too few.
    """
    if not counts(ratios) or not load.total_gb:
        return load
    low_gb = max(load.low_gb * (1 - MOST_BELOW), min(*ratios, 1.0) * load.total_gb)
    slack_gb = sum(part.gb for part in load.parts if part.name == "slack")
    without_slack = load.total_gb - slack_gb
    return replace(load, low_factor=low_gb / without_slack, high_factor=max(*ratios, 1.0), own_runs=tuple(ratios))


def said(ratios: Sequence[float]) -> str:
    """How far the team's runs were off, in the median.

    >>> said([1.02, 1.05, 1.04])
    '+4%, n = 3'
    """
    return f"{median(ratios) - 1:+.0%}, n = {len(ratios)}"

"""What a run really took beside what was predicted.

The error is the prediction's, of what was measured: (predicted - measured) / measured, so that +10% means that the
need was put 10 % too high. The same sign as in docs/accuracy.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from bot.log.entry import StoredQuery
from bot.wording import gb, gib, rate, rounded


@dataclass(frozen=True, slots=True)
class MeanError:
    """Of several runs, as fractions; `size` is the mean without signs."""

    runs: int
    signed: float
    size: float


def error_of(predicted_gb: float, measured_gb: float) -> float:
    """The error of a prediction as a fraction of what was measured.

    >>> round(error_of(33.0, 30.0), 3)
    0.1
    """
    return (predicted_gb - measured_gb) / measured_gb


def mean_error(runs: Iterable[tuple[float, float]]) -> MeanError | None:
    """The mean over (predicted, measured) GB; None without runs.

    >>> mean_error([(33.0, 30.0), (27.0, 30.0)])
    MeanError(runs=2, signed=0.0, size=0.1)
    """
    errors = [error_of(predicted_gb, measured_gb) for predicted_gb, measured_gb in runs]
    if not errors:
        return None
    return MeanError(len(errors), fmean(errors), fmean(map(abs, errors)))


def percent(fraction: float) -> str:
    """A fraction in percent, with its sign.

    >>> percent(0.104), percent(-0.02), percent(0.0001)
    ('+10%', '-2%', '0%')
    """
    figure = rounded(100 * fraction)
    if figure.strip("-0") == "":
        return "0%"
    return f"{'+' if fraction > 0 else ''}{figure}%"


def error_words(predicted_gb: float, measured_gb: float) -> str:
    """How a prediction and a run compare, for people."""
    error = error_of(predicted_gb, measured_gb)
    size = percent(abs(error)).removeprefix("+")
    if size == "0%":
        return "as measured"
    return f"{size} too {'high' if error > 0 else 'low'}"


def measured_lines(row: StoredQuery) -> tuple[str, ...]:
    return tuple(_lines(row))


def _lines(row: StoredQuery) -> Iterator[str]:
    run = row.measured
    if run is None:
        return
    took = [f"{gb(run.gb, 1)} ({gib(run.gb, 1)})"]
    if run.tokens_per_second is not None:
        took.append(rate(run.tokens_per_second))
    if row.need_gb is not None:
        took.append(f"{gb(row.need_gb, 1)} predicted, {error_words(row.need_gb, run.gb)}")
    yield " · ".join((*took, f"by {run.by_name}, {run.at:%Y-%m-%d}"))
    if run.note:
        yield run.note

"""Figures of the process for Prometheus. They say how much and how fast, never who or what."""

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from bot.log.entry import NewQuery, NotLogged
from bot.log.query_log import QueryLog

BUCKETS_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""From half of a usual card's time to the second in which an answer is promised."""

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST


class Metrics:
    """The figures of one process, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._questions = Counter(
            "vram_questions", "Questions by what they came to", ("outcome", "platform"), registry=self._registry
        )
        self._latency = Histogram(
            "vram_answer_seconds",
            "From the text to the outcome",
            ("platform",),
            buckets=BUCKETS_SECONDS,
            registry=self._registry,
        )
        self._failures = Counter(
            "vram_log_failures", "Questions that could not be stored at once", ("kept",), registry=self._registry
        )
        self._reconnects = Counter(
            "vram_reconnects", "Connections to a platform after the first", ("platform",), registry=self._registry
        )
        self._waiting = Gauge("vram_spool_questions", "Questions that wait for the database", registry=self._registry)
        self._connected: set[str] = set()
        for kept in ("spool", "no"):
            self._failures.labels(kept)

    def asked(self, entry: NewQuery) -> None:
        self._questions.labels(entry.kind, entry.platform).inc()
        self._latency.labels(entry.platform).observe(entry.milliseconds / 1000)

    def not_logged(self, *, lost: bool) -> None:
        self._failures.labels("no" if lost else "spool").inc()

    def connected(self, platform: str) -> None:
        """A platform let us in; the first time is no reconnect."""
        counter = self._reconnects.labels(platform)
        if platform in self._connected:
            counter.inc()
        self._connected.add(platform)

    def watch_spool(self, waiting: Callable[[], int]) -> None:
        self._waiting.set_function(waiting)

    def text(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self._registry)


class MeteredLog(QueryLog):
    """A query log that counts what goes in."""

    metrics: Metrics | None = None

    async def append(self, entry: NewQuery) -> int:
        if self.metrics is not None:
            self.metrics.asked(entry)
        try:
            return await super().append(entry)
        except NotLogged as away:
            if self.metrics is not None:
                self.metrics.not_logged(lost=away.lost)
            raise

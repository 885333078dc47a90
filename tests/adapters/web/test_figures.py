"""`/metrics`: what Prometheus reads."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.metrics import MeteredLog, Metrics
from bot.log.entry import NotLogged
from tests.bot.log.making import a_query


def figures(metrics):
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(metrics.text().decode())
        for sample in family.samples
    }


async def test_questions_are_counted_by_outcome_and_platform(tmp_path):
    metrics = Metrics()
    async with await MeteredLog.open(f"sqlite:///{tmp_path}/log.db", tmp_path / "spool") as log:
        log.metrics = metrics
        for kind, platform in (("answer", "slack"), ("answer", "slack"), ("refusal", "discord")):
            await log.append(a_query(kind=kind, platform=platform, milliseconds=2.0))
    found = figures(metrics)
    assert found["vram_questions_total", (("outcome", "answer"), ("platform", "slack"))] == 2
    assert found["vram_questions_total", (("outcome", "refusal"), ("platform", "discord"))] == 1
    assert found["vram_answer_seconds_count", (("platform", "slack"),)] == 2
    assert found["vram_answer_seconds_bucket", (("le", "0.0025"), ("platform", "slack"))] == 2
    assert found["vram_answer_seconds_bucket", (("le", "0.001"), ("platform", "slack"))] == 0


async def test_failures_and_the_spool_are_counted(tmp_path):
    metrics = Metrics()
    async with await MeteredLog.open("postgresql://127.0.0.1:1/none", tmp_path / "spool") as log:
        log.metrics = metrics
        metrics.watch_spool(log.waiting)
        with pytest.raises(NotLogged):
            await log.append(a_query())
    found = figures(metrics)
    assert found["vram_log_failures_total", (("kept", "spool"),)] == 1
    assert found["vram_log_failures_total", (("kept", "no"),)] == 0
    assert found["vram_spool_questions", ()] == 1


def test_the_first_connection_is_no_reconnect():
    metrics = Metrics()
    for platform in ("slack", "discord", "slack", "slack"):
        metrics.connected(platform)
    found = figures(metrics)
    assert found["vram_reconnects_total", (("platform", "slack"),)] == 2
    assert found["vram_reconnects_total", (("platform", "discord"),)] == 0


def test_no_figure_says_who_or_what(tmp_path):
    metrics = Metrics()
    metrics.asked(a_query(text="secret-project-70b", user_name="Sara", team="blue"))
    said = metrics.text().decode()
    for word in ("secret-project", "Sara", "sara", "blue"):
        assert word not in said

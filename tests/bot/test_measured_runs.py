"""The packaged measured runs: errors, intervals and verdicts stay within the limits that we publish.

The measured values are the sources' own; each row of engine/data/measured_runs.csv names its source.
"""

import pytest

from bot.accuracy import Run, accuracy_card, group, measured_runs, sayable, score, scores, totals, worst
from bot.rendering import Renderer


@pytest.fixture(scope="module")
def found():
    return scores()


def test_every_row_is_answered_and_names_its_source(found):
    assert len(found) == len(measured_runs()) == 443
    assert all(run.source and run.ask for run in measured_runs())
    assert len({run.id for run in measured_runs()}) == 443


@pytest.mark.parametrize(("kind", "limit"), [("all inference", 0.03), ("all training", 0.07)])
def test_median_error(found, kind, limit):
    one = next(total for total in totals(found) if total.name == kind)
    assert one.median_size <= limit
    assert abs(one.median_error) <= 0.02, "neither too high nor too low on the whole"


def test_nine_of_ten_lie_inside_their_interval(found):
    needs = [one for one in sayable(found) if one.run.group.startswith(("inference", "training"))]
    assert group("", needs).inside >= 0.90


def test_no_more_than_one_in_twenty_that_ran_out_of_memory_is_called_a_fit(found):
    one = next(total for total in totals(found) if total.name == "ran out of memory, we say fits")
    assert one.runs == 18
    assert one.wrong / one.runs <= 0.05


def test_no_more_than_one_in_fifty_that_ran_is_called_too_big(found):
    one = next(total for total in totals(found) if total.name == "ran, we say no")
    assert one.runs == 319
    assert one.wrong / one.runs <= 0.02


def test_caches_agree_to_a_thousandth(found):
    caches = [one for one in found if one.run.group == "kv llama.cpp"]
    assert len(caches) == 16
    assert [one.run.id for one in caches if abs(one.error) > 0.001] == []


def test_weights_of_stated_formats_within_one_percent(found):
    weights = [one for one in sayable(found) if one.run.compare == "term:weights" and one.run.settings == "stated"]
    assert len(weights) > 25
    assert group("", weights).median_size <= 0.01


def test_an_error_is_ours_over_measured():
    """8,030,261,248 x 2 bytes against 16.0 GB: +0.4%."""
    run = Run(
        id="X",
        ask="llama-3.1-8b bf16 ctx=2048",
        compare="term:weights",
        value_gb=16.0,
        verdict="",
        without=(),
        group="weights",
        settings="stated",
        note="",
        source="arithmetic",
    )
    assert score(run).error == pytest.approx(8_030_261_248 * 2 / 16e9 - 1)


def test_the_worst_are_shown_with_what_their_source_leaves_open(found):
    errors = [abs(one.error) for one in worst(found)]
    assert len(errors) == 10
    assert errors == sorted(errors, reverse=True)
    assert "outside" not in {one.run.settings for one in worst(found)}


def test_the_table_fits_the_terminal():
    text = "\n".join(Renderer("terminal").parts(accuracy_card()).values())
    assert max(map(len, text.splitlines())) <= 80
    assert "all inference" in text

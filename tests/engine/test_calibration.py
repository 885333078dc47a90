"""A team's own runs narrow the range of its answers; arithmetic written out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.asking import ask, named

QUESTION = named("llama-3.1-8b", "qlora", None, context_tokens=8192).model_copy(update={"engine": "hf"})


def test_five_runs_narrow_the_range_to_their_own():
    """Off by +1% to +7%: from the need itself (the runs never took less) to 1.07 times it."""
    answer = ask(QUESTION, own_runs=(1.01, 1.03, 1.04, 1.05, 1.07))
    plain = ask(QUESTION)
    assert answer.need.total_gb == plain.need.total_gb
    assert answer.need.low_gb == pytest.approx(answer.need.total_gb)
    assert answer.need.high_gb == pytest.approx(1.07 * answer.need.total_gb)
    said = next(one for one in answer.assumptions if one.name == "range")
    assert (said.value, said.why) == ("your runs", "your runs: +4%, n = 5")


def test_two_runs_change_nothing():
    assert ask(QUESTION, own_runs=(1.5, 1.6)) == ask(QUESTION)


def test_never_more_than_a_tenth_below_the_profile():
    plain = ask(QUESTION)
    answer = ask(QUESTION, own_runs=(0.2, 0.3, 0.4))
    assert answer.need.low_gb == pytest.approx(0.9 * plain.need.low_gb)
    assert answer.need.high_gb == pytest.approx(answer.need.total_gb)


def test_the_verdict_follows_the_narrower_range():
    """32.6 GB on an A100 40 GB (42.3 usable): up to 44 by the profile is tight, up to 35 fits."""
    on_a100 = QUESTION.model_copy(update={"sets": named("x", "qlora", None, (1, "a100-40-pcie")).sets})
    assert ask(on_a100).verdicts[0].verdict == "tight"
    assert ask(on_a100, own_runs=(1.0, 1.04, 1.07)).verdicts[0].verdict == "fits"


def test_a_bare_size_keeps_the_guide():
    bare = QUESTION.model_copy(update={"engine": None})
    assert ask(bare, own_runs=(1.1, 1.2, 1.3)) == ask(bare)


@given(st.lists(st.floats(0.3, 3.0), min_size=3, max_size=12))
def test_the_need_stays_inside_its_range(ratios):
    need = ask(QUESTION, own_runs=tuple(ratios)).need
    assert need.low_gb <= need.total_gb * (1 + 1e-9)
    assert need.high_gb >= need.total_gb * (1 - 1e-9)

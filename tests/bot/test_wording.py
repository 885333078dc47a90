from decimal import Decimal

import pytest

from bot.wording import capacity, gib, model_name, rate, rounded, spare, tokens, total_gb, usd, whole_up

NO_BREAK = "\u00a0"


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (21.125, 2, "21.13"),  # sizing guide, rules, "Show"
        (0.5, 0, "1"),
        (1.5, 0, "2"),
        (2.5, 0, "3"),
        (72.5, 0, "73"),
        (0.1 + 0.7, 1, "0.8"),
        (1.0049999, 2, "1.00"),
        (7452.0, 0, "7,452"),
        (Decimal("3643.2"), 0, "3,643"),
        (Decimal("0.005"), 2, "0.01"),
        (-0.5, 0, "-1"),
    ],
)
def test_half_rounds_up(value, places, shown):
    assert rounded(value, places) == shown


@pytest.mark.parametrize(
    ("need_gb", "capacity_gb", "shown"),
    [
        (34.84, 48.0, "35 GB"),
        (39.7, 40.0, "39.7 GB"),
        (40.2, 40.0, "40.2 GB"),
        (39.4, 40.0, "39 GB"),
        (144.7, 24.0, "144.7 GB"),
        (39.7, None, "40 GB"),
    ],
)
def test_a_total_that_reads_as_the_capacity_or_more_shows_a_decimal(need_gb, capacity_gb, shown):
    assert total_gb(need_gb, capacity_gb).replace(NO_BREAK, " ") == shown


@pytest.mark.parametrize(
    ("spare_gb", "shown"), [(13.16, "13 GB to spare"), (1.08, "1.1 GB to spare"), (-0.4, "0.4 GB short")]
)
def test_spare(spare_gb, shown):
    assert spare(spare_gb).replace(NO_BREAK, " ") == shown


def test_money_speed_tokens_and_sizes():
    assert usd(Decimal(240)) == "$240"
    assert usd(Decimal("0.333"), 2) == "$0.33"
    assert usd(Decimal(-50)) == "-$50"
    assert rate(26.77).replace(NO_BREAK, " ") == "27 tokens/s"
    assert rate(2.45).replace(NO_BREAK, " ") == "2.5 tokens/s"
    assert tokens(1).replace(NO_BREAK, " ") == "1 token"
    assert tokens(131072).replace(NO_BREAK, " ") == "131,072 tokens"
    assert capacity(2.5).replace(NO_BREAK, " ") == "2.5 GB"
    assert gib(26.0, 2).replace(NO_BREAK, " ") == "24.21 GiB"  # 26e9 / 2**30
    assert whole_up(14.5) == 15
    assert whole_up(14.000000000000002) == 14


@pytest.mark.parametrize(
    ("model", "shown"), [("13b", "13B"), ("0.5b", "0.5B"), ("8x7b", "8x7B"), ("gone-model", "gone-model")]
)
def test_model_names(model, shown):
    assert model_name(model) == shown

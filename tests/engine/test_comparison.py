"""Sets side by side: sums and ratios of the guide's cards."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import packaged_catalog
from engine.comparison import choice_among, column, fleet, one_of, rented_form, tokens_per_second_a_usd, winners
from engine.gpus import gpu, other_forms
from engine.question import GpuSet
from tests.engine.asking import ask, bare
from tests.engine.conftest import guide_rows

CATALOG = packaged_catalog()


def of(gpu_id, count=1):
    return column(GpuSet(gpu=gpu_id, count=count), CATALOG)


@pytest.mark.parametrize("card", guide_rows("cards.csv"), ids=lambda card: card["gpu"])
def test_ratios_of_each_gpu(card):
    one = one_of(card["gpu"], CATALOG)
    assert one.usd_month == Decimal(card["price_month_usd"])
    assert abs(one.usd_a_gb - Decimal(card["usd_per_gb_month"])) <= Decimal("0.005")
    assert abs(one.gb_s_a_usd - Decimal(card["gb_s_per_usd_month"])) <= Decimal("0.005")
    assert abs(one.usd_hour - Decimal(card["usd_per_gpu_hour"])) <= Decimal("0.005")


def test_a_set_sums_up():
    """Two RTX 5090: 64 GB, 3.58 TB/s, 1,026 a month (sizing guide, economics)."""
    pair = of("rtx-5090", 2)
    assert (pair.memory_gb, pair.bandwidth_gb_s, pair.usd_month) == (64, 3580, Decimal(1026))


def test_a_set_that_is_not_rented_has_no_price_and_says_the_least():
    alone = of("b200-180")
    assert (alone.usd_month, alone.usd_hour, alone.usd_a_gb, alone.gb_s_a_usd) == (None, None, None, None)
    assert alone.least_count == 2
    assert of("h100-nvl-94").least_count is None


def test_the_fleet_is_every_gpu_once():
    assert {one.gpu.id for one in fleet(CATALOG)} == {row["gpu"] for row in guide_rows("cards.csv")}


@pytest.mark.parametrize(
    ("figures", "least", "best"),
    [
        ([1, 2, 3], False, {2}),
        ([1, 2, 1], True, {0, 2}),
        ([5, 5], True, set()),
        ([None, 4], True, {1}),
        ([None, None], True, set()),
        ([7], False, set()),
    ],
)
def test_winners(figures, least, best):
    assert winners(figures, least=least) == best


@given(st.lists(st.one_of(st.none(), st.integers(0, 9)), min_size=2, max_size=6), st.booleans())
def test_no_figure_beats_a_winner(figures, least):
    best = winners(figures, least=least)
    known = [figure for figure in figures if figure is not None]
    for place in best:
        assert all(figures[place] <= other if least else figures[place] >= other for other in known)


def test_choice_among_the_sets_that_hold_it():
    """39.7 GB: not 24; two RTX 5090 are cheaper than the H100, which is faster (96 against 51 tokens/s)."""
    sets = ((1, "rtx-4090"), (2, "rtx-5090"), (1, "h100-sxm-80"))
    answer = ask(bare(70, "infer", "int4", *sets))
    found = choice_among([of(gpu_id, count) for count, gpu_id in sets], answer)
    assert (found.cheapest_fit, found.fastest_fit) == (1, 2)


def test_where_none_holds_it_there_is_no_choice():
    answer = ask(bare(70, "infer", "bf16", (1, "rtx-4090")))
    assert choice_among([of("rtx-4090")], answer).cheapest_fit is None


def test_tokens_a_dollar():
    """95.7 tokens/s for 1690 / 720 an hour: 40.8."""
    verdict = ask(bare(70, "infer", "int4", (1, "h100-sxm-80"))).verdicts[0]
    assert round(tokens_per_second_a_usd(verdict), 1) == Decimal("40.8")
    assert tokens_per_second_a_usd(ask(bare(70, "infer", "int4", (1, "h100-nvl-94"))).verdicts[0]) is None


def test_the_same_gpu_in_another_form():
    """H200: SXM and NVL, both 141 GB; H100 NVL has 94 GB and no twin; an RTX 3060 is no RTX 3080."""
    assert [one.id for one in other_forms(gpu("h200-nvl-141"))] == ["h200-sxm-141"]
    assert other_forms(gpu("h100-nvl-94")) == ()
    assert other_forms(gpu("rtx-3080-12")) == ()
    assert [one.id for one in other_forms(gpu("rtx-pro-6000-ws-96"))] == ["rtx-pro-6000-server-96"]


def test_the_form_that_is_rented():
    """Two A100 SXM: 2 x 990 less 5% = 1,881; the SXM itself has a price and needs no other form."""
    catalog = packaged_catalog()
    pair = rented_form(column(GpuSet(gpu="a100-80-pcie", count=2), catalog), catalog)
    assert (pair.gpu.id, pair.count, pair.usd_month) == ("a100-80-sxm", 2, Decimal(1881))
    assert rented_form(column(GpuSet(gpu="a100-80-sxm"), catalog), catalog) is None
    assert rented_form(column(GpuSet(gpu="a100-40-pcie"), catalog), catalog) is None

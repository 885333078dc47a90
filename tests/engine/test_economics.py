"""Every figure of the guide's economics comes out. Expected values are the guide's own cells."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import economics as money
from engine import packaged_catalog
from engine.billing import bill, shortest_term_usd
from engine.gpus import gpu
from engine.offers import QUANTITY_DISCOUNTS, SHORTEST_TERM_DAYS, Offer
from engine.offload import NODE_HOST_GB
from engine.slices import HALF_GPU_THROUGHPUT, slices_of
from engine.tuning import WITHOUT_CHECKPOINTING_BYTES
from engine.units import HOURS_A_MONTH
from engine.warnings import MOST_CONSUMER_GPUS
from tests.engine.asking import ask, bare
from tests.engine.conftest import guide_rows

USD = st.decimals(Decimal("0.01"), Decimal(100_000), places=2)


def whole(figure):
    return str(Decimal(figure).quantize(Decimal(1), ROUND_HALF_UP))


def offer(gpu_id, count=1):
    return packaged_catalog().offer(gpu_id, count)


def span(low, high):
    return f"{low}-{high}"


def percent(share):
    return whole(100 * Decimal(str(share)))


RENT_4090 = money.hour_price_usd(Decimal(390))
POWER_4090 = money.running_usd_hour(450)
H100 = money.REFERENCE_PRICES["h100"]

FIGURES = {
    "hour_from_month": lambda: str(HOURS_A_MONTH),
    "discount_2": lambda: percent(QUANTITY_DISCOUNTS[2]),
    "discount_4": lambda: percent(QUANTITY_DISCOUNTS[4]),
    "discount_8": lambda: percent(QUANTITY_DISCOUNTS[8]),
    "node_price_8x_a100_sxm": lambda: whole(offer("a100-80-sxm", 8).usd_month),
    "node_price_8x_mi300x": lambda: whole(offer("mi300x-192", 8).usd_month),
    "two_a40": lambda: whole(offer("a40", 2).usd_month),
    "two_rtx_5090": lambda: whole(offer("rtx-5090", 2).usd_month),
    "rent_vs_buy_hours": lambda: str(money.GUIDE_BREAK_EVEN_HOURS),
    "rent_vs_buy_catalog": lambda: whole(money.break_even_hours(Decimal(1700), RENT_4090, POWER_4090)),
    "rent_h100_3500h": lambda: span(whole(3500 * H100.low), whole(3500 * H100.high)),
    "a800_80g_hour": lambda: str(money.REFERENCE_PRICES["a800"].usual),
    "t4_hour": lambda: str(money.REFERENCE_PRICES["t4"].usual),
    "h100_hour_example": lambda: str(H100.usual),
    "hidden_cloud_costs": lambda: span(*(whole(total - 100) for total in money.with_hidden_costs(Decimal(100)))),
    "rtx4090_power": lambda: whole(gpu("rtx-4090").tdp_w),
    "electricity": lambda: str(money.USD_A_KWH),
    "rtx4090_system": lambda: span(*money.MACHINE_USD),
    "weekly_minimum_a5000": lambda: str(shortest_term_usd(offer("rtx-a5000"))[0]),
    "checkpointing_memory": lambda: "50" if saved_by_checkpointing() >= 0.5 else "less",
    "checkpointing_time": lambda: next(
        one.why.split()[2].removesuffix("%") for one in ask(bare(7, "lora")).assumptions if one.name == "checkpointing"
    ),
    "peft_saving": lambda: span(*money.PEFT_SAVING),
    "mfu_pretraining": lambda: span(*map(percent, money.PRETRAINING_UTILISATION)),
    "mig_h100": lambda: str(slices_of(gpu("h100-sxm-80"))[0].instances),
    "fraction_half_gpu": lambda: percent(HALF_GPU_THROUGHPUT),
    "break_even_rule": lambda: "purchase/hourly",  # the formula: test_break_even_is_the_inverse
    "job_rule": lambda: "price*hours",  # the formula: test_twice_the_price_at_three_times_the_speed_is_cheaper
    "min_term": lambda: str(SHORTEST_TERM_DAYS),
    "week_a5000": lambda: str(bill(offer("rtx-a5000"), Decimal(100)).usd_total),
    "node_host_memory": lambda: whole(NODE_HOST_GB),
    "consumer_rig": lambda: span(MOST_CONSUMER_GPUS, 8),
}


def saved_by_checkpointing():
    """Share of the activations of a step that checkpointing saves: it keeps 2 bytes where 34 more stood."""
    return WITHOUT_CHECKPOINTING_BYTES / (WITHOUT_CHECKPOINTING_BYTES + 2)


def test_economics(economics_row):
    assert Decimal_or_text(FIGURES[economics_row["topic"]]()) == Decimal_or_text(economics_row["figure"])


def Decimal_or_text(figure):  # noqa: N802 - reads as what it is
    try:
        return Decimal(figure)
    except ArithmeticError:
        return figure


def test_every_figure_of_the_guide_is_tested():
    assert set(FIGURES) == {row["topic"] for row in guide_rows("economics.csv")}


def test_power_of_a_4090():
    """450 W at 0.12: 0.054 an hour, 0.054 x 8760 = 473 a year."""
    assert Decimal("0.054") == POWER_4090
    assert whole(POWER_4090 * money.HOURS_A_YEAR) == "473"


def test_hours_that_a_sum_buys():
    """3000 / 0.40 = 7500, 10000 / 3 = 3333."""
    assert whole(money.hours_for(Decimal(3000), money.REFERENCE_PRICES["t4"].usual)) == "7500"
    assert whole(money.hours_for(Decimal(10_000), H100.usual)) == "3333"


def test_3500_hours_are_146_days():
    assert whole(Decimal(money.GUIDE_BREAK_EVEN_HOURS) / 24) == "146"


def test_two_5090_in_sum():
    pair = 2 * gpu("rtx-5090").memory_gb, 2 * gpu("rtx-5090").bandwidth_gb_s
    assert pair == (64, 3580)


def test_a_machine_comes_to_about_1500_a_year():
    """3000 over three years and 473 of power are 1473 a year."""
    owned = money.owned_usd(Decimal(1700), POWER_4090, Decimal(3 * money.HOURS_A_YEAR))
    assert whole((owned.machine.low + owned.power) / 3) == "1473"


def test_never_below_a_weeks_price():
    """An A40 at 240 a month: a week of it is 240 x 168 / 720 = 56; an A5000's week is stated, 55."""
    assert bill(offer("a40"), Decimal(10)).usd_total == 56
    assert not bill(offer("a40"), Decimal(10)).least_is_stated
    assert bill(offer("rtx-a5000"), Decimal(10)).usd_total == 55
    assert bill(offer("a40"), Decimal(720)).usd_total == 240


def test_other_providers_rent_by_the_hour():
    by_the_hour = offer("a40").model_copy(update={"provider": "other", "shortest_term_days": 0})
    assert bill(by_the_hour, Decimal(3)).usd_total == 1
    assert isinstance(by_the_hour, Offer)


def test_peft_saves_what_the_guides_say_at_13b():
    """239 GB against 33: 7 times."""
    full, lora = (ask(bare(13, workload)).need.total_gb for workload in ("full", "lora"))
    assert money.PEFT_SAVING[0] <= full / lora <= money.PEFT_SAVING[1]


def test_twice_the_price_at_three_times_the_speed_is_cheaper():
    """2 x 30 / 3 = 20 against 30."""
    slow, fast = money.job_usd(Decimal(1), Decimal(30)), money.job_usd(Decimal(2), Decimal(30), Decimal(3))
    assert (slow, fast) == (30, 20)


def test_tokens_at_a_share_of_the_ceiling():
    """0.36 an hour and 100 tokens/s: 360,000 tokens for 0.36; at 0.6 of it 0.36 / 0.216 = 1.67 a million."""
    assert money.usd_a_million_tokens(Decimal("0.36"), 100.0) == 1
    assert round(money.usd_a_million_tokens(Decimal("0.36"), 100.0, money.CEILING_SHARE), 2) == Decimal("1.67")


@given(USD, USD, USD)
def test_break_even_is_the_inverse(purchase, rent, running):
    hours = money.break_even_hours(purchase, rent, running)
    if rent <= running:
        assert hours is None
        return
    assert hours * (rent - running) == pytest.approx(purchase)


@given(USD, USD, st.integers(1, 10_000))
def test_a_cheaper_set_never_costs_more_for_the_same_hours(one, other, hours):
    cheap, dear = (offer("a40").model_copy(update={"usd_month": price}) for price in sorted((one, other)))
    assert bill(cheap, Decimal(hours)).usd_total <= bill(dear, Decimal(hours)).usd_total


@given(USD, st.integers(1, 10_000), st.integers(1, 10_000))
def test_more_hours_never_cost_less(price, fewer, more):
    one = offer("a40").model_copy(update={"usd_month": price})
    assert bill(one, Decimal(fewer)).usd_total <= bill(one, Decimal(fewer + more)).usd_total


@given(USD, st.decimals(0, Decimal("0.9"), places=2))
def test_idle_time_never_makes_an_hour_cheaper(price, idle):
    assert money.used_hour_usd(price, idle) >= price

"""`cost`: the guide's economics on real questions, the arithmetic beside each figure."""

import pytest

from engine.catalog_files import market_catalog
from engine.errors import ConflictingWords, EmptyQuestion, ImpossibleValue, UnknownWord
from tests.bot.market.asking import ask, rows, shown


def flat(text):
    return " ".join(shown(text).split())


def test_rent_against_buying_a_4090():
    """200 x 390 / 720 = 108.33; 1700 / (390 / 720 - 0.054) = 3486; the guides' 3,500."""
    text = flat("cost 13b qlora hours=200 buy=1700 4090")
    for known in (
        "$390 a month ($0.54 an hour)",
        "200 hours: $108.33",
        "$119 to $130 for that",  # 10 and 20% on top
        "450 W at full load: $0.054 an hour, $473 a year",
        "$1,700: even after 3,486 hours of use",
        "the guides say about 3,500",
        "Assumed: 0.12 dollars a kWh",
        "US dollars",
        "Hybrid: develop on a GPU of your own and rent for the full runs.",
    ):
        assert known in text
    row = rows("cost 13b qlora hours=200 buy=1700 4090")[0]
    assert row["break_even_hours"] == pytest.approx(3485.99, abs=0.01)
    assert (row["usd_total"], row["currency"]) == (108.33, "USD")


def test_three_years():
    """26,280 h x 0.5417 = 14,235; 1,700 + 26,280 x 0.054 = 3,119; with a machine of 3,000 to 4,000."""
    assert "rented $14,235, owned $3,119 with power, $6,119 to $7,119 with a machine around it" in flat(
        "cost 4090 buy=1700"
    )


def test_never_below_a_weeks_price():
    """An A5000's week is stated, 55; an A40's is 240 x 168 / 720 = 56."""
    assert "50 hours: $55.00, a week's price at gpu-rent-hub (the hours alone $13.19)" in flat("cost a5000 hours=50")
    assert "50 hours: $56.00" in flat("cost a40 hours=50")
    assert "reckoned from the month" in flat("cost a40 hours=50")


def test_tokens_at_the_ceiling_and_at_a_share_of_it():
    """696 / 35 = 19.886 tokens/s; 0.3333 / (19.886 x 3,600) x 10^6 = 4.66; at 0.6 of it 7.76."""
    text = flat("cost 10M tokens 70b int4")
    assert "$4.66 a million at the ceiling, 20 tokens/s of one stream" in text
    assert "$7.76 a million at 60% of it" in text
    assert "10 million tokens: $77.60 in 232.8 hours" in text
    assert "0.6 of the ceiling (share=... changes it)" in text
    assert "$9.31 a million at 50%" in flat("cost 10M tokens 70b int4 share=0.5")


def test_m_tokens_are_a_million_and_no_context():
    assert rows("cost 10M tokens 70b int4")[0]["tokens"] == 10_000_000
    assert rows("cost 250k tokens 70b int4")[0]["tokens"] == 250_000
    assert rows("cost 1.5B tokens 70b int4")[0]["tokens"] == 1.5e9


def test_many_streams_share_the_weights():
    """34 GB of weights and 8 x 2.01 GB of cache (guide, kv) read for 8 tokens: 8 x 864 / 50.1 = 138 tokens/s."""
    assert "138 tokens/s over 8 streams" in flat("cost 34b fp8 users=8 2xl40s")


def test_idle_time_egress_and_another_price_of_power():
    """0.5417 / 0.7 = 0.774; 1700 / (0.5417 - 0.135) = 4,180."""
    text = flat("cost 4090 buy=1700 idle=30% egress=20 kwh=0.30")
    assert "30% of the time: an hour of use costs $0.77" in text
    assert "$410.00 with the rent" in text
    assert "4,180 hours" in text


def test_spot_and_reserved_prices_stand_apart():
    """A100 80 GB PCIe at Azure and Hyperstack: 0.679 on spot, 0.95 reserved, 1.19 at RunPod on demand."""
    hours = {
        kind: rows(f"cost a100-80-pcie {kind}", catalog=market_catalog())[0]["usd_hour"]
        for kind in ("", "spot", "reserved")
    }
    assert hours == pytest.approx({"": 1.19, "spot": 0.67877, "reserved": 0.95})
    text = " ".join(shown("cost a100-80-pcie spot", catalog=market_catalog()).split())
    assert "Rent spot, $489 a month ($0.68 an hour), azure, 2026-09-06" in text


def test_months():
    assert "2,160 hours: $720.00" in flat("cost a40 months=3")


def test_renting_that_costs_less_than_power_never_breaks_even():
    assert "never cheaper than renting" in flat("cost a40 buy=5000 kwh=5")


def test_without_a_gpu_the_pick_is_costed():
    assert rows("cost 13b lora")[0]["gpu"] == "a40"


def test_one_gpu_is_not_called_the_cheapest_of_all_sets():
    # two A40 hold it for $456 a month; one A100 SXM costs $990
    assert "A100 SXM 80 GB: the cheapest single GPU that holds it" in flat("cost gpt-oss-120b")


def test_a_budget_that_nothing_keeps_is_said():
    assert "nothing in gpu-rent-hub holds it within $100 a month" in flat("cost 70b lora budget=100/mo")


def test_every_reading_of_a_gpu_is_costed():
    assert [row["gpu"] for row in rows("cost 70b int4 h100")] == ["h100-pcie-80", "h100-sxm-80", "h100-nvl-94"]
    assert "no price" in shown("cost 70b int4 h100")


def test_a_set_that_does_not_hold_it_is_said():
    assert "it does not fit, 16 GB short" in flat("cost 70b int4 4090")


def test_an_open_question_keeps_its_options_when_asked_back():
    asks = [choice.ask for choice in ask("cost 13b finetune hours 200 buy 1700 4090").outcome.choices]
    assert asks[1] == "cost hours=200 buy=1700 rtx-4090 13b qlora"
    assert ask(asks[1]).kind == "list"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("cost", EmptyQuestion),
        ("cost hours=20", EmptyQuestion),
        ("cost int4 4090", UnknownWord),
        ("cost 4090 hours=0", ImpossibleValue),
        ("cost 4090 hours=-3", ImpossibleValue),
        ("cost 4090 hours=1e99", ImpossibleValue),
        ("cost 4090 idle=100%", ImpossibleValue),
        ("cost 4090 share=0", ImpossibleValue),
        ("cost 4090 kwh=120", ImpossibleValue),
        ("cost 4090 buy=lots", ImpossibleValue),
        ("cost 4090 hours=5 months=2", ConflictingWords),
        ("cost 4090 hours=5 hours=6", ConflictingWords),
        ("cost 4090 spot reserved", ConflictingWords),
        ("cost 13b qlora bu=1700", UnknownWord),
    ],
)
def test_what_cannot_be_costed_is_refused(text, error):
    with pytest.raises(error):
        ask(text)


def test_at_most_eighty_columns():
    for text in ("cost 13b qlora hours=50 buy=1700 4090", "cost 10M tokens 70b int4 h100", "cost 405b full"):
        assert max(map(len, shown(text).splitlines())) <= 80


def test_of_a_set_without_a_price_the_form_that_is_rented_is_said():
    """Four H100 SXM: 4 x 1,690 less 8% = 6,219.20."""
    assert "rents it; rented as A100 SXM, $990 a month" in " ".join(shown("cost a100-80").split())
    said = " ".join(shown("cost 4xh100-pcie").split())
    assert "rented are sets of 1, 2; rented as 4 × H100 SXM, $6,219 a month" in said

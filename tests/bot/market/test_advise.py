"""`advise`: each row of the guide is found by its own words, and computed."""

import csv
from pathlib import Path

import pytest

from engine.advice import advised, for_budget, workloads
from engine.errors import EmptyQuestion, UnknownWord
from tests.bot.market.asking import ask, rows, shown

with (Path(__file__).parents[2] / "guide" / "workloads.csv").open(encoding="utf-8", newline="") as lines:
    GUIDE = list(csv.DictReader(lines))


def flat(text):
    return " ".join(shown(text).split())


def test_every_row_of_the_guide_is_there_as_it_stands():
    ours = [(row.who_or_what, row.card, row.because) for row in workloads()]
    assert ours == [(row["who_or_what"], row["card"], row["because"]) for row in GUIDE]


@pytest.mark.parametrize("row", GUIDE, ids=lambda row: row["who_or_what"])
def test_a_row_is_found_by_its_own_words_and_computed(row):
    found = rows(f"advise {row['who_or_what'].replace(';', ',')}")
    assert (found[0]["who_or_what"], found[0]["guide"]) == (row["who_or_what"], row["card"])
    assert found[0]["computed"]
    assert all(one["need_gb"] > 0 for one in found[0]["computed"])
    assert row["card"] in flat(f"advise {row['who_or_what'].replace(';', ',')}")


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("platform team, many tenants", "H100"),
        ('"platform team, many tenants"', "H100"),
        ("many tenants", "H100"),
        ("batch overnight", "RTX 4090"),
        ("LoRA on 13B", "RTX 4090 or A100 40GB"),
        ("learning at home course", "RTX A5000"),
        ("a student", "RTX 4090"),
        ("70B at bf16 on one card", "MI300X"),
        ("long context for 70b", "H200 SXM"),
        ("cheapest 70b int4", "A40"),
        ("high-throughput api", "H100"),
        ("serving 34b in production", "L40S"),
        ("fastest card under 600", "RTX 5090"),
        ("startup", "RTX 4090 then H100"),
        ("occasional experiments", "rent"),
        ("steady training", "buy"),
    ],
)
def test_what_people_ask(text, card):
    assert rows(f"advise {text}")[0]["guide"] == card


def test_lora_of_13b_says_that_the_guides_differ():
    """33.0 GB: no RTX 4090, two of them (48 GB), or the A40 at 240."""
    text = flat("advise LoRA on 13B")
    assert "13b lora needs 33 GB; RTX 4090 too big, 2 × RTX 4090 fits; A100 PCIe fits; cheapest A40, $240" in text
    assert "The guides differ" in text


def test_tenants_share_one_gpu():
    """7B at int4 is 6.6 GB: seven slices of 10 GB of an H100, 1690 / 7 = 241 a month each; 80 / 6.6 = 12 without."""
    text = flat("advise many tenants")
    assert "7 of 7b int4 (6.6 GB) in MIG slices 1g.10gb, $241 a month each; 12 side by side" in text
    assert "half a GPU keeps 77% of the throughput" in text


def test_an_h100_for_a_7b_is_mostly_idle():
    """17.1 of 80 GB; 1690 / 190 = 8.9."""
    assert "21% of its memory at 8.9 times the price of RTX A5000" in flat("advise H100 for a 7b")


@pytest.mark.parametrize(
    ("usd", "row"),
    [
        ("2000", "budget up to 3000 USD"),
        ("$3,000", "budget up to 3000 USD"),
        ("budget 5000", "budget 3000-10000 USD"),
        ("10k", "budget 3000-10000 USD"),
        ("25000 usd", "budget above 10000 USD"),
    ],
)
def test_a_budget(usd, row):
    assert rows(f"advise {usd}")[0]["who_or_what"] == row


def test_what_a_budget_buys():
    """3000 / 0.40 = 7500; 10000 / 3 = 3333; 2000 / 190 = 10.5."""
    assert "7,500 hours of T4 at $0.40" in flat("advise 3000")
    assert "3,333 hours of H100 at $3.00" in flat("advise 10000")
    assert "RTX A5000 24 GB 10.5 months" in flat("advise 2000")


def test_rent_or_buy_says_when_it_is_even():
    assert "3,486 hours of use (the guides: about 3,500, once)" in flat("advise occasional use")


def test_a_text_without_a_row_but_with_a_model_is_sized():
    assert "13b qlora needs 14 GB" in flat("advise 13b qlora ctx=2048").replace(" ctx=2048", "")


@pytest.mark.parametrize(("text", "error"), [("advise", EmptyQuestion), ("advise xyzzy", UnknownWord)])
def test_what_nobody_can_advise_on_is_refused(text, error):
    with pytest.raises(error):
        ask(text)


def test_a_slip_is_refused_with_the_nearest_word():
    with pytest.raises(UnknownWord) as refused:
        ask("advise tennants")
    assert "tenant" in refused.value.near


def test_rows_by_budget_and_by_words_are_the_same_rows():
    assert for_budget(2000) in workloads()
    assert advised("nothing of this is known zzz") == ()


def test_at_most_eighty_columns():
    for row in GUIDE:
        assert max(map(len, shown(f"advise {row['who_or_what'].replace(';', ',')}").splitlines())) <= 80

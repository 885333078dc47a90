"""`advise`: each row of the guide is found by its own words, and computed."""

import csv
import re
from pathlib import Path

import pytest

from bot.refusals import problem
from engine.advice import advised, for_budget, workloads
from engine.errors import ConflictingWords, EmptyQuestion, EngineError, ImpossibleValue, QuestionTooLong, UnknownWord
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
        ("more than 10000 usd", "budget above 10000 USD"),
        ("100/mo", "budget up to 3000 USD"),
        ("5/hr", "budget 3000-10000 USD"),  # 5 x 720 = 3,600 a month
    ],
)
def test_a_budget(usd, row):
    assert rows(f"advise {usd}")[0]["who_or_what"] == row


def test_what_a_budget_buys():
    """3000 / 0.40 = 7500; 10000 / 3 = 3333; 2000 / 190 = 10.5."""
    assert "7,500 hours of T4 at $0.40" in flat("advise 3000")
    assert "3,333 hours of H100 at $3.00" in flat("advise 10000")
    assert "RTX A5000 24 GB 10.5 months" in flat("advise 2000")


def test_an_amount_a_month_alone_says_what_is_rented_for_it():
    """The guides' cheapest GPU costs 190 a month; the A40 240. 100 / 0.40 = 250 hours of a T4."""
    text = flat("advise 100/mo")
    assert "nothing in gpu-rent-hub costs so little: the cheapest is RTX A5000 24 GB, $190 a month" in text
    assert "250 hours of T4 at $0.40" in text
    assert "an amount a month is read as the sum of one month" in text
    assert "RTX A5000 24 GB $190 a month, A40 48 GB $240 a month" in flat("advise 250/mo")
    assert "RTX 5090" not in flat("advise 250/mo")  # 540 a month


@pytest.mark.parametrize(
    "text",
    ["13b full 500/mo", "full tuning of 13b budget=500/mo", "under 500 a month full tuning", "full tuning 0.7/hr"],
)
def test_a_budget_beside_a_task_limits_what_is_picked(text):
    """Full tuning of 13B takes four A100 SXM, 990 x 4 less 8% = 3,643 a month."""
    said = flat(f"advise {text}")
    assert "13b full needs 239 GB" in said
    assert "; beyond that 4 × A100 SXM, $3,643" in said
    assert "cheapest 4 × A100" not in said
    assert "A100 SXM 80 GB $990 a month, over the budget" in said


def test_a_budget_beside_a_task_leaves_what_costs_less():
    """13B LoRA: the A40 at 240; 70B at int4 takes it too, so that 200 are too few."""
    assert "13b lora needs 33 GB; RTX 4090 too big, 2 × RTX 4090 fits; A100 PCIe fits; cheapest A40, $240" in flat(
        "advise 13b lora budget=500/mo"
    )
    assert "nothing in gpu-rent-hub holds it within $200 a month; beyond that A40, $240" in flat(
        "advise 70b int4 under 200 a month"
    )


def test_a_sum_beside_a_task_says_how_long_it_lasts():
    """2000 / 240 = 8.3 months of the A40; the budget's own row stands beside the task's."""
    assert "cheapest A40, $240 (8.3 months)" in flat("advise LoRA on 13B 2000 usd")
    found = [row["who_or_what"] for row in rows("advise LoRA on 13B 2000 usd")]
    assert found == ["LoRA on 7B-13B", "budget up to 3000 USD"]


def test_the_fastest_for_another_price_than_the_guides():
    """Of those up to 400 a month: RTX 4090, 390, 1,010 GB/s."""
    assert "Fastest RTX 4090 24 GB, 1,010 GB/s, of those up to $400" in flat("advise fastest card under 400")


def test_a_budget_is_in_the_json():
    row = rows("advise fine-tuning 500/mo")[0]
    assert (row["budget_usd"], row["budget_period"]) == (500.0, "month")
    assert (rows("advise 2000")[0]["budget_period"], rows("advise startup")[0]["budget_usd"]) == ("sum", None)


def test_fine_tuning_may_be_lora_or_all_the_weights():
    for text in ("fine-tuning 500/mo", "fine tuning 500/mo", "finetune 500/mo"):
        found = [row["who_or_what"] for row in rows(f"advise {text}")]
        assert found == ["LoRA on 7B-13B", "full tuning; mid-size training"]


def test_sets_that_are_named_are_what_is_computed():
    """33.0 GB of 48."""
    assert "13b lora needs 33 GB; 2 × RTX 3090 fits; cheapest A40, $240" in flat("advise 13b lora on 2x3090")


def test_words_whose_row_is_not_shown_are_said():
    assert "Not in these rows: tenants; ask apart: advise tenants." in flat("advise student overnight tenants")


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("student bananas", "bananas"),
        ("13b lora xyzzy", "xyzzy"),
        ("please many tenants", "please"),
        ("startup fp8", "fp8"),
        ("fine-tuning 2000", "2000"),
        ("startup 10k", "10k"),
        ("a40", "a40"),
        ("6000", "6000"),  # an RTX, or money
    ],
)
def test_a_word_that_counts_nowhere_is_refused_by_name(text, given):
    with pytest.raises(UnknownWord) as refused:
        ask(f"advise {text}")
    assert refused.value.given == given


def test_of_a_sentence_only_filler_is_dropped():
    assert rows("advise please what should we get for many tenants?", mention=True)[0]["guide"] == "H100"
    with pytest.raises(UnknownWord) as refused:
        ask("advise what should Priya get for many tenants", mention=True)
    assert refused.value.given == "Priya"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("-500", ImpossibleValue),
        ("0 usd", ImpossibleValue),
        ("500/week", ImpossibleValue),
        ("over 500/mo", ImpossibleValue),
        ("999999999999", ImpossibleValue),
        ("00/mo", ImpossibleValue),  # a shell has eaten $5
        ("€500", ImpossibleValue),
        ("500/mo startup 600/mo", ConflictingWords),
        ("many tenants " * 50, QuestionTooLong),
    ],
)
def test_a_budget_that_is_none_is_refused(text, error):
    with pytest.raises(error):
        ask(f"advise {text}")


@pytest.mark.parametrize("text", ["", "the", "a40", "6000", "xyzzy", "fine-tuning 2000", "-5", "startup int8"])
def test_a_refusal_is_whole_sentences(text):
    with pytest.raises(EngineError) as refused:
        ask(f"advise {text}")
    said = problem(refused.value).text
    for sentence in re.split(r"(?<=[.?]) (?=[^a-z])", said):
        assert sentence[0] == '"' or sentence[0].isupper()
    assert said.endswith((".", "?"))
    assert not re.search(r"[.?] [a-z]", said)


def test_many_readings_are_asked_back_with_what_stands_beside_them():
    reply = ask("advise llama-3.1 finetune tenants 500/mo 2x3090")
    assert reply.kind == "choice"
    assert all(choice.ask.startswith("advise tenants 500/mo 2xrtx-3090 llama-3.1-") for choice in reply.outcome.choices)
    assert all(ask(choice.ask).kind == "list" for choice in reply.outcome.choices)


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

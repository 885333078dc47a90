"""`compare`: figures of the guide's cards and arithmetic on them."""

import re

import pytest

from bot.refusals import problem
from engine.errors import EmptyQuestion, ImpossibleValue, UnknownWord
from tests.bot.market.asking import ask, rows, shown


def cells(text, label):
    """The cells of a row."""
    line = next(line for line in text.splitlines() if line.startswith(label))
    return re.split(r"\s{2,}", line.removeprefix(label).strip())


def conclusion(text):
    return " ".join(re.search(r"So +(.*?)\nNotes", text, re.DOTALL)[1].split())


def test_two_sets_with_a_question():
    """39.7 GB; 2,000 / 35 = 57 tokens/s; 24 GB are too few."""
    text = shown("compare h100-pcie 4090 70b int4")
    assert cells(text, "Memory") == ["80 GB*", "24 GB"]
    assert cells(text, "A month") == ["$1,490", "$390*"]
    assert cells(text, "Verdict") == ["fits", "too big"]
    assert cells(text, "Spare") == ["40.3 GB*", "-15.7 GB"]
    assert cells(text, "Tokens/s  ") == ["57*", "-"]
    assert conclusion(text) == "H100 PCIe for this: the only one that holds it, $1,490 a month, 40.3 GB to spare."


def test_a_set_against_a_single_gpu():
    """64 GB and 3.58 TB/s in sum for 1,026 against 80 GB and 3.35 TB/s for 1,690 (sizing guide, economics)."""
    text = shown("compare 2x5090 h100-sxm 70b int4")
    assert cells(text, "Memory") == ["64 GB", "80 GB*"]
    assert cells(text, "Bandwidth") == ["3,580 GB/s*", "3,350 GB/s"]
    assert cells(text, "A month") == ["$1,026*", "$1,690"]
    assert cells(text, "Tokens/s  ") == ["51", "96*"]  # 1,790 / 35 by layer split, 3,350 / 35
    assert cells(text, "in parallel") == ["102*", "96"]
    assert cells(text, "Tokens/s/$/h") == ["35.9", "40.8*"]  # 51.14 / 1.425, 95.71 / 2.347
    assert "2 × RTX 5090 for this: the cheapest that holds it" in conclusion(text)
    assert "1.9 times the tokens/s for 1.6 times the price" in conclusion(text)


def test_without_a_question_what_runs_on_each():
    text = shown("compare h100-sxm 4090")
    assert cells(text, "7B  ") == ["bf16", "bf16"]
    assert cells(text, "13B") == ["bf16", "tight, fp8"]
    assert cells(text, "70B") == ["fp8", "no"]
    assert cells(text, "7B, 32 users") == ["bf16", "no"]
    assert "RTX 4090 while the work fits in 24 GB, $390 a month" in conclusion(text)
    assert "3.3 times the memory" in conclusion(text)  # 80 / 24
    assert "up to 7 MIG slices" in conclusion(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "compare 4090 a40",
            "A40: the most memory and the lowest price, $240 a month; RTX 4090 for speed: 1.5 times the",
        ),
        ("compare 2x3090 a40", "A40: as much memory as any and the lowest price, $240 a month; 2 × RTX 3090 for speed"),
        (
            "compare l4 a40 h200",
            "A40 while the work fits in 48 GB, $240 a month; H200 SXM past that: 2.9 times the memory",
        ),
        ("compare 24gb 48gb", "GPU of 48 GB: the most memory."),
    ],
)
def test_which_for_what(text, said):
    assert conclusion(shown(text)).startswith(said)


def test_where_a_guide_says_otherwise_the_answer_says_so():
    text = " ".join(shown("compare a100-40gb 4090").split())
    assert "70B on A100 PCIe: a guide says suitable when quantised (39.7 GB of 40); computed, it runs tightly" in text


def test_every_reading_of_a_name_is_a_column():
    assert [row["gpu"] for row in rows("compare h100 4090")] == [
        "h100-pcie-80",
        "h100-sxm-80",
        "h100-nvl-94",
        "rtx-4090",
    ]


def test_by_finished_job_and_not_by_the_hour():
    """100 h x 1.375 = 137.50 on the A100; 100 / 2 h x 2.347 = 117.36 on the H100 that is twice as fast."""
    text = shown("compare a100-80-sxm h100-sxm speed=2x hours=100")
    assert cells(text, "Job, hours") == ["100.0", "50.0"]
    assert cells(text, "Job, cost") == ["$137.50", "$117.36*"]
    assert conclusion(text).startswith("By finished job: H100 SXM 80 GB, $117.36 against $137.50")


def test_a_speed_counts_for_every_reading_of_its_name():
    assert [row["speed"] for row in rows("compare h100 4090 speed=3x")] == [1, 1, 1, 3]


def test_speeds_of_three_sets():
    found = rows("compare a40 4090 h100-sxm speed=1,2,4")
    assert [row["speed"] for row in found] == [1, 2, 4]


def test_the_hours_that_nobody_said_are_an_assumption():
    assert "Assumed: the job takes 100 hours" in " ".join(shown("compare a40 4090 speed=2x").split())


def test_an_open_question_is_asked_back_with_the_command_before_each_reading():
    reply = ask("compare a40 4090 13b finetune")
    assert reply.kind == "choice"
    asks = [choice.ask for choice in reply.outcome.choices]
    assert asks == [f"compare a40 rtx-4090 13b {way}" for way in ("lora", "qlora", "full")]
    assert all(ask(text).kind == "list" for text in asks)
    with_speed = ask("compare a40 4090 13b finetune speed=2x hours=50").outcome.choices[0].ask
    assert with_speed == "compare speed=2x hours=50 a40 rtx-4090 13b lora"


def test_when_none_holds_it_the_answer_names_what_does():
    assert conclusion(shown("compare 3090 4090 70b bf16")) == (
        "None of them holds 144.7 GB: MI300X does, $1,590 a month."
    )


def test_json_has_a_row_a_set_with_its_verdict():
    row = rows("compare 2x5090 h100-sxm 70b int4")[0]
    assert (row["count"], row["usd_month"], row["verdict"]["verdict"]) == (2, 1026.0, "fits")
    assert row["need_gb"] == pytest.approx(39.684, abs=0.01)


def test_a_set_that_nobody_rents_says_why():
    assert cells(shown("compare b200 h200"), "A month")[0] == "2 at least"
    assert cells(shown("compare h100-nvl h200"), "A month")[0] == "no price"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("compare", EmptyQuestion),
        ("compare h200", EmptyQuestion),
        ("compare h200 4090 int4", UnknownWord),
        ("compare h200 4090 speed=1,2,3", ImpossibleValue),
        ("compare h200 4090 speed=0x", ImpossibleValue),
        ("compare h200 4090 speed=fast", ImpossibleValue),
        ("compare 3090 4090 5090 a40 l4 l40s t4 a10 a30", ImpossibleValue),
    ],
)
def test_what_cannot_be_compared_is_refused(text, error):
    with pytest.raises(error):
        ask(text)


@pytest.mark.parametrize("text", ["compare", "compare h200", "compare h200 4090 int4"])
def test_a_refusal_is_whole_sentences(text):
    with pytest.raises((EmptyQuestion, UnknownWord)) as refused:
        ask(text)
    assert re.fullmatch(r'(["A-Z][^.?]*\. )+[A-Z][^?]*[.?]', problem(refused.value).text)


def test_gpus_of_one_name_are_told_apart_by_their_memory():
    """The A100 PCIe was sold with 40 and with 80 GB."""
    title = shown("compare a100 h100").split("\n  ")[0]
    assert " ".join(title.split()) == (
        "A100 PCIe 40 GB against A100 PCIe 80 GB against A100 SXM 80 GB against H100 PCIe against H100 SXM"
        " against H100 NVL"
    )
    assert "…" not in shown("compare a100 h100")
    heading = shown("compare a100 h100").split("Memory")[0].splitlines()[-2:]
    assert [line.split() for line in heading] == [
        ["A100", "PCIe", "A100", "PCIe", "A100", "SXM"],
        ["40", "GB", "80", "GB", "80", "GB", "H100", "PCIe"],
    ]
    assert shown("compare a100 h100", platform="discord").count(r"**A100 PCIe 40 GB \| A100 PCIe 80 GB \|") == 1


def test_a_long_name_is_not_cut():
    assert "…" not in shown("compare 8xa100-80-sxm 2xrtx-pro-6000-ws-96 70b int4")


def test_of_a_set_without_a_price_the_form_that_is_rented_is_said():
    """A100 SXM 80 GB: 990 a month; two of them 5% less."""
    said = " ".join(shown("compare a100-80 h100-sxm").split())
    assert "A100 PCIe 80 GB has no price here; it is rented as A100 SXM, $990 a month." in said
    assert "rented as 2 × A100 SXM, $1,881 a month" in " ".join(shown("compare 2xa100-80 h100-sxm").split())
    assert "rented as" not in shown("compare a100 h100")  # the A100 SXM is a column itself
    assert "rented as" not in shown("compare h100-nvl 4090")  # of 94 GB there is no other form


def test_at_most_eighty_columns():
    for text in ("compare h100 4090", "compare 8xa100-80-sxm 8xmi300x 70b full", "compare 3090 4090 5090 a40 l4 l40s"):
        assert max(map(len, shown(text).splitlines())) <= 80

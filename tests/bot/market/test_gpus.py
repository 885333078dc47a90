"""`gpus`: the table of the guide (cards.csv), its winners, and one GPU with everything known."""

import csv
import re
from pathlib import Path

import pytest

from engine.catalog_files import read_catalog
from engine.catalog_rows import Source
from engine.errors import UnknownGpu, UnknownWord
from tests.bot.market.asking import ask, rows, shown
from tests.fakes import FixedClock

GUIDE = Path(__file__).parents[2] / "guide"
TODAY = FixedClock().now().date()


def guide(name):
    with (GUIDE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("card", guide("cards.csv"), ids=lambda card: card["gpu"])
def test_every_figure_of_the_guides_table(card):
    line = next(line for line in shown("gpus").splitlines() if line.startswith(f"{card['card']} "))
    cells = re.sub(r"[*$,]", "", line.removeprefix(card["card"])).split()
    memory, bandwidth, fp8, *_, month, hour, usd_gb, ratio = cells
    assert (memory, bandwidth, fp8) == (card["memory_gb"], card["bandwidth_gb_s"], card["fp8"])
    assert (month, hour) == (card["price_month_usd"], card["usd_per_gpu_hour"])
    assert (usd_gb, ratio) == (card["usd_per_gb_month"], card["gb_s_per_usd_month"])


@pytest.mark.parametrize(
    ("by", "name", "cell"),
    [
        ("gb-per-dollar", "A40", "$5.00*"),
        ("usd-per-gb", "A40", "$5.00*"),
        ("bandwidth-per-dollar", "RTX 3090", "4.07*"),
        ("gb/s per $", "RTX 3090", "4.07*"),
        ("memory", "MI300X", "192*"),
        ("bandwidth", "B200", "8,000*"),
        ("price", "RTX A5000", "$190*"),
        ("hour", "RTX A5000", "$0.26*"),
        ("link", "B200", "NVLink"),
        ("name", "A100 SXM", "$990"),
    ],
)
def test_sorted_by_any_column_with_its_winner_first(by, name, cell):
    first = shown(f"gpus by:{by}").splitlines()[2]
    assert first.startswith(name)
    assert cell in first


def test_each_column_has_one_winner():
    marks = re.findall(r"(\S+)\*", shown("gpus").split("One GPU each")[0])
    assert sorted(marks) == sorted(["192", "8,000", "$190", "$0.26", "$5.00", "4.07"])


def test_the_smallest_order_is_said():
    assert "Smallest order: B200 2." in shown("gpus")


def test_the_table_as_json_lines():
    first = rows("gpus by:gb-per-dollar")[0]
    assert (first["rank"], first["gpu"], first["usd_month"], first["usd_per_gb_month"]) == (1, "a40", 240.0, 5.0)
    assert first["currency"] == "USD"
    assert len(rows("gpus")) == 15


def test_one_gpu_with_what_it_is_costs_and_holds():
    text = shown("gpus a40")
    for known in (
        "48 GB GDDR6",
        "the driver reports 48.3 GB",  # 46,068 MiB
        "696 GB/s, no FP8 hardware",
        "an NVLink bridge, 112 GB/s: pairs only",
        "$240 a month ($0.33 an hour)",
        "$5.00 a GB and month, 2.90 GB/s a dollar",
        "1 for $240, 2 for $456, 4 for $883, 8 for $1,728",  # 5, 8 and 10% off
        "13B bf16, 34B int8, 70B int4 (at 8k of context)",  # 34.7, 38.1 and 39.7 GB
        "$0.036 an hour",  # 300 W at 0.12
        "sizing guide",
    ):
        assert known in text.replace("\n          ", " ")


def test_mig_slices_of_one_gpu():
    assert "7 × 1g.10gb" in shown("gpus h100-sxm")


def test_several_readings_are_columns_and_no_choice():
    reply = ask("gpus h100")
    assert reply.kind == "list"
    assert [row["gpu"] for row in reply.rows] == ["h100-pcie-80", "h100-sxm-80", "h100-nvl-94"]


def test_of_a_name_that_is_not_rented_the_rented_form_stands_beside_it():
    assert [row["gpu"] for row in rows("gpus a100")] == ["a100-40-pcie", "a100-80-pcie", "a100-80-sxm"]


def test_of_a_gpu_without_a_price_the_form_that_is_rented_is_said():
    assert "nobody in gpu-rent-hub rents it; rented as A100 SXM, $990 a month" in shown("gpus a100-80")
    assert "rented as" not in shown("gpus a100-80-sxm")


def test_another_gpu_of_the_same_memory_is_no_form_of_it():
    """RTX 3060 and 3080 are both sold with 12 GB."""
    lines = ("provider,gpu,count,price,unit,date", "x,rtx-3060-12,1,0.2,hour,2026-11-20")
    catalog = read_catalog(Source("mine", "", TODAY), lines).catalog
    assert [row["gpu"] for row in rows("gpus 3080", catalog=catalog)] == ["rtx-3080-10", "rtx-3080-12"]


def test_a_set_counts_for_all_its_gpus():
    text = shown("gpus 2xa40")
    assert text.splitlines()[0] == "2 × A40 48 GB"
    assert "34B bf16" in text  # 71.9 of 96 GB


def test_a_missing_price_stands_last_with_its_label():
    header = "provider,gpu,count,price,unit,date"
    lines = (header, "x,mi300x-192,1,,hour,2026-11-20", "x,a40,1,0.5,hour,2026-11-20")
    catalog = read_catalog(Source("mine", "", TODAY), lines).catalog
    table = shown("gpus by:memory", catalog=catalog).splitlines()
    assert table[2].startswith("MI300X")
    assert "no price" in table[2]
    assert shown("gpus", catalog=catalog).splitlines()[3].startswith("MI300X")


def test_old_prices_are_said_but_not_those_of_gpu_rent_hub():
    header = "provider,gpu,count,price,unit,date"
    lines = (header, "x,l4,1,0.5,hour,2026-10-30", "x,a40,1,0.5,hour,2026-10-31")  # 31 and 30 days before 2026-11-30
    catalog = read_catalog(Source("mine", "", TODAY), lines).catalog
    said = "Prices older than 30 days, to be looked up again: L4 2026-10-30."
    for text in ("gpus", "gpus l4", "compare l4 a40", "cost l4"):
        assert said in " ".join(shown(text, catalog=catalog).split())
        assert "older than" not in shown(text)


@pytest.mark.parametrize(
    ("text", "error", "near"), [("gpus by:memry", UnknownWord, "by:memory"), ("gpus a4o", UnknownGpu, "a40")]
)
def test_unknown_words_are_refused_with_the_nearest(text, error, near):
    with pytest.raises(error) as refused:
        ask(text)
    assert near in refused.value.near


@pytest.mark.parametrize("text", ["gpus 70b", "gpus a40 int4"])
def test_a_question_is_no_gpu(text):
    with pytest.raises(UnknownWord):
        ask(text)

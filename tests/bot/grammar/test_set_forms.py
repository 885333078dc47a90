"""Every form of sets, budgets and other limits that the language of questions lists."""

from decimal import Decimal

import pytest

from engine.question import GpuSet
from tests.bot.grammar.reading_lines import only


@pytest.mark.parametrize(
    ("words", "gpu", "count"),
    [
        ("2x3090", "rtx-3090", 2),
        ("2 x 3090", "rtx-3090", 2),
        ("2× 3090", "rtx-3090", 2),
        ("2*3090", "rtx-3090", 2),
        ("3090x2", "rtx-3090", 2),
        ("3090 x2", "rtx-3090", 2),
        ("4 4090s", "rtx-4090", 4),
        ("4x RTX 4090", "rtx-4090", 4),
        ("two 4090s", "rtx-4090", 2),
        ("a100-40gb x4", "a100-40-pcie", 4),
        ("on h100 nvl", "h100-nvl-94", 1),
        ("8xA100-80", "a100-80-pcie", 8),
        ("8xA100 80g", "a100-80-pcie", 8),
        ("eight 80g a100s", "a100-80-pcie", 8),
        ("a100 80gb pcie", "a100-80-pcie", 1),
        ("24gb", "24gb", 1),
        ("24 gb", "24gb", 1),
        ("24 gigs", "24gb", 1),
        ("80g", "80gb", 1),
        ("2x24gb", "24gb", 2),
        ("2x24", "24gb", 2),
        ("two 24gb cards", "24gb", 2),
        ("rtx 4060 ti 16gb", "rtx-4060-ti-16", 1),
        ("8gb 4060 ti", "rtx-4060-ti-8", 1),
        ("24 gig 3090ti", "rtx-3090-ti", 1),
        ("dual 3090", "rtx-3090", 2),
        ("pair of 3090s", "rtx-3090", 2),
        ("a pair of 3090s", "rtx-3090", 2),
        ("a single 4090", "rtx-4090", 1),
        ("six T4s", "t4", 6),
        ("NVIDIA GeForce RTX 3090", "rtx-3090", 1),
        ("7900 xtx", "rx-7900-xtx", 1),
        ("7900xtx", "rx-7900-xtx", 1),
        ("8xmi300x", "mi300x-192", 8),
        ("rtx pro 5000", "rtx-pro-5000-48", 1),
        ("6000 ada", "rtx-6000-ada", 1),
        ("a6000", "rtx-a6000", 1),
        ("l40s", "l40s", 1),
        ("two sparks", "dgx-spark-128", 2),
        ("m3 max", "m3-max-128", 1),
        ("g5.12xlarge", "a10g", 4),
        ("p4d.24xlarge", "a100-40-sxm", 8),
        ("a2-highgpu-1g", "a100-40-sxm", 1),
        ("2x g5.12xlarge", "a10g", 8),
        ("t4 15gb", "t4", 1),
        ("gpu=3090", "rtx-3090", 1),
        ("@ 4090", "rtx-4090", 1),
        ("a100:80", "a100-80-pcie", 1),
        ("2 nodes of 8xh200", "h200-sxm-141", 16),
        ("two 8xh200 nodes", "h200-sxm-141", 16),
        ("8xh200 nodes", "h200-sxm-141", 8),
        ("two h200 nodes 16 gpus", "h200-sxm-141", 16),
        ("gpus=2x3090", "rtx-3090", 2),
        ("h100 mig 1g.20gb", "20gb", 1),
        ("3g.40gb", "40gb", 1),
    ],
)
def test_forms_of_a_set(words, gpu, count):
    assert only(f"13b {words}").sets == (GpuSet(gpu=gpu, count=count),)


def test_a_gpu_keeps_its_count_when_it_is_said_apart():
    assert only("13b t4 8 gpus").sets == (GpuSet(gpu="t4", count=8),)


def test_several_sets_are_alternatives_and_the_same_one_counts_once():
    sets = only("13b 2x3090 or 4090 vs 24gb 2x3090").sets
    assert [(one.gpu, one.count) for one in sets] == [("rtx-3090", 2), ("rtx-4090", 1), ("24gb", 1)]
    assert [one.gpu for one in only("7b a100 40 or 80").sets] == ["a100-40-pcie", "a100-80-pcie"]


def test_memory_of_the_host_is_no_gpu():
    assert [one.gpu for one in only("r1 32b 8x4090 256g ram").sets] == ["rtx-4090"]


@pytest.mark.parametrize(
    ("words", "usd_month", "usd_hour"),
    [
        ("budget=500/mo", "500", None),
        ("budget=$500/mo", "500", None),
        ("$500/mo", "500", None),
        ("under 2/hr", None, "2"),
        ("under $2/hr", None, "2"),
        ("under $2.50/h", None, "2.5"),
        ("budget 500/month", "500", None),
        ("less than 3 dollars an hour", None, "3"),
        ("under 500 bucks a month", "500", None),
        ("budget=1.5k/mo", "1500", None),
        ("at most 2 usd per hour", None, "2"),
    ],
)
def test_forms_of_a_budget(words, usd_month, usd_hour):
    limits = only(f"7b {words}").limits
    assert limits.usd_month == (Decimal(usd_month) if usd_month else None)
    assert limits.usd_hour == (Decimal(usd_hour) if usd_hour else None)


def test_other_limits_and_manners():
    assert only("7b cuda").limits.cuda
    assert only("7b max-gpus=2").limits.max_gpus == 2
    assert only("7b gpus<=2").limits.max_gpus == 2
    assert only("7b max 2 gpus").limits.max_gpus == 2
    assert only("7b provider=runpod").limits.provider == "runpod"
    assert only("7b private").private
    assert only("7b lora 16 hours").limits.term_hours == Decimal(16)
    assert only("7b lora term=3d").limits.term_hours == Decimal(72)
    assert only("7b lora 16 hours").asked_hours
    assert only("7b lora hours/cost").asked_hours
    assert not only("7b lora cost").asked_hours

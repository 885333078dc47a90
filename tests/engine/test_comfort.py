"""What runs on which GPU, and where the guides say otherwise; the largest model in each format; slices; throughput."""

import pytest

from engine.comfort import USES, comfort_on, comforts, need_gb, said_by_the_guides
from engine.fit import fit_of
from engine.gpus import all_gpus, gpu
from engine.job import job_of
from engine.largest import largest_in, largest_models
from engine.slices import sharing_of, slices_of
from engine.throughput import streams_per_second
from tests.engine.asking import bare
from tests.engine.conftest import guide_rows

BY_ID = {use.id: use for use in USES}


@pytest.mark.parametrize(
    ("gpu_id", "use", "word", "fmt"),
    [
        ("rtx-4090", "7b", "comfortably", "bf16"),  # 17.1 of 24
        ("rtx-4090", "13b", "tightly", "fp8"),  # 34.7 at bf16, 21.7 at fp8
        ("rtx-4090", "70b", "not at all", "int4"),  # 39.7 even at int4
        ("rtx-4090", "sdxl", "comfortably", "fp16"),
        ("rtx-4090", "users", "not at all", "int4"),  # 34 GB of cache alone
        ("h100-sxm-80", "13b", "comfortably", "bf16"),
        ("h100-sxm-80", "70b", "comfortably", "fp8"),  # 74.7 of 80
        ("h100-sxm-80", "users", "comfortably", "bf16"),
        ("a100-40-pcie", "13b", "comfortably", "bf16"),  # 34.7 of 40
        ("a100-40-pcie", "70b", "tightly", "int4"),  # 39.7 of 40
        ("a100-80-sxm", "70b", "comfortably", "int8"),  # no FP8 hardware
    ],
)
def test_how_a_use_runs(gpu_id, use, word, fmt):
    found = comfort_on(BY_ID[use], gpu(gpu_id))
    assert (found.word, found.weight_format) == (word, fmt)


def test_where_the_guides_differ_from_what_is_computed():
    """Only these: the guides call 13B on 24 GB 'comfortable' once and 'tight' once, and 39.7 of 40 GB 'suitable'."""
    differing = {
        (one.id, found.use.id, said.said) for one in all_gpus() for found in comforts(one) for said in found.contrary
    }
    assert differing == {
        ("rtx-4090", "13b", "comfortable"),
        ("a100-40-pcie", "70b", "suitable when quantised"),
        ("a100-40-sxm", "70b", "suitable when quantised"),
    }


def test_every_row_of_the_guides_about_one_gpu_is_among_ours():
    theirs = {(row["source"], row["gpu"]) for row in guide_rows("comfort.csv") if row["memory_gb"]}
    ours = {one.source for one in said_by_the_guides()}
    assert {source for source, _ in theirs} == ours
    assert len([one for one in said_by_the_guides() if one.source == "H100 against 4090"]) == len(
        [row for row in guide_rows("comfort.csv") if row["source"] == "H100 against 4090"]
    )


@pytest.mark.parametrize("row", guide_rows("inference.csv"), ids=lambda row: row["size"])
def test_a_use_takes_what_the_guide_says(row):
    use = BY_ID.get(row["size"].lower())
    if use is not None:
        assert round(need_gb(use, "bf16")) == int(row["bf16_gb"])


@pytest.mark.parametrize(
    ("gpu_id", "sizes"),
    [
        ("a40", {"bf16": 13, "int8": 34, "int4": 70}),
        ("h100-sxm-80", {"bf16": 34, "fp8": 70, "int8": 70, "int4": 70}),
        ("mi300x-192", {"bf16": 70, "fp8": 70, "int8": 70, "int4": 70}),
        ("l4", {"bf16": 7, "fp8": 13, "int8": 13, "int4": 34}),
    ],
)
def test_the_largest_typical_model_in_each_format(gpu_id, sizes):
    """At 8k: 7B 17/10/7, 13B 35/22/15, 34B 72/38/21, 70B 145/75/40 GB (sizing guide, inference)."""
    assert {one.weight_format: one.params_b for one in largest_models(gpu(gpu_id))} == sizes


def test_a_gpu_too_small_for_any_says_none():
    assert largest_in("bf16", gpu("12gb")).params_b is None


@pytest.mark.parametrize("one", [one for one in all_gpus() if one.mig_max], ids=lambda one: one.id)
def test_slices_share_out_one_gpu(one):
    found = slices_of(one)
    assert all(each.instances * each.memory_gb <= one.memory_gb + 1e-9 for each in found)
    assert found[-1].memory_gb == one.memory_gb
    assert found[0].instances == one.mig_max


@pytest.mark.parametrize(
    ("gpu_id", "names"),
    [
        ("a100-40-pcie", ["1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"]),
        ("a100-80-sxm", ["1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]),
        ("h200-sxm-141", ["1g.18gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"]),
        ("a30", ["1g.6gb", "2g.12gb", "4g.24gb"]),
    ],
)
def test_slices_have_nvidias_names(gpu_id, names):
    assert [each.name for each in slices_of(gpu(gpu_id))] == names


def test_a_model_of_8_gb_shares_an_h100_seven_times():
    """Phi-4-mini takes about 8 GB (sizing guide, economics): a slice of 10 GB each; ten side by side."""
    sharing = sharing_of(8.0, gpu("h100-sxm-80"))
    assert (sharing.isolated.instances, sharing.isolated.name, sharing.side_by_side) == (7, "1g.10gb", 10)


def test_a_gpu_without_mig_has_processes_alone():
    assert sharing_of(8.0, gpu("rtx-4090")).isolated is None
    assert slices_of(gpu("rtx-4090")) == ()
    assert sharing_of(60.0, gpu("h100-sxm-80")).isolated is None


def test_one_stream_is_the_ceiling_and_more_streams_are_more_in_all_and_less_each():
    job, _ = job_of(bare(70, "infer", "int4"))
    streams = [streams_per_second(job, gpu("a40"), count) for count in (1, 2, 8, 64)]
    assert streams[0] == pytest.approx(696 / 35)
    assert streams == sorted(streams)
    assert streams[3] / 64 < streams[0]
    assert streams_per_second(job, gpu("24gb"), 1) is None


@pytest.mark.parametrize("use", USES, ids=lambda use: use.id)
def test_more_memory_never_runs_worse(use):
    words = ["not at all", "tightly", "comfortably"]
    rank = [words.index(comfort_on(use, gpu(f"{size}gb")).word) for size in (8, 12, 24, 32, 48, 80, 96, 141, 192)]
    formats = [comfort_on(use, gpu(f"{size}gb")) for size in (24, 48, 80, 192)]
    assert fit_of(formats[-1].need_gb, 192, 1).verdict == "fits"
    assert rank[-1] == 2
    assert rank[0] <= rank[-1]

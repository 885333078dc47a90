"""Written names of GPUs and what they come to."""

import pytest

from engine.errors import CatalogError
from engine.formats import kv_words, weight_words
from engine.gpus import find, gpu, machine, slower_taken
from engine.offers import Offer
from engine.tables import checked, rows
from tests.engine.asking import ask, bare


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("3090", ["rtx-3090"]),
        ("RTX 3090", ["rtx-3090"]),
        ("rtx3090", ["rtx-3090"]),
        ("NVIDIA GeForce RTX 3090", ["rtx-3090"]),
        ("3090 24gb", ["rtx-3090"]),
        ("3090ti", ["rtx-3090-ti"]),
        ("a100", ["a100-40-pcie", "a100-80-pcie"]),
        ("a100-40gb", ["a100-40-pcie"]),
        ("A100-80", ["a100-80-pcie"]),
        ("a100 80gb sxm", ["a100-80-sxm"]),
        ("A100-SXM4-80GB", ["a100-80-sxm"]),
        ("a100-80-pcie", ["a100-80-pcie"]),
        ("h100", ["h100-pcie-80", "h100-sxm-80", "h100-nvl-94"]),
        ("h100 sxm", ["h100-sxm-80"]),
        ("h100-nvl", ["h100-nvl-94"]),
        ("h100-80", ["h100-pcie-80"]),
        ("3080", ["rtx-3080-10", "rtx-3080-12"]),
        ("3080 12gb", ["rtx-3080-12"]),
        ("4060 ti", ["rtx-4060-ti-16", "rtx-4060-ti-8"]),
        ("4060ti 16gb", ["rtx-4060-ti-16"]),
        ("a6000", ["rtx-a6000"]),
        ("6000 ada", ["rtx-6000-ada"]),
        ("mi300x", ["mi300x-192"]),
        ("v100 32gb", ["v100-32"]),
        ("h200", ["h200-sxm-141"]),
        ("T4", ["t4"]),
        ("4090 48gb", []),
        ("2080ti 22gb", []),
        ("", []),
        ("titan", []),
    ],
)
def test_written_names(written, ids):
    assert [one.id for one in find(written)] == ids


def test_the_slower_of_two_bandwidths_is_taken_and_the_other_known():
    """A100 80 GB: PCIe 1,935 GB/s, SXM 2,040."""
    assert [one.id for one in slower_taken("a100 80gb")] == ["a100-80-sxm"]
    assert slower_taken("a100-80-pcie") == ()


@pytest.mark.parametrize(
    ("name", "gpu_id", "count"),
    [
        ("g5.12xlarge", "a10g", 4),
        ("p4d.24xlarge", "a100-40-sxm", 8),
        ("a2-highgpu-1g", "a100-40-sxm", 1),
        ("g4dn.12xlarge", "t4", 4),
        ("p3.2xlarge", "v100-16", 1),
        ("Standard_NC24ads_A100_v4", "a100-80-pcie", 1),
    ],
)
def test_cloud_machines(name, gpu_id, count):
    found = machine(name)
    assert (found.gpu, found.count) == (gpu_id, count)


def test_a_nameless_gpu_has_no_bandwidth():
    nameless = gpu("24gb")
    assert (nameless.memory_gb, nameless.driver_gb, nameless.bandwidth_gb_s) == (24.0, 24.0, None)
    with pytest.raises(KeyError):
        gpu("nonesuch")


def test_what_the_driver_reports():
    """24,576 MiB = 25.77 GB; an ECC GPU of 48 GB shows 46,068 MiB = 48.31 GB."""
    assert gpu("rtx-3090").driver_gb == pytest.approx(25.769803776)
    assert gpu("a40").driver_gb == pytest.approx(48.305799168)


@pytest.mark.parametrize(
    ("word", "name"),
    [("4bit", "int4"), ("q4", "q4_k_m"), ("f16", "fp16"), ("bnb", "nf4"), ("8bit", "int8"), ("q8", "q8_0")],
)
def test_format_words(word, name):
    assert weight_words()[word] == name


def test_kv_words():
    assert (kv_words()["q8"], kv_words()["bf16"], kv_words()["8bit"]) == ("q8_0", "fp16", "fp8")


def test_a_bad_row_is_refused_with_file_line_and_reason():
    lines = ["gpu,count,usd_month,provider,priced_on", "a40,1,240,hub,2026-09-01", "a40,one,240,hub,2026-09-01"]
    read = list(rows(lines, "prices.csv"))
    assert checked(Offer, read[0][1], read[0][0]).count == 1
    with pytest.raises(CatalogError) as refused:
        checked(Offer, read[1][1], read[1][0])
    assert refused.value.given == "prices.csv:3"
    assert "count" in refused.value.reason
    assert "'one'" in refused.value.reason


def test_a_row_with_a_missing_cell_is_refused():
    with pytest.raises(CatalogError) as refused:
        list(rows(["gpu,count", "a40"], "prices.csv"))
    assert refused.value.given == "prices.csv:2"


def test_a_mac_keeps_a_quarter_of_its_memory():
    """145 GB at bf16 go into 192, but macOS gives the GPU 144 by itself (iogpu.wired_limit_mb)."""
    answer = ask(bare(70, "infer", None, (1, "m2-ultra-192")))
    assert answer.verdicts[0].verdict == "tight"
    assert any("144 GB" in one.value for one in answer.assumptions)
    assert ask(bare(13, "infer", None, (1, "m2-ultra-192"))).verdicts[0].verdict == "fits"

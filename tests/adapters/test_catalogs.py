"""VRAM_CATALOG and `vram catalog` in a process of their own: plain sentences, never a traceback."""

import json
from pathlib import Path

import pytest

from adapters.catalogs import FilesOnDisk, provider_of
from engine.errors import CatalogError

HEADER = "provider,gpu,count,price,unit,date\n"


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text(f"{HEADER}x,a11,1,1,hour,2026-09-20\nx,a40,0,1,hour,2026-09-20\n", encoding="utf-8")
    return path


def test_another_catalog_is_asked_and_the_pick_says_whose(vram):
    """The cheapest single GPU with 33 GB in market-2026 is RunPod's A40 at 0.44 an hour: 317 a month."""
    done = vram("13b", "lora", VRAM_CATALOG="market-2026")
    assert done.returncode == 0
    assert "A40 48 GB at runpod, $317 a month ($0.44 an hour)" in " ".join(done.stdout.split())
    assert "the price is of 2026-08-19: look it up again" in done.stdout


def test_a_file_of_ones_own(vram, tmp_path):
    path = tmp_path / "ours.csv"
    path.write_text(f"{HEADER}our-cluster,a100-80-sxm,1,100,month,2026-11-01\n", encoding="utf-8")
    done = vram("13b", "lora", VRAM_CATALOG=f"gpu-rent-hub, {path}")
    assert "A100 SXM 80 GB at our-cluster, $100 a month" in " ".join(done.stdout.split())


def test_a_broken_catalog_stops_every_question_with_a_sentence(vram, broken):
    done = vram("13b", "lora", VRAM_CATALOG=str(broken))
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 2: gpu: no GPU has this name, given 'a11', and 1 more." in done.stderr
    assert "vram catalog check" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["/nowhere/offers.csv", "/"])
def test_a_catalog_that_cannot_be_read(vram, name):
    done = vram("13b", VRAM_CATALOG=name)
    assert done.returncode == 1
    assert "cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_catalog_can_be_checked_while_it_is_set(vram, broken):
    done = vram("catalog", "check", str(broken), VRAM_CATALOG=str(broken))
    assert done.returncode == 1
    assert "2 of 2 lines cannot be used" in done.stdout
    lines = vram("--json", "catalog", "check", str(broken)).stdout.splitlines()
    assert [json.loads(line)["line"] for line in lines] == [2, 3]


def test_bytes_that_are_no_text_are_bad_lines(tmp_path):
    path = tmp_path / "bytes.csv"
    path.write_bytes(HEADER.encode() + b"\xff\xfe,\xffa40,1,1,hour,2026-09-20\n")
    with FilesOnDisk().opened(str(path)) as opened:
        assert opened.source.provider == "bytes"
        assert len(list(opened.lines)) == 2


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(CatalogError), FilesOnDisk().opened(str(tmp_path)):
        pass


def test_lines_are_watched_on_their_way(tmp_path):
    path = tmp_path / "offers.csv"
    path.write_text(HEADER, encoding="utf-8")
    seen = []

    def watch(lines, name, size):
        seen.append((name, size))
        return lines

    with FilesOnDisk(watch).opened(str(path)) as opened:
        assert list(opened.lines) == [HEADER]
    assert seen == [("offers.csv", len(HEADER))]


def test_whose_a_file_is():
    assert provider_of(Path("v8/lambda/vms.csv")) == "lambda"
    assert provider_of(Path("runpod.csv")) == "runpod"

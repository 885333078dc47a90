"""`vram export` and `vram prune`, as commands in processes of their own."""

import csv
import io
import json
import os
import pty
import subprocess
import sys
import termios

import pytest

from tests.conftest import environment


@pytest.fixture
def asked(vram):
    vram("13b", "lora", "ctx=4k")
    vram("70b", "int4")
    vram("pin", "1", "=cmd()")
    return vram


def test_export_is_csv_that_reads_back(asked):
    done = asked("export")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert (done.returncode, done.stderr) == (0, "")
    assert [(row["id"], row["text"]) for row in rows] == [("2", "70b int4"), ("1", "13b lora ctx=4k")]
    assert rows[1]["decision_note"] == "'=cmd()"


def test_export_is_json_lines_with_filters(asked):
    rows = [json.loads(line) for line in asked("export", "--format", "jsonl", "decided:yes").stdout.splitlines()]
    assert [row["id"] for row in rows] == [1]
    assert rows[0]["decision"]["note"] == "=cmd()"


def test_export_says_what_is_wrong(asked):
    for arguments, said in ((("--format=xml",), "csv and jsonl"), (("modle:x",), "model:"), (("--format",), "csv")):
        done = asked("export", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_another_team_exports_nothing_of_it(asked):
    assert len(asked("export", VRAM_TEAM="another").stdout.splitlines()) == 1  # the header


def test_a_database_that_is_away_is_said(vram):
    done = vram("export", VRAM_DATABASE_URL="postgresql://127.0.0.1:1/x")
    assert done.returncode == 1
    assert done.stderr.startswith("The log cannot be read: ")


def test_export_shows_a_bar_to_who_looks_and_only_rows_to_the_file(asked, tmp_path):
    looking, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    with (tmp_path / "out.jsonl").open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "adapters.app", "export", "--format", "jsonl"],
            env=environment(tmp_path),
            cwd=tmp_path,
            stdout=out,
            stderr=terminal,
            timeout=120,
            check=False,
        )
    os.set_blocking(looking, False)
    shown = os.read(looking, 65536).decode()
    os.close(terminal)
    os.close(looking)
    assert done.returncode == 0
    assert "rows" in shown
    assert len([json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]) == 2


def test_export_stops_quietly_when_nobody_reads_any_more(asked, tmp_path):
    command = f"{sys.executable} -m adapters.app export | true"
    done = subprocess.run(
        ["sh", "-c", command], env=environment(tmp_path), cwd=tmp_path, capture_output=True, timeout=120, check=False
    )
    assert done.stderr == b""


def test_prune_needs_a_number_of_days_and_keeps_what_is_young(asked):
    refused = asked("prune")
    assert (refused.returncode, "VRAM_LOG_DAYS is not set" in refused.stderr) == (2, True)
    done = asked("prune", VRAM_LOG_DAYS="30")
    assert (done.returncode, done.stdout) == (0, "0 questions older than 30 days deleted. Decisions are kept.\n")


def test_pages_are_named_where_they_are_served(asked):
    assert "Page" not in asked("log").stdout
    shown = asked("log", "13b", VRAM_WEB="on", VRAM_SECRET="of the tests", VRAM_WEB_URL="https://vram.example.org")
    assert "Page      https://vram.example.org/log/" in shown.stdout
    assert "of the tests" not in shown.stdout

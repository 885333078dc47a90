"""The command as people and scripts use it: a process of its own."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from bot.schema import answer_schema
from tests.conftest import environment

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
}
GOLDEN = Path(__file__).parents[1] / "templates" / "golden" / "terminal" / "answer.txt"
CARD = GOLDEN.read_text(encoding="utf-8")


def test_sample_question_gives_the_card_to_the_letter_and_its_number(vram):
    done = vram("13b", "lora", "ctx=4k")
    assert done.stdout == f"{CARD}Logged    #1\n"
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize(
    "words",
    [
        ("13b lora ctx=4k",),
        ("“13b” lora ctx＝4k",),
        ("“13b”", "lora", "ctx＝4k"),
        ("13b", "lora", "—ctx", "4k"),
        ("13B", "LoRA", "4k", "--plain"),
    ],
)
def test_however_it_is_typed_it_is_the_same_card(vram, words):
    assert vram(*words).stdout.startswith(CARD)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("70b", "int4"), 0),
        (("13b", "lroa"), 2),
        (("ctx=4k",), 2),
        (("13b", "ctx=-1"), 2),
        (("13b", "-4k"), 2),
        (("13b", "ctx=0"), 2),
        (("--no-such-thing", "13b"), 2),
        (("nonsense",), 2),
        (("13b", "finetune"), 3),
        (("show", "99"), 2),
        (("help",), 0),
        (("log",), 0),
        (("--help",), 0),
        ((), 0),
    ],
)
def test_exit_statuses(vram, words, status):
    done = vram(*words)
    assert done.returncode == status
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\t",
        "--",
        "-",
        "💥",
        "'; drop table queries; --",
        "a" * 600,
        "\x1b[31m13b",
        "跑70b要几G显存",
        "13b\nlora",
        "%s%n{}",
    ],
)
def test_odd_input_is_answered_or_refused_plainly(vram, text):
    done = vram(text)
    assert done.returncode in {0, 2, 3}
    assert "Traceback" not in done.stdout + done.stderr
    assert "\x1b" not in done.stdout


def test_bytes_that_are_no_utf_8_are_refused_plainly(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "adapters.app", b"13b \xff\xfe"],
        env=environment(tmp_path),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_json_of_each_kind_obeys_the_schema_and_carries_the_number(vram):
    validator = jsonschema.Draft202012Validator(answer_schema())
    for number, (text, kind, status) in enumerate(
        (("13b lora ctx=4k", "answer", 0), ("nonsense", "refusal", 2), ("13b finetune", "choice", 3)), 1
    ):
        done = vram("--json", text)
        document = json.loads(done.stdout)
        validator.validate(document)
        assert (document["kind"], document["log"], done.returncode) == (kind, {"id": number}, status)
    answer = json.loads(vram("13b lora ctx=4k", "--json").stdout)
    assert answer["need"]["total_gb"] == pytest.approx(34.8, abs=0.05)
    assert (answer["pick"]["gpu"], answer["pick"]["usd_month"]) == ("a40", 240.0)


def test_log_and_show(vram):
    vram("13b lora ctx=4k")
    vram("13b lroa")
    listed = vram("log")
    assert "#2" in listed.stdout
    assert "#1" in listed.stdout
    rows = [json.loads(line) for line in vram("log", "--json").stdout.splitlines()]
    assert [(row["id"], row["text"], row["kind"]) for row in rows] == [
        (2, "13b lroa", "refusal"),
        (1, "13b lora ctx=4k", "answer"),
    ]
    assert [row["id"] for row in map(json.loads, vram("--json", "log lroa").stdout.splitlines())] == [2]
    assert CARD in vram("show", "1").stdout
    assert "Arithmetic" in vram("--arithmetic", "show", "#1").stdout
    assert json.loads(vram("show 1", "--json").stdout)["log"] == {"id": 1}


def test_arithmetic(vram):
    shown = vram("--arithmetic", "70b fp8 ctx=32k").stdout
    assert "70.00 GB     65.19 GiB" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_version_is_that_of_the_distribution(vram):
    pyproject = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    version = vram("--version").stdout.removeprefix("vram ").strip()
    assert f'version = "{version}"' in pyproject


def test_config_file(vram, tmp_path):
    folder = tmp_path / "my-model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    done = vram("--config", str(folder / "config.json"), "bf16", "ctx=8k")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("my-model · inference · bf16 · 8,192 tokens")
    missing = vram("--config", "no-such-file.json", "bf16")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)
    assert "no-such-file.json" in missing.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_config_file_in_any_encoding_of_json(vram, tmp_path, encoding):
    file = tmp_path / "own.json"
    file.write_text(json.dumps(LLAMA), encoding=encoding)
    assert vram("--config", str(file)).stdout.startswith("own · inference")


@pytest.mark.parametrize(
    ("named", "reason"),
    [("nope.json", "No such file"), (".", "Is a directory"), ("large.json", "larger than 1 MB"), ("", "names no file")],
)
def test_a_config_that_cannot_be_read_is_refused_also_as_json(vram, tmp_path, named, reason):
    (tmp_path / "large.json").write_bytes(b" " * 1_000_001)
    said = vram(f"--config={named}", "7b")
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (2, "", 1)
    assert reason in said.stderr
    done = vram("--json", f"--config={named}", "7b")
    assert (done.returncode, json.loads(done.stdout)["kind"]) == (2, "refusal")
    assert reason in json.loads(done.stdout)["problem"]["text"]


def test_a_config_question_is_asked_again_by_its_number(vram, tmp_path):
    (tmp_path / "own.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    vram("--config", "own.json", "ctx=4k")
    assert "own ctx=4k" in vram("log").stdout
    (tmp_path / "own.json").unlink()
    assert vram("again", "1").stdout.startswith("own ctx=4k: the same today")


def test_export_and_prune_are_called_however_the_words_are_quoted(vram):
    vram("13b")
    assert vram("export kind:answer").stdout.count("\n") == 2
    assert vram("EXPORT", "--format", "jsonl").stdout.startswith("{")
    assert "VRAM_LOG_DAYS is not set" in vram(" prune").stderr


def test_help_beside_other_words_is_help_and_no_question(vram):
    assert vram("--help", "x").stdout == vram("help").stdout
    assert json.loads(vram("--json", "log").stdout or "null") is None


@pytest.mark.parametrize(
    "words",
    [("serve", "--help"), ("log", "--help"), ("models", "-h"), ("show --help",), ("EXPORT", "-h"), ("prune", "--help")],
)
def test_a_command_and_a_flag_of_help_is_help_and_no_question(vram, words):
    done = vram(*words)
    assert (done.stdout, done.stderr, done.returncode) == (vram("help").stdout, "", 0)
    assert vram("13b").stdout.endswith("#1\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("words", ["7b", "--json 7b", "help", "export"])
def test_an_answer_that_cannot_be_written_is_said_and_logged(vram, tmp_path, words):
    vram("13b")
    command = f'"{sys.executable}" -m adapters.app {words} >/dev/full'
    done = subprocess.run(
        ["sh", "-c", command], env=environment(tmp_path), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"The output cannot be written: No space left on device.\n")
    assert ("7b" in vram("log").stdout) == ("7b" in words)


def test_a_wrong_setting_is_one_sentence_and_no_answer(vram):
    done = vram("13b", VRAM_LOG_DAYS="soon")
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith("VRAM_LOG_DAYS cannot be used:")
    assert done.stderr.count("\n") == 1


def test_with_the_database_away_the_card_comes_and_the_row_follows(vram, tmp_path):
    in_the_way = tmp_path / "blocked"
    in_the_way.touch()
    given = {"VRAM_DATABASE_URL": f"sqlite:///{in_the_way}/log.sqlite3", "VRAM_SPOOL": str(tmp_path / "spool")}
    done = vram("13b lora ctx=4k", **given)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{CARD}Logged    not yet: ")
    as_json = vram("--json", "13b", **given)
    assert json.loads(as_json.stdout)["log"] is None
    assert "not yet" in as_json.stderr
    assert vram("log", **given).returncode == 1
    in_the_way.unlink()
    assert vram("7b", **given).stdout.endswith("Logged    #3\n")


def test_what_is_asked_under_a_wrong_database_is_not_kept_for_another_one(vram, tmp_path):
    spool = tmp_path / "spool"
    done = vram("13b lora ctx=4k", VRAM_DATABASE_URL="mysql://u:hunter2@h/log", VRAM_SPOOL=str(spool))
    assert done.returncode == 0
    assert done.stdout.startswith(f"{CARD}Logged    no: VRAM_DATABASE_URL cannot be used: it begins with mysql://;")
    assert "hunter2" not in done.stdout + done.stderr
    assert not spool.exists()
    assert vram("7b", VRAM_SPOOL=str(spool)).stdout.endswith("Logged    #1\n")


def test_a_reader_that_goes_away_costs_no_row_and_shows_no_traceback(vram, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "adapters.app", "13b", "lora"],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0
    assert "13b lora" in vram("log").stdout


def test_without_a_standard_output_it_still_logs(vram, tmp_path):
    command = f'"{sys.executable}" -m adapters.app 13b lora >&-'
    done = subprocess.run(
        ["sh", "-c", command], env=environment(tmp_path), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "13b lora" in vram("log").stdout


def test_an_encoding_without_our_characters_gets_question_marks(vram):
    done = vram("13b lora ctx=4k", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.startswith("13B ? LoRA")
    assert "35 GB  ###############..... of 48 GB\n" in done.stdout


def test_control_c_shows_no_traceback(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "adapters.app", "--json", "13b"],
        env=environment(tmp_path) | {"VRAM_DATABASE_URL": "postgresql://u:p@192.0.2.1:1/none"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        process.wait(1.5)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert b"Traceback" not in said


def test_no_secret_in_what_a_broken_database_says(vram, tmp_path):
    done = vram("13b", VRAM_DATABASE_URL="postgresql://u:hunter2@127.0.0.1:1/none", VRAM_SPOOL=str(tmp_path / "s"))
    assert "hunter2" not in done.stdout + done.stderr
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"hunter2" not in written
    assert (tmp_path / "s").exists()

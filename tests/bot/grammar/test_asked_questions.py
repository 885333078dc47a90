"""Questions that people asked, typed and in loose words, and the questions that go with measured runs.

tests/data/asked_questions.csv: reworded public threads; `typed_reads` and `loose_reads` are what the words say, each
checked by hand. The columns model … gpus are what the thread was about: what is read has to agree with them where it
says anything of it. `outside`: the model or GPU is in no table of ours.
"""

import csv
import re
from pathlib import Path

import pytest

from bot.grammar import read
from engine import gpus, models
from engine.errors import EngineError
from engine.formats import weight_words
from tests.bot.grammar.reading_lines import line

DATA = Path(__file__).parents[2] / "data"


def rows(name):
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


ASKED = rows("asked_questions.csv")
MEASURED = rows("measured_asks.csv")


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row["id"])
def test_a_typed_question_reads_as_meant(row):
    assert line(row["typed"]) == row["typed_reads"]


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row["id"])
def test_a_loose_question_reads_as_meant(row):
    assert line(row["loose"], mention=True) == row["loose_reads"]


def agreements(row, question):
    """For each part that was read: whether it agrees with what the thread was about."""
    named = models.find(row["model"]).shapes
    size = re.search(r"(\d+(?:\.\d+)?)B", row["model"])
    if named:
        shape = models.shape(question.model) if question.params_b is None else models.bare(question.params_b)
        yield "model", abs(shape.params_total / named[0].params_total - 1) < 0.15
    elif size and question.params_b:
        yield "model", question.params_b == float(size[1])
    if question.workload:
        yield "workload", question.workload == row["method"]
    if question.weight_format and row["weight_format"].lower() in weight_words():
        yield "format", _bits(question.weight_format) == _bits(weight_words()[row["weight_format"].lower()])
    if question.context_tokens and row["ctx"]:
        yield "context", abs(question.context_tokens / float(row["ctx"]) - 1) < 0.06
    if question.batch and row["batch"]:
        yield "batch", question.batch == int(row["batch"])
    if memory := re.search(r"(\d+)GB$", row["gpu"]):
        sold = [gpus.gpu(one.gpu).memory_gb for one in question.sets]
        if sold:
            yield "gpu", any(abs(gb / float(memory[1]) - 1) < 0.1 for gb in sold)


def _bits(name):
    return (
        16 if name in {"bf16", "fp16"} else 8 if "8" in name else 4 if "4" in name or name in {"awq", "gptq"} else name
    )


def shares(column, *, mention):
    agreed, parts, answered = 0, 0, 0
    disagree = []
    for row in ASKED:
        try:
            reading = read(row[column], mention=mention)
        except EngineError:
            continue
        answered += 1
        by_option = [dict(agreements(row, option.question)) for option in reading.options]
        for part in by_option[0]:
            good = any(found.get(part) for found in by_option)
            agreed, parts = agreed + good, parts + 1
            if not good:
                disagree.append(f"{row['id']} {part}: {row[column]}")
    return agreed / parts, answered, disagree


@pytest.mark.parametrize(("column", "least", "answered"), [("typed", 0.97, 105), ("loose", 0.93, 98)])
def test_what_is_read_agrees_with_the_thread(column, least, answered):
    share, read_at_all, disagree = shares(column, mention=column == "loose")
    assert share >= least, disagree
    assert read_at_all >= answered


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row["id"])
@pytest.mark.parametrize(("column", "mention"), [("typed", False), ("typed", True), ("loose", True)])
def test_what_was_read_can_be_asked_again(row, column, mention):
    try:
        reading = read(row[column], mention=mention)
    except EngineError:
        return
    for option in reading.options:
        again = read(option.ask)
        assert again.is_plain
        assert again.options[0].question == option.question


def test_every_measured_run_can_be_asked():
    for row in MEASURED:
        reading = read(row["ask"])
        assert reading.is_plain, row["ask"]
        question = reading.options[0].question
        words = row["ask"].split()
        assert question.model in {shape.id for shape in models.find(words[0]).shapes}
        assert question.workload == words[1]
        assert question.weight_format == weight_words()[words[2]]
        for word in words[3:]:
            assert _says(question, word), (row["ask"], word)


_OF_KEY = {
    "ctx": "context_tokens", "in": "prompt_tokens", "batch": "batch", "engine": "engine", "rank": "rank",
    "targets": "targets", "loss": "loss", "optim": "optimizer", "ckpt": "checkpointing", "tp": "tensor_parallel",
    "shards": "shards", "util": "util",
}  # fmt: skip
_SWITCHES = {
    "compile=on": ("compile", True), "embed=train": ("train_embeddings", True), "prep=on": ("kbit_preparation", True),
    "prep=off": ("kbit_preparation", False), "cache=growing": ("growing_cache", True),
}  # fmt: skip


def _says(question, word):
    values = {**dict(question), **dict(question.tuning), **dict(question.options)}
    key, equals, value = word.partition("=")
    if word in _SWITCHES:
        name, expected = _SWITCHES[word]
        return values[name] is expected
    if key == "out":
        return question.context_tokens == question.prompt_tokens + int(value)
    if key == "kv":
        return question.kv_format == {"int8": "fp8"}.get(value, value)
    if equals:
        return str(values[_OF_KEY[key]]) == value
    count, _, name = word.partition("x") if re.match(r"\d+x", word) else ("1", "", word)
    return [(one.gpu, one.count) for one in question.sets] == [
        (gpus.find(name)[0].id if gpus.find(name) else name, int(count))
    ]

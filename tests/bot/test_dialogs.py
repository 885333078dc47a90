import pytest

from bot.dialogs import LABELS, blamed, dialog_text, field_problems, note_dialog, question_dialog
from bot.grammar import read
from engine.answer import Problem


def test_every_field_of_the_form_is_a_field_of_the_question():
    assert [entry.name for entry in question_dialog().entries] == list(LABELS)
    assert [entry.name for entry in question_dialog().entries if entry.needed] == ["model"]
    assert note_dialog().entries[0].long


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"model": "70b", "workload": "qlora", "context": "4k", "batch": "2"}, "70b qlora ctx=4k batch=2"),
        ({"model": "llama3.1:70b", "format": "q4_k_m", "gpus": "2x3090"}, "llama3.1:70b q4_k_m 2x3090"),
        ({"gpus": "a40", "model": "13b"}, "13b a40"),
    ],
)
def test_a_form_asks_what_a_person_would_type(given, text):
    asked, typed = read(dialog_text(given)).options[0].question, read(text).options[0].question
    assert asked.model_copy(update={"text": ""}) == typed.model_copy(update={"text": ""})


@pytest.mark.parametrize(
    ("name", "value"),
    [("model", "lama9"), ("format", "int5"), ("context", "0"), ("context", "-4k"), ("batch", "0"), ("gpus", "2x3900")],
)
def test_what_is_wrong_stands_at_its_field(name, value):
    given = {"model": "13b", "workload": "infer"} | {name: value}
    problems = field_problems(given)
    assert list(problems) == [name]
    assert value in problems[name]


def test_a_form_without_mistakes_has_no_problems():
    assert field_problems({"model": "13b", "workload": "lora", "context": "4k", "gpus": "a100"}) == {}


def test_a_problem_of_the_whole_is_put_to_the_field_that_it_names():
    given = {"model": "13b", "workload": "qlora", "format": "fp8"}
    assert blamed(Problem(code="conflict", given="qlora fp8", near=(), text=""), given) == "workload"
    assert blamed(Problem(code="conflict", given="fp8", near=(), text=""), given) == "format"
    assert blamed(Problem(code="conflict", given="something else", near=(), text=""), given) == "model"

from typing import get_args

import pytest

from bot.refusals import problem, refusal, refusal_card
from engine import errors
from engine.answer import ProblemCode
from engine.errors import (
    ConflictingWords,
    EmptyQuestion,
    EngineError,
    ImpossibleValue,
    NoSuchQuery,
    NotModelled,
    QuestionTooLong,
    UnknownGpu,
    UnknownModel,
    UnknownWord,
)

EVERY = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, EngineError)]


def test_every_error_has_a_code_of_the_contract_and_every_code_an_error():
    assert {kind.code for kind in EVERY} == set(get_args(ProblemCode))


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_every_error_is_worded_in_whole_sentences(kind):
    for error in (kind("13b"), kind("13b", near=("14b",), allowed="a size", reason="because")):
        said = problem(error)
        assert said.code == kind.code
        assert said.text[-1] in ".?!"
        assert "  " not in said.text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UnknownWord("lroa", near=("lora",)), '"lroa" is no word that I know. Did you mean lora?'),
        (UnknownWord("x", near=("a", "b", "c", "d")), '"x" is no word that I know. Did you mean a, b or c?'),
        (UnknownWord("x"), '"x" is no word that I know. Leave it out, or ask for help to see what can be said.'),
        (
            UnknownModel("lama", near=("llama-2-7b",)),
            '"lama" is no model that I know. Did you mean llama-2-7b? A size works too: 13b.',
        ),
        (UnknownGpu("b9000"), '"b9000" is no GPU that I know. A memory size works too: 24gb.'),
        (ImpossibleValue("ctx=0", allowed="1 token or more"), '"ctx=0" is not possible. Allowed: 1 token or more.'),
        (
            ConflictingWords(
                "batch and users", reason="both say how many sequences run at once", allowed="one of them"
            ),
            '"batch and users": both say how many sequences run at once. Allowed: one of them.',
        ),
        (NotModelled("dpo"), '"dpo" is not modelled.'),
        (EmptyQuestion(), "The question names no model. Begin with a size or a name: 13b lora ctx=4k."),
        (QuestionTooLong("13b"), "The question is too long. At most 500 characters."),
        (NoSuchQuery("#99"), 'There is no question "#99" that you can see here. The command log lists the latest.'),
    ],
)
def test_wording(error, text):
    assert problem(error).text == text


def test_refusal_keeps_what_was_given_and_what_is_near():
    refused = refusal("13b lroa", UnknownWord("lroa", near=("lora",)))
    assert (refused.kind, refused.text) == ("refusal", "13b lroa")
    assert (refused.problem.code, refused.problem.given, refused.problem.near) == ("unknown-word", "lroa", ("lora",))
    assert refusal_card(refused).title == "13b lroa"


def test_card_of_an_empty_question_has_a_title():
    assert refusal_card(refusal("", EmptyQuestion())).title == "no question"

import json
from pathlib import Path

import jsonschema
import pytest

from bot.choices import choice_card
from bot.documents import json_text
from bot.refusals import refusal
from bot.reply import Reply
from bot.schema import answer_schema, schema_text
from engine.answer import Choice, ChoiceOption
from engine.errors import UnknownWord
from tests.answers import SAMPLE

PUBLISHED = Path(__file__).parents[2] / "docs" / "answer.schema.json"

OUTCOMES = {
    "answer": SAMPLE,
    "choice": Choice(text="13b finetune", choices=(ChoiceOption(label="LoRA", ask="13b lora", need_gb=33.0),)),
    "refusal": refusal("13b lroa", UnknownWord("lroa", near=("lora",))),
}


def test_the_published_schema_is_the_codes():
    """After a change: python -m bot.schema > docs/answer.schema.json."""
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(answer_schema())


@pytest.mark.parametrize("kind", OUTCOMES)
def test_what_is_printed_obeys_the_schema(kind):
    printed = json_text(Reply(kind, "asker", {}, outcome=OUTCOMES[kind]), 17)
    document = json.loads(printed)
    jsonschema.Draft202012Validator(answer_schema()).validate(document)
    assert document["kind"] == kind
    assert document["schema"] == 1
    assert document["log"] == {"id": 17}


def test_money_is_a_number_with_two_decimals_and_the_rest_is_not_rounded():
    document = json.loads(json_text(Reply("answer", "asker", {}, outcome=SAMPLE), None))
    assert document["pick"]["usd_hour"] == 0.33
    assert document["ceiling"]["tokens_per_second"] == 696 / 26
    assert document["log"] is None


def test_lists_are_json_lines():
    printed = json_text(Reply("list", "asker", {}, rows=({"id": 2}, {"id": 1})), None)
    assert [json.loads(line) for line in printed.splitlines()] == [{"id": 2}, {"id": 1}]


def test_an_output_without_utf_8_gets_ascii():
    assert json_text(Reply("answer", "asker", {}, outcome=SAMPLE), None, ascii_only=True).isascii()


def test_a_choice_that_names_no_need_shows_none():
    options = (ChoiceOption(label="A", ask="a", need_gb=None), ChoiceOption(label="B", ask="b", need_gb=0.4))
    assert [option.need for option in choice_card(Choice(text="", choices=options)).options] == ["", "0\u00a0GB"]

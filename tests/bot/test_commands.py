import pytest

from bot.commands import COMMANDS, called
from bot.help_card import help_card, help_rows


@pytest.mark.parametrize(
    ("text", "word", "number", "words"),
    [
        ("help", "help", None, ""),
        ("HELP ", "help", None, ""),
        ("log", "log", None, ""),
        ("log 13b lora", "log", None, "13b lora"),
        ("show 17", "show", 17, ""),
        ("show #17", "show", 17, ""),
        ("show 17 now", "show", 17, "now"),
    ],
)
def test_a_command_in_its_own_form(text, word, number, words):
    call = called(text, "terminal")
    assert (call.command.word, call.number, call.words) == (word, number, words)


@pytest.mark.parametrize(
    "text",
    ["", "13b lora", "help me size 13b", "show", "show 70b", "show me 13b", "serve 70b", "logs", "show 1e3", "show -1"],
)
def test_in_any_other_form_it_is_a_question(text):
    assert called(text, "terminal") is None


def test_words_are_unique_and_every_row_calls_itself():
    assert len({command.word for command in COMMANDS}) == len(COMMANDS)
    for command in COMMANDS:
        for surface in command.surfaces:
            assert called(command.example, surface).command is command


def test_help_is_made_from_the_table():
    assert [line.usage for line in help_card("terminal").commands] == [command.usage for command in COMMANDS]
    assert [row["word"] for row in help_rows("chat")] == [
        command.word for command in COMMANDS if "chat" in command.surfaces
    ]

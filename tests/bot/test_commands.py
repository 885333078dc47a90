import pytest

from bot.commands import COMMANDS, called, misused
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


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("show", "show N"),
        ("show abc", "show N"),
        ("show -1", "show N"),
        ("SHOW 70b", "show N"),
        ("help foo", "help"),
        ("accuracy vllm", "accuracy"),
        ("prune now", "prune"),
        ("measured", "measured N <run>"),
    ],
)
def test_a_command_in_another_form_says_its_own(text, form):
    assert misused(text, "terminal").usage == form


@pytest.mark.parametrize("text", ["", "13b", "show 17", "log 13b", "serve", "serve 70b", "70b serve", "shows 17"])
def test_what_is_a_command_or_a_question_is_not_misused(text):
    assert misused(text, "terminal") is None


def test_a_command_of_another_surface_is_a_word_like_any_other():
    assert misused("prune now", "chat") is None

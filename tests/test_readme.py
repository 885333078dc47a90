"""What README shows is what happens."""

import re

from adapters.settings import Settings
from bot.commands import COMMANDS
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_card_is_the_real_one(vram):
    command, card = re.search(r"```\n\$ vram ([^\n]+)\n(.*?)```", README, re.DOTALL).groups()
    assert vram(command).stdout == card


def test_every_setting_is_listed():
    cells = " ".join(re.findall(r"^\| (`[A-Z].*?) \|", README, re.MULTILINE))
    assert set(re.findall(r"`([A-Z_]+)`", cells)) == {str(field.alias) for field in Settings.model_fields.values()}


def test_every_command_is_listed_in_the_words_of_its_help():
    for command in COMMANDS:
        assert f"`vram {command.usage}`" in README


def test_start_is_two_commands_that_the_makefile_has():
    start = re.search(r"## Start.*?```\n(.*?)```", README, re.DOTALL)[1].splitlines()
    assert start == ['make ask Q="13b lora ctx=4k"', "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{target}:" in makefile for target in ("ask", "test", "lint"))

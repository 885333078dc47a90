import re
from dataclasses import fields
from pathlib import Path

import pytest
from jinja2 import meta, nodes

from bot.cards import Card
from bot.rendering import SUFFIXES, Renderer, environment
from tests.templates.cards import CARDS

GOLDEN = Path(__file__).parent / "golden"
PLATFORMS = ("terminal",)
TEMPLATES = [(platform, name) for platform in PLATFORMS for name in CARDS]


def card_types():
    return {kind.template: kind for kind in Card.__subclasses__()}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_file_of_a_platform_compiles_and_belongs_to_a_card(platform):
    made = environment(platform)
    files = [name for name in made.list_templates() if name.startswith(f"{platform}/")]
    assert {name.split("/")[1].split(".")[0] for name in files} == set(card_types())
    for name in files:
        assert made.get_template(name).blocks, f"{name} has no parts"


def test_there_is_a_card_of_each_kind_to_test_with():
    assert set(CARDS) == set(card_types())


@pytest.mark.parametrize(("platform", "name"), TEMPLATES)
def test_a_template_uses_every_field_of_its_card_and_nothing_else(platform, name):
    made = environment(platform)
    source, _, _ = made.loader.get_source(made, f"{platform}/{name}.{SUFFIXES[platform]}.j2")
    used = meta.find_undeclared_variables(made.parse(source))
    assert used == {field.name for field in fields(card_types()[name])}


@pytest.mark.parametrize(("platform", "name"), TEMPLATES)
def test_a_template_holds_no_arithmetic(platform, name):
    made = environment(platform)
    source, _, _ = made.loader.get_source(made, f"{platform}/{name}.{SUFFIXES[platform]}.j2")
    sums = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Compare)
    assert list(made.parse(source).find_all(sums)) == []


@pytest.mark.parametrize(("platform", "name"), TEMPLATES)
def test_card_reads_as_the_golden_file_says(platform, name):
    shown = "\n".join(Renderer(platform).parts(CARDS[name]).values()) + "\n"
    assert shown == (GOLDEN / platform / f"{name}.txt").read_text(encoding="utf-8")


def test_terminal_is_80_columns_wide():
    for name, card in CARDS.items():
        for part in Renderer("terminal").parts(card).values():
            assert max(map(len, part.splitlines())) <= 80, name


def test_colour_changes_nothing_but_colour():
    for card in CARDS.values():
        plain, coloured = Renderer("terminal").parts(card), Renderer("terminal", colour=True).parts(card)
        assert {name: re.sub(r"\x1b\[[\d;]*m", "", part) for name, part in coloured.items()} == plain


def test_each_term_of_the_bar_has_its_own_shade():
    need = Renderer("terminal", colour=True).parts(CARDS["answer"])["need"]
    assert "\x1b[36m███████████\x1b[0m\x1b[34m███\x1b[0m\x1b[35m█\x1b[0m░░░░░" in need


def test_parts_come_in_reading_order_and_empty_ones_not_at_all():
    parts = Renderer("terminal").parts(CARDS["answer"])
    assert list(parts) == ["title", "need", "pick", "ceiling", "warnings", "footer"]

import io

import pytest

from adapters.terminal.output import caller, show, wants_colour


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "changes", "wanted"),
    [
        (Terminal(), {}, True),
        (io.StringIO(), {}, False),
        (None, {}, False),
        (Terminal(), {"plain": True}, False),
        (Terminal(), {"no_color": "1"}, False),
        (Terminal(), {"terminal": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_and_people_who_want_it(stream, changes, wanted):
    assert wants_colour(stream, **({"plain": False, "no_color": "", "terminal": "xterm"} | changes)) is wanted


def test_show_writes_a_line_and_nothing_for_nothing():
    stream = io.StringIO()
    show("a", stream)
    show("", stream)
    show("b", None)
    assert stream.getvalue() == "a\n"


def test_the_person_is_named_even_without_environment():
    assert caller({"USER": "ada"}) == "ada"
    assert caller({})

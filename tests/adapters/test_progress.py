"""The bar over a long file: nothing of the file is lost, and nothing is shown where nobody looks."""

from adapters.terminal.progress import LEAST_BYTES, _with_bar, watched


def test_a_short_file_has_no_bar():
    lines = iter(["a\n"])
    assert watched(lines, "offers.csv", LEAST_BYTES - 1) is lines


def test_a_long_file_without_a_terminal_has_no_bar():
    lines = iter(["a\n"])
    assert watched(lines, "offers.csv", 10 * LEAST_BYTES) is lines


def test_a_bar_hands_on_every_line(capsys):
    assert list(_with_bar(["a\n", "bc\n"], "offers.csv", 5)) == ["a\n", "bc\n"]
    assert "offers.csv" in capsys.readouterr().err

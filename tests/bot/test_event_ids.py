import re

from bot.event_ids import public_id


def test_the_same_event_has_the_same_id_and_another_another():
    assert public_id("discord", "1") == public_id("discord", "1")
    assert len({public_id("discord", str(number)) for number in range(10_000)}) == 10_000


def test_ten_letters_and_digits_whatever_is_said():
    for said in ("", "🤖", "\ud800", "x" * 1000):
        assert re.fullmatch("[A-Za-z0-9]{10}", public_id(said))

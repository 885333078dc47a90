from datetime import UTC, timedelta

import pytest

from adapters.system import RandomId, SystemClock
from tests.fakes import CountedIds, FixedClock


@pytest.mark.parametrize("clock", [SystemClock(), FixedClock()], ids=["real", "fake"])
def test_clock_is_aware_in_utc_and_its_seconds_never_go_back(clock):
    assert clock.now().tzinfo is UTC
    assert clock.now().utcoffset() == timedelta(0)
    looks = [clock.seconds() for _ in range(100)]
    assert looks == sorted(looks)


@pytest.mark.parametrize("ids", [RandomId(), CountedIds()], ids=["real", "fake"])
def test_ids_have_10_letters_and_digits_and_never_repeat(ids):
    made = [ids.new() for _ in range(1000)]
    assert all(len(one) == 10 and one.isascii() and one.isalnum() for one in made)
    assert len(set(made)) == 1000

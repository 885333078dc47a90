"""What stands behind `log` is read as it is meant, or refused with what is near."""

from datetime import UTC, datetime

import pytest

from bot.log.entry import Filters
from bot.review.filters import wanted
from engine.errors import EngineError, ImpossibleValue

NOW = datetime(2026, 11, 30, 0, 5, tzinfo=UTC)


def read(text):
    return wanted(text, user="U0ADA", now=NOW).filters


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("", Filters()),
        ("70b", Filters(words=("70b",))),
        ("70b lora", Filters(words=("70b", "lora"))),
        ("model:llama-3.1-70b", Filters(model="llama-3.1-70b")),
        ("model:13B", Filters(model="13b")),
        ("gpu:a40", Filters(gpu="a40")),
        ("GPU=3090", Filters(gpu="rtx-3090")),
        ("by:me", Filters(user="U0ADA")),
        ("by:@U0BOB9", Filters(user="U0BOB9")),
        ("by:123456789012345678", Filters(user="123456789012345678")),
        ("by:bob", Filters(user_name="bob")),
        ('by:"Ada Lovelace" x', Filters(user_name="Ada Lovelace", words=("x",))),
        ("verdict:tight", Filters(verdict="tight")),
        ("workload:qlora kind:answer", Filters(workload="qlora", kind="answer")),
        ("decided:yes measured:no", Filters(decided=True, measured=False)),
        ("since:2026-09-01", Filters(since=datetime(2026, 9, 1, tzinfo=UTC))),
        ("until:2026-09-30", Filters(until=datetime(2026, 10, 1, tzinfo=UTC))),
        ("since:today", Filters(since=datetime(2026, 11, 30, tzinfo=UTC))),
        ("since:yesterday", Filters(since=datetime(2026, 11, 29, tzinfo=UTC))),
        ("since:99999d", Filters(since=datetime(1753, 2, 15, tzinfo=UTC))),  # 273 years and 288 days ago
        ("since:7d", Filters(since=datetime(2026, 11, 23, tzinfo=UTC))),
        ("since:2026-11-29T23:30+02:00", Filters(since=datetime(2026, 11, 29, 21, 30, tzinfo=UTC))),
        ('"decided:yes"', Filters(words=("decided:yes",))),
    ],
)
def test_filters(text, filters):
    assert read(text) == filters


def test_the_example_of_the_agreement():
    text = "model:llama-3.1-70b gpu:a40 by:me since:2026-09-01 verdict:tight decided:yes"
    assert read(text) == Filters(
        model="llama-3.1-70b",
        gpu="a40",
        user="U0ADA",
        since=datetime(2026, 9, 1, tzinfo=UTC),
        verdict="tight",
        decided=True,
    )


@pytest.mark.parametrize(
    ("text", "code", "near"),
    [
        ("modle:70b", "unknown-word", "model:"),
        ("verdict:tigth", "unknown-word", "tight"),
        ("workload:lroa", "unknown-word", "lora"),
        ("model:llama-3.1-70", "unknown-model", "llama-3.1-70b"),
        ("gpu:a4o", "unknown-gpu", "a40"),
        ("gpu:a100", "conflict", "a100-40-pcie"),
        ("decided:maybe", "unknown-word", None),
        ("since:soon", "impossible-value", None),
        ("since:2026-02-30", "impossible-value", None),
        ("since:0001-01-01 until:9999-12-31", "impossible-value", None),
        ("by:", "impossible-value", None),
        ("verdict:no verdict:fits", "conflict", None),
    ],
)
def test_what_is_none_is_refused(text, code, near):
    with pytest.raises(EngineError) as refused:
        read(text)
    assert refused.value.code == code
    assert near is None or near in refused.value.near
    assert refused.value.near or refused.value.allowed


def test_the_place_to_go_on_from_is_no_filter():
    asked = wanted("13b after:1764504000000000-17", user="", now=NOW)
    assert (asked.filters, asked.after) == (Filters(words=("13b",)), "1764504000000000-17")


@pytest.mark.parametrize("text", ["%", '"', "🙂", '""', '" "', "13b %", "-", "…", "-7b", "13b -lora", "!70b", '"-7b"'])
def test_words_that_cannot_be_searched_for_are_refused(text):
    with pytest.raises(ImpossibleValue) as refused:
        read(text)
    assert refused.value.reason in {
        "there is no letter or digit in it to search for",
        "words cannot be left out of a search",
    }


@pytest.mark.parametrize(
    "text",
    [
        "since:999999999d",
        "since:0001-01-01",
        "until:9999-12-31",
        "since:0001-01-01T00:00+02:00",
        "until:9999-12-31T23:00-02:00",
    ],
)
def test_days_beyond_the_calendar_are_refused_as_such(text):
    with pytest.raises(ImpossibleValue) as refused:
        read(text)
    assert refused.value.reason == "the calendar has no day that far away"

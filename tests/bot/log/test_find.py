"""Finding: filters one by one and together, words, pages."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from bot.log import Filters, Measured, row_json
from tests.bot.log.making import NOON, SARA, a_query

ASKED = {
    "first": {"text": "13b lora ctx=4k", "model": "13b", "gpu": "a40"},
    "second": {
        "text": "Can 2x RTX3090 run Qwen2.5-72B?",
        "model": "qwen2.5-72b",
        "gpu": "rtx-3090",
        "verdict": "tight",
    },
    "third": {
        "text": "llama3.1:70b int4",
        "model": "llama-3.1-70b",
        "gpu": "a40",
        "workload": "infer",
        "user": "ali",
        "user_name": "Ali",
    },
    "fourth": {"text": "13b lroa", "model": None, "gpu": None, "kind": "refusal", "workload": None, "verdict": None},
}


@pytest.fixture
async def filled(log):
    for day, asked in enumerate(ASKED.values()):
        await log.append(a_query(asked_at=NOON + timedelta(days=day), **asked))
    await log.pin(SARA, 1, "Cheapest for the summer; see budget", by_name="Sara", at=NOON)
    await log.measured(SARA, 2, Measured(71.5, 12.0, "", "sara", "Sara", NOON))
    return log


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(), [4, 3, 2, 1]),
        (Filters(words=("13b",)), [4, 1]),
        (Filters(words=("13B",)), [4, 1]),
        (Filters(words=("70b",)), [3]),
        (Filters(words=("qwen",)), [2]),
        (Filters(words=("3090",)), [2]),
        (Filters(words=("Qwen2.5-72B",)), [2]),
        (Filters(words=("budget",)), [1]),
        (Filters(words=("13b", "lora")), [1]),
        (Filters(words=("13b", "qwen")), []),
        (Filters(words=("lam",)), []),
        (Filters(words=("%",)), [4, 3, 2, 1]),
        (Filters(words=("@sara",)), []),
        (Filters(model="13b"), [1]),
        (Filters(gpu="a40"), [3, 1]),
        (Filters(user="ali"), [3]),
        (Filters(user_name="ALI"), [3]),
        (Filters(verdict="tight"), [2]),
        (Filters(workload="infer"), [3]),
        (Filters(kind="refusal"), [4]),
        (Filters(since=NOON + timedelta(days=2)), [4, 3]),
        (Filters(until=NOON + timedelta(days=2)), [2, 1]),
        (Filters(since=NOON + timedelta(days=1), until=NOON + timedelta(days=3)), [3, 2]),
        (Filters(decided=True), [1]),
        (Filters(decided=False), [4, 3, 2]),
        (Filters(measured=True), [2]),
        (Filters(measured=False), [4, 3, 1]),
        (Filters(gpu="a40", user="ali", words=("70b",), verdict="fits"), [3]),
        (Filters(gpu="a40", decided=True, words=("lora",), user_name="sara"), [1]),
        (Filters(gpu="a40", decided=True, measured=True), []),
    ],
)
async def test_filters(filled, filters, found):
    assert [row.number for row in (await filled.page(SARA, filters)).rows] == found
    assert await filled.count(SARA, filters) == len(found)


@pytest.mark.parametrize("filters", [Filters(), Filters(words=("13b",)), Filters(gpu="a40", words=("lora",))])
async def test_pages_give_every_row_once_newest_first(log, filters):
    """Also where many were asked at the same moment."""
    for turn in range(23):
        await log.append(a_query(asked_at=NOON + timedelta(seconds=turn // 5)))
    seen, after = [], None
    for _ in range(100):
        page = await log.page(SARA, filters, after, limit=4)
        assert len(page.rows) <= 4
        seen += [row.number for row in page.rows]
        after = page.next
        if after is None:
            break
    assert seen == list(range(23, 0, -1))


async def test_a_new_question_does_not_move_the_next_page(log):
    for _ in range(4):
        await log.append(a_query())
    first = await log.page(SARA, limit=2)
    await log.append(a_query())
    second = await log.page(SARA, after=first.next, limit=2)
    assert [row.number for row in first.rows + second.rows] == [4, 3, 2, 1]


@pytest.mark.parametrize("forged", ["", "x", "1", "-", "1-", "1-x", "9" * 40 + "-1", "1-" + "9" * 40, "1-0", "1--1"])
async def test_a_forged_place_is_refused_in_plain_words(log, forged):
    with pytest.raises(ValueError, match="no place in the list"):
        await log.page(SARA, after=forged)


async def test_export_gives_more_than_a_page(log):
    for _ in range(30):
        await log.append(a_query())
    assert [row.number async for row in log.export(SARA)] == list(range(30, 0, -1))


async def test_a_row_as_json_has_the_fields_of_the_agreement(filled):
    row = await filled.show(SARA, 1)
    json = row_json(replace(row, usd_month=Decimal("240.005")))
    assert list(json) == [
        "id", "asked_at", "platform", "team", "channel", "user", "visibility", "text", "kind", "model", "workload",
        "need_gb", "gpu", "count", "usd_month", "verdict", "catalog", "decision", "measured", "milliseconds",
    ]  # fmt: skip
    assert (json["id"], json["usd_month"], json["asked_at"]) == (1, 240.01, "2026-11-30T12:00:00+00:00")
    assert json["decision"] == {
        "note": "Cheapest for the summer; see budget", "by": "sara", "at": "2026-11-30T12:00:00+00:00",
    }  # fmt: skip
    assert json["measured"] is None
    assert row_json(await filled.show(SARA, 2))["measured"]["gb"] == 71.5

"""Decisions, measured runs, buttons, forgetting, pruning."""

import asyncio
from datetime import timedelta

import pytest

from bot.log import Decision, Filters, Measured, PastDecision, Viewer
from bot.log.query_log import QueryLog
from engine.errors import NotAllowed
from tests.bot.log.making import NOON, SARA, a_query

ALI = Viewer(team="blue", user="ali")
ADMIN = Viewer(team="blue", user="root", is_admin=True)
LATER = NOON + timedelta(hours=1)
DECIDED = Filters(decided=True)


async def numbers(log, filters, viewer=SARA):
    return [row.number for row in (await log.page(viewer, filters)).rows]


async def test_a_pinned_query_carries_note_person_and_time(log):
    await log.append(a_query())
    row = await log.pin(ALI, 1, "for the summer", by_name="Ali", at=NOON)
    assert row.decision == Decision("for the summer", "ali", "Ali", NOON)
    assert (await log.show(SARA, 1)).decision == row.decision
    assert await numbers(log, Filters(words=("summer",))) == [1]


async def test_pinning_the_same_question_again_supersedes_and_keeps_the_history(log):
    await log.append(a_query(text="13b lora ctx=4k"))
    await log.append(
        a_query(
            text="lora 13b, 4k please",
            question_json='{"workload":"lora","model":"13b","context_tokens":4096,"text":"x"}',
        )
    )
    await log.append(a_query(question_json='{"model":"70b"}'))
    for number, note in ((1, "first choice"), (3, "another question"), (2, "second choice")):
        await log.pin(SARA, number, note, by_name="Sara", at=NOON + timedelta(days=number))
    assert await numbers(log, DECIDED) == [3, 2]
    assert await numbers(log, Filters(words=("choice",))) == [2]
    assert await log.history(SARA, 1) == (
        PastDecision("first choice", "sara", "Sara", NOON + timedelta(days=1), NOON + timedelta(days=2), "sara", 2),
    )


async def test_pinning_a_query_again_changes_the_note(log):
    await log.append(a_query())
    await log.pin(SARA, 1, "old words", by_name="Sara", at=NOON)
    await log.pin(ALI, 1, "new words", by_name="Ali", at=LATER)
    assert await numbers(log, Filters(words=("words",))) == [1]
    assert await numbers(log, Filters(words=("old",))) == []
    assert [past.note for past in await log.history(SARA, 1)] == ["new words", "old words"]


async def test_a_private_decision_supersedes_no_public_one(log):
    await log.append(a_query())
    await log.append(a_query(visibility="asker"))
    await log.pin(SARA, 1, "", by_name="Sara", at=NOON)
    await log.pin(SARA, 2, "", by_name="Sara", at=NOON)
    assert await numbers(log, DECIDED) == [2, 1]
    assert await numbers(log, DECIDED, ALI) == [1]


async def test_two_people_pin_the_same_question_at_once(log):
    for _ in range(6):
        await log.append(a_query())
    await asyncio.gather(*[log.pin(SARA, number, "", by_name="Sara", at=NOON) for number in range(1, 7)])
    assert len(await numbers(log, DECIDED)) == 1


async def test_unpin_is_for_who_pinned_and_for_administrators(log):
    await log.append(a_query())
    await log.pin(SARA, 1, "words", by_name="Sara", at=NOON)
    with pytest.raises(NotAllowed):
        await log.unpin(ALI, 1, at=LATER)
    assert (await log.show(SARA, 1)).decision is not None
    assert (await log.unpin(ADMIN, 1, at=LATER)).decision is None
    assert (await log.unpin(SARA, 1, at=LATER)).decision is None
    assert await log.unpin(SARA, 99, at=LATER) is None
    assert await numbers(log, Filters(words=("words",))) == []
    assert [(past.until, past.until_by) for past in await log.history(SARA, 1)] == [(LATER, "root")]


async def test_the_latest_measured_run_is_shown(log):
    await log.append(a_query())
    await log.measured(SARA, 1, Measured(31.2, 42.0, "first", "sara", "Sara", NOON))
    latest = Measured(30.9, None, "again", "ali", "Ali", LATER)
    assert (await log.measured(ALI, 1, latest)).measured == latest
    assert await log.measured(SARA, 2, latest) is None


async def test_an_act_counts_once_a_query_action_and_person(log):
    await log.append(a_query())
    await log.append(a_query())
    pressed = [(SARA, 1, "share"), (SARA, 1, "share"), (ALI, 1, "share"), (SARA, 1, "pin"), (SARA, 2, "share")]
    assert [await log.first_act(viewer, number, action, at=NOON) for viewer, number, action in pressed] == [
        True, False, True, True, True,
    ]  # fmt: skip
    at_once = await asyncio.gather(*[log.first_act(ADMIN, 1, "share", at=NOON) for _ in range(5)])
    assert sorted(at_once) == [False, False, False, False, True]


async def test_forget_is_for_the_asker_and_for_administrators(log):
    for _ in range(3):
        await log.append(a_query())
    with pytest.raises(NotAllowed):
        await log.forget(ALI, 1)
    await log.pin(SARA, 1, "words", by_name="Sara", at=NOON)
    assert (await log.forget(SARA, 1)).number == 1
    assert (await log.forget(ADMIN, 2)).number == 2
    assert await log.forget(SARA, 1) is None
    assert await numbers(log, Filters(words=("13b",))) == [3]
    assert await numbers(log, Filters(words=("words",))) == []


async def test_a_number_is_never_given_again(log):
    await log.append(a_query())
    await log.forget(SARA, 1)
    assert await log.append(a_query()) == 2


async def test_prune_keeps_what_was_ever_decided_and_what_is_young(log):
    for day in range(4):
        await log.append(a_query(asked_at=NOON + timedelta(days=day), team="blue" if day else "red"))
    await log.pin(SARA, 1, "", by_name="Sara", at=NOON)
    await log.unpin(SARA, 1, at=LATER)
    assert await log.prune(NOON + timedelta(days=3)) == 2
    assert await numbers(log, Filters()) == [3, 1]
    assert await numbers(log, Filters(words=("13b",))) == [3, 1]
    assert (await log.page(Viewer(team="red", user="sara"))).rows == ()


async def test_pruning_gives_the_space_of_a_sqlite_file_back(sqlite, spool_path, tmp_path):
    file = tmp_path / "data" / "log.db"
    async with await QueryLog.open(sqlite, spool_path) as log:
        for _ in range(300):
            await log.append(a_query(outcome_json="x" * 10_000))
        full_bytes = file.stat().st_size
        assert await log.prune(NOON + timedelta(days=1)) == 300
        assert full_bytes > 3_000_000
        assert file.stat().st_size < full_bytes / 5

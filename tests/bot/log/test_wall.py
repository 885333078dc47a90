"""The wall, against a model of it written out here from the agreement, over random teams, channels and people."""

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.log import Filters, Viewer
from bot.log.query_log import QueryLog
from tests.bot.log.making import NOON, SARA, a_query

TEAMS = ("blue", "red")
CHANNELS = (None, "c1", "c2", "user:ali", "public")
PEOPLE = ("sara", "ali", "c1")
VISIBILITIES = ("public", "private-channel", "direct", "asker")

askings = st.fixed_dictionaries(
    {
        "team": st.sampled_from(TEAMS),
        "channel": st.sampled_from(CHANNELS),
        "user": st.sampled_from(PEOPLE),
        "visibility": st.sampled_from(VISIBILITIES),
    }
)
viewers = st.builds(
    Viewer,
    team=st.sampled_from(TEAMS),
    user=st.sampled_from(PEOPLE),
    channel=st.sampled_from(CHANNELS),
    is_admin=st.booleans(),
    shown_to_channel=st.booleans(),
)
filters = st.builds(
    Filters,
    words=st.sampled_from([(), ("13b",), ("lora", "13b")]),
    user=st.none() | st.sampled_from(PEOPLE),
    user_name=st.sampled_from([None, "sara"]),
    model=st.sampled_from([None, "13b"]),
    decided=st.sampled_from([None, True, False]),
)

examples = st.tuples(st.lists(askings, min_size=1, max_size=12), viewers, filters, st.integers(0, 11))


def may_see(viewer, entry):
    """Design, the query log: team is the wall; a private channel's rows in that channel; the rest by the asker."""
    if entry.team != viewer.team:
        return False
    if entry.visibility == "public":
        return True
    if entry.visibility == "private-channel" and entry.channel is not None:
        return entry.channel == viewer.channel
    return entry.user == viewer.user and not viewer.shown_to_channel


def passes(wanted, entry, decided):
    return (
        wanted.user in (None, entry.user)
        and wanted.decided in (None, decided)
        and wanted.user_name in (None, "sara")
        and wanted.model in (None, "13b")
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(example=examples)
def test_nobody_sees_beyond_the_wall(address, spool_path, example):
    asked, viewer, wanted, pinned = example

    async def seen():
        async with await QueryLog.open(address, spool_path) as log:
            team = {name: f"{name}-{a_query().event_key}" for name in TEAMS}  # every example has teams of its own
            reader = Viewer(**{**fields_of(viewer), "team": team[viewer.team]})
            entries = [a_query(**{**asking, "team": team[asking["team"]]}) for asking in asked]
            numbers = [await log.append(entry) for entry in entries]
            decision = entries[pinned % len(entries)]
            owner = Viewer(team=decision.team, user=decision.user, channel=decision.channel)
            await log.pin(owner, decision.public_id, "agreed", by_name="Sara", at=NOON)
            allowed = [
                (entry, number) for entry, number in zip(entries, numbers, strict=True) if may_see(reader, entry)
            ]
            listed = [(entry, number) for entry, number in allowed if passes(wanted, entry, entry is decision)]
            expected = [number for _, number in sorted(listed, key=lambda pair: pair[0].asked_at, reverse=True)]
            assert [row.number async for row in log.export(reader, wanted)] == expected
            assert [row.number for row in (await log.page(reader, wanted)).rows] == expected
            assert await log.count(reader, wanted) == len(expected)
            for entry, number in zip(entries, numbers, strict=True):
                shown = await log.show(reader, entry.public_id)
                assert (shown is not None) == may_see(reader, entry)
                by_number = await log.show(reader, number)
                assert by_number is None or may_see(reader, by_number)
                if shown is None:
                    assert await log.pin(reader, entry.public_id, "mine", by_name="", at=NOON) is None
                    assert await log.forget(reader, entry.public_id) is None
                    assert await log.history(reader, entry.public_id) == ()
                    assert await log.first_act(reader, entry.public_id, "share", at=NOON) is None

    asyncio.run(seen())


def fields_of(viewer):
    return {name: getattr(viewer, name) for name in ("team", "user", "channel", "is_admin", "shown_to_channel")}


async def test_unknown_foreign_and_hidden_rows_read_the_same(log):
    await log.append(a_query(team="red", public_id="foreign-id"))
    await log.append(a_query(visibility="asker", user="ali", public_id="hidden--id"))
    for number in ("foreign-id", "hidden--id", "unknown-id", "\x00\udcff", "", 1, 2, 0, -1, 10**30):
        assert await log.show(SARA, number) is None


async def test_an_administrator_sees_no_more(log):
    await log.append(a_query(visibility="direct", user="ali"))
    assert (await log.page(Viewer(team="blue", user="sara", is_admin=True))).rows == ()

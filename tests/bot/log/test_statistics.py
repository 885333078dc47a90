"""Figures over the rows that a reader may see, the same on both databases."""

from datetime import timedelta

from bot.log import Measured, Viewer
from tests.bot.log.making import NOON, SARA, a_query


async def test_questions_are_counted_between_moments_and_within_the_wall(log):
    for hours, changes in (
        (0, {}),
        (1, {}),
        (25, {}),
        (25, {"visibility": "asker", "user": "ali"}),
        (25, {"team": "red"}),
        (50, {}),
    ):
        await log.append(a_query(asked_at=NOON + timedelta(hours=hours), **changes))
    edges = [NOON + timedelta(days=day) for day in range(3)]
    assert await log.asked_between(SARA, edges) == (2, 1)
    assert await log.asked_between(Viewer(team="blue", user="ali"), edges) == (2, 2)


async def test_most_asked_models_come_first_and_only_since_then(log):
    for model in ("13b", "70b", "70b", None):
        await log.append(a_query(model=model, asked_at=NOON))
    await log.append(a_query(model="7b", asked_at=NOON - timedelta(days=1)))
    await log.append(a_query(model="secret", asked_at=NOON, visibility="direct", user="ali"))
    assert await log.most_asked_models(SARA, NOON, 5) == (("70b", 2), ("13b", 1))
    assert await log.most_asked_models(SARA, NOON, 1) == (("70b", 2),)


async def test_runs_are_the_teams_public_ones_of_one_engine(log):
    def outcome(engine):
        return f'{{"kind":"answer","question":{{"engine":"{engine}"}}}}'

    for engine, changes in (
        ("vllm", {"need_gb": 30.0}),
        ("guide", {"need_gb": 31.0}),
        ("vllm", {"need_gb": 32.0, "visibility": "asker"}),
        ("vllm", {"need_gb": 33.0, "team": "red"}),
    ):
        entry = a_query(outcome_json=outcome(engine), **changes)
        await log.append(entry)
        viewer = Viewer(team=entry.team, user=entry.user)
        for gb in (20.0, 29.0):  # the latest of a query counts
            await log.measured(viewer, entry.public_id, Measured(gb, None, "", "sara", "Sara", NOON))
    assert await log.team_runs("blue", "vllm") == [(30.0, 29.0)]
    assert await log.team_runs("blue", "guide") == [(31.0, 29.0)]
    assert await log.team_runs("nobody", "vllm") == []


async def test_a_decision_says_what_it_stands_in_place_of(log):
    for _ in range(3):
        await log.append(a_query())
    for number in (1, 2, 3):
        await log.pin(SARA, number, "", by_name="Sara", at=NOON)
    assert await log.superseded(SARA, 3) == (2,)
    assert await log.superseded(SARA, 2) == (1,)
    assert await log.superseded(SARA, 1) == ()
    assert await log.superseded(Viewer(team="red", user="sara"), 3) == ()

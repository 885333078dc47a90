"""What the rows that a reader may see come to: for charts, and for calibration. Every statement carries the wall."""

import json
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.entry import Viewer
from bot.log.rows import standing
from bot.log.tables import measured_runs, queries
from bot.log.wall import PUBLIC, visible_scopes, wall


async def asked_between(connection: AsyncConnection, viewer: Viewer, edges: Sequence[datetime]) -> tuple[int, ...]:
    """How many questions were asked from each moment to the next. One range of the index each, no row is read."""
    own = (queries.c.team == viewer.team, queries.c.scope.in_(visible_scopes(viewer)))
    counts = [
        select(func.count()).where(*own, queries.c.asked_at >= since, queries.c.asked_at < until).scalar_subquery()
        for since, until in pairwise(edges)
    ]
    return tuple((await connection.execute(select(*counts))).one())


async def most_asked_models(
    connection: AsyncConnection, viewer: Viewer, since: datetime, limit: int
) -> tuple[tuple[str, int], ...]:
    """The models asked for most since then, each with how often."""
    times = func.count().label("times")
    asked = select(queries.c.model, times).where(
        wall(viewer), queries.c.asked_at >= since, queries.c.model.is_not(None)
    )
    most = asked.group_by(queries.c.model).order_by(times.desc(), queries.c.model).limit(limit)
    return tuple((model, count) for model, count in await connection.execute(most))


async def team_runs(connection: AsyncConnection, team: str, engine: str) -> list[tuple[float, float]]:
    """(predicted GB, measured GB) of the team's public runs of one engine profile, the latest of each query.

    Never across teams, and nothing of private questions: what is fitted to these is seen by the whole team.
    """
    own = (measured_runs.c.team == team, measured_runs.c.scope == PUBLIC, measured_runs.c.until.is_(None))
    wanted = select(queries.c.need_gb, measured_runs.c.gb, queries.c.outcome_json)
    found = await connection.execute(wanted.join(measured_runs, standing(measured_runs)).where(*own))
    return [
        (predicted_gb, measured_gb)
        for predicted_gb, measured_gb, outcome in found
        if predicted_gb is not None and _engine_of(outcome) == engine
    ]


def _engine_of(outcome_json: str) -> str | None:
    outcome = json.loads(outcome_json)
    question = outcome.get("question") if isinstance(outcome, dict) else None
    return question.get("engine") if isinstance(question, dict) else None

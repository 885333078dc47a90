"""Decisions, measured runs and pressed buttons: what people add to a query afterwards.

Each function works in the caller's transaction and begins by locking the team's counter row, so that two people who pin
the same question at once come one after the other. Everything goes through the wall: what the viewer may not see, they
can neither pin nor measure. Pinning widens nothing, since a decision keeps the scope of its query; it supersedes an
older decision on the same question within that scope only.
"""

import hashlib
import json
from dataclasses import asdict, fields
from datetime import datetime

from sqlalchemy import and_, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.entry import Decision, Measured, PastDecision, StoredQuery, Viewer
from bot.log.read import read_one
from bot.log.rows import stored, whole_rows
from bot.log.tables import acts, decisions, measured_runs, queries, teams
from bot.log.wall import scope_of, wall
from bot.log.word_index import change_note
from engine.errors import NotAllowed

KEY_LENGTH = 32  # hexadecimal digits of SHA-256: 128 bits, no two questions meet


async def lock_team(connection: AsyncConnection, team: str) -> None:
    """The others who decide or store in this team wait until this transaction ends."""
    await connection.execute(select(teams.c.last_number).where(teams.c.team == team).with_for_update())


async def pin(connection: AsyncConnection, viewer: Viewer, number: int | str, decision: Decision) -> StoredQuery | None:
    """Makes the query the decision on its question; the older one becomes history. None where there is none to see."""
    await lock_team(connection, viewer.team)
    row = await read_one(connection, viewer, number)
    if row is None:
        return None
    await _end_older(connection, viewer, row, decision.at)
    values = {**_place(row), **asdict(decision), "question_key": question_key(row)}
    await connection.execute(insert(decisions).values(**values))
    await change_note(connection, row, decision.note)
    return await read_one(connection, viewer, row.number)


async def unpin(connection: AsyncConnection, viewer: Viewer, number: int | str, at: datetime) -> StoredQuery | None:
    """Ends the decision. None where there is no query to see; a query that is not pinned is left as it is.

    Raises:
        NotAllowed: somebody else pinned it and the viewer is no administrator.
    """
    await lock_team(connection, viewer.team)
    row = await read_one(connection, viewer, number)
    if row is None or row.decision is None:
        return row
    if row.decision.by != viewer.user and not viewer.is_admin:
        raise NotAllowed(f"unpin {row.number}", reason="only who pinned it, or an administrator, may unpin it")
    ending = update(decisions).where(decisions.c.team == row.team, decisions.c.number == row.number)
    await connection.execute(ending.where(decisions.c.until.is_(None)).values(until=at, until_by=viewer.user))
    await change_note(connection, row, None)
    return await read_one(connection, viewer, row.number)


async def measure(
    connection: AsyncConnection,
    viewer: Viewer,
    number: int | str,
    run: Measured,
) -> StoredQuery | None:
    """Records what a run really took; an earlier record is kept behind it. None where there is no query to see."""
    await lock_team(connection, viewer.team)
    row = await read_one(connection, viewer, number)
    if row is None:
        return None
    earlier = update(measured_runs).where(measured_runs.c.team == row.team, measured_runs.c.number == row.number)
    await connection.execute(earlier.where(measured_runs.c.until.is_(None)).values(until=run.at))
    await connection.execute(insert(measured_runs).values(**_place(row), **asdict(run)))
    return await read_one(connection, viewer, row.number)


async def first_act(
    connection: AsyncConnection, viewer: Viewer, number: int | str, action: str, at: datetime
) -> bool | None:
    """True the first time this person does this to this query, then False. None where there is no query to see."""
    await lock_team(connection, viewer.team)
    row = await read_one(connection, viewer, number)
    if row is None:
        return None
    key = {"team": row.team, "number": row.number, "action": action, "user": viewer.user}
    done = await connection.execute(select(acts.c.at).where(*[acts.c[name] == value for name, value in key.items()]))
    if done.first() is not None:
        return False
    await connection.execute(insert(acts).values(**key, at=at))
    return True


async def history(connection: AsyncConnection, viewer: Viewer, number: int | str) -> tuple[PastDecision, ...]:
    """Every decision on the query, the latest first."""
    row = await read_one(connection, viewer, number)
    if row is None:
        return ()
    wanted = select(*[decisions.c[field.name] for field in fields(PastDecision)])
    ours = wanted.where(decisions.c.team == row.team, decisions.c.number == row.number)
    found = await connection.execute(ours.order_by(decisions.c.id.desc()))
    return tuple(PastDecision(**past) for past in found.mappings())


async def superseded(connection: AsyncConnection, viewer: Viewer, number: int | str) -> tuple[int, ...]:
    """The numbers of the queries that this one stands in place of as a decision, the latest first."""
    row = await read_one(connection, viewer, number)
    if row is None:
        return ()
    older = and_(decisions.c.team == row.team, decisions.c.scope == scope_of(row), decisions.c.number != row.number)
    wanted = select(decisions.c.number).where(older, decisions.c.superseded_by == row.number)
    found = await connection.execute(wanted.order_by(decisions.c.id.desc()))
    return tuple(dict.fromkeys(found.scalars()))


def question_key(row: StoredQuery) -> str:
    """The same word for the same question, however it was typed; a query without a question is its own."""
    if row.question_json is None:
        return f"#{row.number}"
    question = json.loads(row.question_json)
    if isinstance(question, dict):
        question.pop("text", None)
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:KEY_LENGTH]


async def _end_older(connection: AsyncConnection, viewer: Viewer, row: StoredQuery, at: datetime) -> None:
    """Ends the standing decisions on this query and on the same question in the same scope."""
    same = or_(decisions.c.number == row.number, decisions.c.question_key == question_key(row))
    older = and_(decisions.c.team == row.team, decisions.c.scope == scope_of(row), decisions.c.until.is_(None), same)
    others = await connection.execute(whole_rows().where(wall(viewer), older, queries.c.number != row.number))
    for other in [stored(found) for found in others.mappings()]:
        await change_note(connection, other, None)
    ending = {"until": at, "until_by": viewer.user, "superseded_by": row.number}
    await connection.execute(update(decisions).where(older).values(**ending))


def _place(row: StoredQuery) -> dict[str, object]:
    return {"team": row.team, "number": row.number, "scope": scope_of(row), "asked_at": row.asked_at}

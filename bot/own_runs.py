"""A team's own measured runs of the engine that a question names: they narrow the range of its answer.

Read before the answer is reckoned, so the wait is bounded: an answer never waits long for the log, and without it the
range is the profile's.
"""

from typing import Final

from bot.log.entry import LogAway
from bot.ports import Log
from engine.question import Engine

WAIT_SECONDS: Final = 0.25


async def own_runs(log: Log, team: str, engine: Engine | None, wait_seconds: float = WAIT_SECONDS) -> tuple[float, ...]:
    """Measured over predicted GB of each of the team's runs under the engine; nothing where the log is slow or away."""
    if engine is None or engine == "guide":
        return ()
    import asyncio  # noqa: PLC0415 - a card without an engine does not wait for it

    reading = asyncio.create_task(_ratios(log, team, engine))
    done, _ = await asyncio.wait({reading}, timeout=wait_seconds)
    if not done:
        reading.cancel()
        return ()
    return reading.result()


async def _ratios(log: Log, team: str, engine: Engine) -> tuple[float, ...]:
    try:
        runs = await log.team_runs(team, engine)
    except LogAway:
        return ()
    return tuple(measured_gb / predicted_gb for predicted_gb, measured_gb in runs if predicted_gb > 0)

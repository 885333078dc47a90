"""`vram export` and `vram prune`: what only the terminal does with the log."""

import contextlib
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

import click

from adapters.terminal.output import complain, put, show
from bot.log.entry import Filters, LogAway, StoredQuery, Viewer
from bot.ports import Clock
from bot.refusals import problem
from bot.review.exporting import FORMATS
from bot.review.filters import wanted
from engine.errors import EngineError

FAILED: Final = 1
REFUSED: Final = 2
LINES_AT_ONCE: Final = 500


class KeptLog(Protocol):
    def export(self, viewer: Viewer, filters: Filters) -> AsyncIterator[StoredQuery]: ...

    async def count(self, viewer: Viewer, filters: Filters) -> int: ...

    async def prune(self, before: datetime) -> int: ...


@dataclass(frozen=True, slots=True)
class Keeper:
    """What export and prune need; `days` is how long questions are kept, None for ever."""

    log: KeptLog
    clock: Clock
    days: int | None


async def export(keeper: Keeper, viewer: Viewer, words: Sequence[str]) -> int:
    """Writes the rows that the filters let through to standard output. Returns the exit status."""
    kind, texts = _format(words)
    try:
        filters = wanted(" ".join(texts), user=viewer.user, now=keeper.clock.now()).filters
        await _write(keeper.log, viewer, filters, kind)
    except EngineError as error:
        complain(problem(error).text)
        return REFUSED
    except LogAway as away:
        complain(f"The log cannot be read: {away.reason}")
        return FAILED
    return 0


async def prune(keeper: Keeper) -> int:
    """Deletes what is older than VRAM_LOG_DAYS, decisions excepted. Returns the exit status."""
    if keeper.days is None:
        complain("VRAM_LOG_DAYS is not set: questions are kept for ever, nothing is deleted.")
        return REFUSED
    try:
        count = await keeper.log.prune(keeper.clock.now() - timedelta(days=keeper.days))
    except LogAway as away:
        complain(f"The log cannot be pruned: {away.reason}")
        return FAILED
    questions = "1 question" if count == 1 else f"{count:,} questions"
    show(f"{questions} older than {keeper.days} days deleted. Decisions are kept.", sys.stdout)
    return 0


def _format(words: Sequence[str]) -> tuple[str, list[str]]:
    """The format and the filters. Raises click.UsageError where there is no such format."""
    kind, texts, rest = "csv", [], iter(words)
    for word in rest:
        name, _, value = word.partition("=")
        if name == "--format":
            kind = value or next(rest, "")
        else:
            texts.append(word)
    if kind not in FORMATS:
        raise click.UsageError(f"--format {kind or 'is not said'}: allowed are {' and '.join(FORMATS)}.")
    return kind, texts


async def _write(log: KeptLog, viewer: Viewer, filters: Filters, kind: str) -> None:
    head, line = FORMATS[kind]
    out = sys.stdout
    if hasattr(out, "reconfigure"):
        out.reconfigure(encoding="utf-8", newline="")  # a file is read elsewhere, whatever this terminal can show
    lines = [head]
    with _bar(await log.count(viewer, filters) if _is_watched() else 0) as step:
        async for row in log.export(viewer, filters):
            lines.append(line(row))
            if len(lines) >= LINES_AT_ONCE:
                put("".join(lines), out)
                step(len(lines))
                lines = []
    put("".join(lines), out)


class _Step(Protocol):
    def __call__(self, lines: int, /) -> object: ...


def _is_watched() -> bool:
    """Whether somebody looks at the bar, and not at the rows themselves."""
    return sys.stderr is not None and sys.stderr.isatty() and not sys.stdout.isatty()


@contextlib.contextmanager
def _bar(total: int) -> Iterator[_Step]:
    if not total:
        yield lambda lines: lines
        return
    from tqdm import tqdm  # noqa: PLC0415 - a question does not wait for it

    with tqdm(total=total, desc="export", unit=" rows", leave=False) as bar:
        yield bar.update

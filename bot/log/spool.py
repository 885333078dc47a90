"""Where questions wait while the database is away: a file of JSON Lines beside it, shared by all processes of a host.

Two files and two locks. New lines are added to `spool` under `spool.lock`, each forced to the disk before the caller
goes on. Whoever replays holds `spool.replay.lock`, moves `spool` aside to `spool.replay`, stores its lines in order and
deletes it only after the last commit. A crash at any point leaves lines that are replayed again, which the event key
makes harmless. Lines that cannot be read or that the database refuses for good go to `spool.damaged`, so that they
neither stop the rest nor vanish. The files are their owner's alone.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from bot.log.entry import NewQuery

OWNER_ONLY = 0o600
KNOWN_FIELDS = frozenset(field.name for field in fields(NewQuery))


class Spool:
    """The waiting questions. All methods block shortly; they are called in a thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replayed = path.with_name(path.name + ".replay")
        self._damaged = path.with_name(path.name + ".damaged")
        self._add_lock = path.with_name(path.name + ".lock")
        self._replay_lock = path.with_name(path.name + ".replay.lock")

    def holds_rows(self) -> bool:
        return _size(self._path) > 0 or _size(self._replayed) > 0

    def add(self, entry: NewQuery) -> None:
        """Returns when the question is on the disk; OSError where it cannot be, with nothing half kept."""
        with self._adding():
            _append(self._path, [line_of(entry)])

    @contextmanager
    def replaying(self) -> Iterator[bool]:
        """Held by one process at a time; False where another one holds it."""
        with _opened(self._replay_lock) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def take(self) -> tuple[str, ...]:
        """The oldest waiting lines; they stay on the disk until `done`. Only while `replaying`."""
        if _size(self._replayed) == 0:
            with self._adding(), suppress(FileNotFoundError):
                self._path.replace(self._replayed)
        with suppress(FileNotFoundError):
            return tuple(self._replayed.read_text("utf-8", "replace").splitlines())
        return ()

    def done(self, refused: Iterable[str]) -> None:
        """The lines taken are stored; `refused` are those that never can be."""
        kept = list(refused)
        if kept:
            _append(self._damaged, kept)
        self._replayed.unlink(missing_ok=True)

    def remove(self, public_id: str) -> None:
        """Forgets a question that still waits or was set aside, whole or damaged; waits for a replay to end."""
        held = [path for path in (self._replayed, self._path, self._damaged) if path.exists()]
        if not held:
            return
        with _opened(self._replay_lock) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self._adding():
                for path in held:
                    _remove_lines(path, json.dumps(public_id))

    def waiting(self) -> int:
        """How many lines wait."""
        return sum(_lines(path) for path in (self._replayed, self._path))

    @contextmanager
    def _adding(self) -> Iterator[None]:
        with _opened(self._add_lock) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def line_of(entry: NewQuery) -> str:
    """One question as a line of JSON, in ASCII, so that no character can break a line."""
    values = {name: value for name, value in asdict(entry).items() if name in KNOWN_FIELDS}
    money = None if entry.usd_month is None else str(entry.usd_month)
    return json.dumps({**values, "asked_at": entry.asked_at.isoformat(), "usd_month": money})


def entry_of(line: str) -> NewQuery | None:
    """The question of a line; None where the line is damaged. Fields that a newer release added are left out."""
    try:
        values: dict[str, Any] = json.loads(line)
        money = values["usd_month"]
        values["usd_month"] = None if money is None else Decimal(money)
        values["asked_at"] = datetime.fromisoformat(values["asked_at"])
        return NewQuery(**{name: values[name] for name in KNOWN_FIELDS})
    except (ValueError, TypeError, KeyError, ArithmeticError):
        return None


def _lines(path: Path) -> int:
    try:
        return path.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """The file, made for its owner alone where there is none, for adding to it and reading it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
    try:
        yield handle
    finally:
        os.close(handle)


def _append(path: Path, lines: list[str]) -> None:
    """Adds whole lines or, where the disk is full, nothing."""
    with _opened(path) as file:
        before = os.fstat(file).st_size
        half_line = before > 0 and os.pread(file, 1, before - 1) != b"\n"  # a crash while writing
        rest = b"\n" * half_line + "".join(line + "\n" for line in lines).encode()
        try:
            while rest:
                rest = rest[os.write(file, rest) :]
            os.fsync(file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(file, before)
            raise
    if before == 0:
        _force_folder(path.parent)


def _remove_lines(path: Path, holding: str) -> None:
    with suppress(FileNotFoundError):
        lines = path.read_text("utf-8", "replace").splitlines()
        kept = [line for line in lines if holding not in line]
        if len(kept) < len(lines):
            fresh = path.with_name(path.name + ".new")
            fresh.unlink(missing_ok=True)
            _append(fresh, kept)
            fresh.replace(path)
            _force_folder(path.parent)


def _force_folder(folder: Path) -> None:
    """A new name is on the disk only when its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

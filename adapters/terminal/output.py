"""Writing to the terminal: nothing that a reader does to the other end may show a traceback."""

import contextlib
import os
import sys
from collections.abc import Mapping
from typing import TextIO


class NotWritten(Exception):
    """What was to be shown is not: the disk behind the output is full, say. A reader that went away is no such case."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"The output cannot be written: {error.strerror or type(error).__name__}.")


def wants_colour(stream: TextIO | None, *, plain: bool, no_color: str, terminal: str) -> bool:
    """Colour is for a terminal that can show it and a person who has not declined (no-color.org)."""
    if stream is None or plain or no_color or terminal == "dumb":
        return False
    return stream.isatty()


def prepare(streams: tuple[TextIO | None, ...]) -> None:
    """Characters that the encoding lacks become question marks, not errors."""
    for stream in streams:
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def show(text: str, stream: TextIO | None) -> None:
    """Writes a text and a line end, at once. Where nobody reads any more, nothing happens.

    Raises:
        NotWritten: it cannot be written for another reason.
    """
    if stream is None or not text:
        return
    with contextlib.suppress(BrokenPipeError):
        put(f"{text}\n", stream)


def put(text: str, stream: TextIO) -> None:
    """Writes a text as it is, at once.

    Raises:
        BrokenPipeError: nobody reads any more.
        NotWritten: it cannot be written for another reason.
    """
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        to_nowhere(stream)
        raise
    except OSError as error:
        to_nowhere(stream)
        raise NotWritten(error) from None


def complain(text: str) -> None:
    """Says on standard error what went wrong; there is nowhere left to say that this fails."""
    with contextlib.suppress(NotWritten):
        show(text, sys.stderr)


def to_nowhere(stream: TextIO) -> None:
    """What is still in the buffer goes nowhere, so that Python does not complain when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    finally:
        os.close(nowhere)


def is_utf8(stream: TextIO | None) -> bool:
    return stream is not None and (stream.encoding or "").lower().replace("-", "") == "utf8"


def has_blocks(stream: TextIO | None) -> bool:
    """Whether the output has the characters that the bar is drawn with."""
    try:
        "█░".encode((stream and stream.encoding) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def caller(environment: Mapping[str, str]) -> str:
    """The name of the person at the terminal."""
    for name in ("LOGNAME", "USER", "USERNAME"):
        if environment.get(name):
            return environment[name]
    return _account() or "somebody"


def _account() -> str:
    try:
        import pwd  # noqa: PLC0415 - not on Windows
    except ImportError:
        return ""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())

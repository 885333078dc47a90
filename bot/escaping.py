"""Makes foreign text harmless on each platform. Every expression of a template passes through one of these."""

import re
from collections.abc import Callable, Mapping
from typing import Final

CONTROL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1: terminal sequences begin here
    "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # invisible, or turning the line round
    "\ud800-\udfff\U000e0000-\U000e007f]"  # lone surrogates, tags
)
UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
DISCORD_MARKS: Final = re.compile(r"[\\*_~`|\[\]<]|^[ \t]*(?:[-+>]|#(?!\d))", re.MULTILINE)
"""Lists, quotes and headings begin a line; a link needs its brackets, a mention or emoji its `<`."""
DISCORD_INVITES: Final = re.compile(r"\b(discord|discordapp|dsc)\.(?=gg|com|me|io)", re.IGNORECASE)
ZERO_WIDTH: Final = "\u200b"


class Safe(str):
    """Text that is already in the platform's markup."""

    __slots__ = ()


def plain(text: str) -> str:
    r"""Text without control characters, terminal sequences and marks that turn the line round.

    >>> plain("a\x1b[31mb\u202ec")
    'a[31mbc'
    """
    return CONTROL.sub("", text)


def terminal(text: str) -> str:
    """Text for a terminal, with its own spaces in place of those that hold a figure and its unit together."""
    return plain(text).replace("\u00a0", " ")


def slack(text: str) -> str:
    """Slack reads only these three as markup.

    Source: docs.slack.dev, messaging/formatting-message-text.
    """
    return plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def discord(text: str) -> str:
    r"""Markdown off, and no `@` that reads as a mention, no address that reads as a link or an invite.

    >>> discord("# **13b** - q4_k_m")
    '\\# \\*\\*13b\\*\\* - q4\\_k\\_m'
    """
    return unlinked(DISCORD_MARKS.sub(_escaped_mark, plain(text)))


def unlinked(text: str) -> str:
    """Text in which nothing reads as a mention, a link or an invite."""
    broken = text.replace("@", f"@{ZERO_WIDTH}").replace("//", f"/{ZERO_WIDTH}/")
    return DISCORD_INVITES.sub(rf"\1{ZERO_WIDTH}.", broken)


def _escaped_mark(mark: re.Match[str]) -> str:
    return f"{mark[0][:-1]}\\{mark[0][-1]}"


ESCAPES: Final[Mapping[str, Callable[[str], str]]] = {"terminal": terminal, "slack": slack, "discord": discord}


def storable(text: str) -> str:
    """Text that every database and every encoding takes: no NUL, no lone surrogate."""
    return UNSTORABLE.sub("\ufffd", text)


def quoted(text: str, most: int = 60) -> str:
    """Foreign text in quotation marks, on one line, not longer than `most` characters."""
    line = " ".join(plain(text).split())
    return f'"{line if len(line) <= most else line[: most - 1] + "…"}"'

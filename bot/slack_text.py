"""What Slack's templates need beyond escaping: bold and code that no text from people can break out of."""

from collections.abc import Callable
from typing import Final

from bot.escaping import Safe, slack

STAR: Final = "∗"
"""Reads like a star and ends no bold text."""


def strong(text: str) -> Safe:
    """Bold, on one line.

    >>> strong("70b *int4* & more")
    '*70b ∗int4∗ &amp; more*'
    """
    line = " ".join(slack(text).split(" ")).replace("\n", " ").strip().replace("*", STAR).replace("`", "'")
    return Safe(f"*{line}*" if line else "")


def code(text: str) -> Safe:
    """As code, on one line.

    >>> code("13b `lora`")
    "`13b 'lora'`"
    """
    line = slack(text).replace("\n", " ").strip().replace("`", "'")
    return Safe(f"`{line}`" if line else "")


def line(text: str) -> Safe:
    """On one line."""
    return Safe(" ".join(slack(text).split("\n")).replace("\t", " ").strip())


SLACK_FILTERS: Final[dict[str, Callable[..., Safe]]] = {"strong": strong, "code": code, "line": line}

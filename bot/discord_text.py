"""What Discord's templates need beyond escaping: code, which shows a backslash, so nothing in it is escaped."""

from collections.abc import Callable, Iterable
from typing import Final

from bot.escaping import Safe, plain, unlinked

QUOTE: Final = "'"
"""Stands for a backtick, which would end the code."""


def code(text: str) -> Safe:
    """As code, on one line.

    >>> code("13b `lora`")
    "`13b 'lora'`"
    """
    line = _inside(text).replace("\n", " ").strip()
    return Safe(f"`{line}`" if line else "")


def script(parts: Iterable[str]) -> Safe:
    r"""A command to be copied, a part a line.

    >>> print(script(("vllm serve x", "--dtype bfloat16")))
    ```
    vllm serve x \
        --dtype bfloat16
    ```
    """
    lines = " \\\n    ".join(_inside(part) for part in parts)
    return Safe(f"```\n{lines}\n```")


def _inside(text: str) -> str:
    return unlinked(plain(text)).replace("`", QUOTE)


CODE_FILTERS: Final[dict[str, Callable[..., Safe]]] = {"code": code, "script": script}

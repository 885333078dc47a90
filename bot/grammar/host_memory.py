"""The memory of the host: `64gb ram`, `16 GB of system memory`. No GPU has it, and it decides nothing here."""

from typing import Final

_NAMES: Final = frozenset({"ram", "ddr4", "ddr5"})
_WHOSE: Final = frozenset({"system", "host", "main", "cpu"})
_MEMORY: Final = frozenset({"ram", "memory", "mem"})


def host_words(behind: list[str]) -> int:
    """How many of the words behind a memory size say that it is the host's; 0 where they do not.

    >>> host_words(["of", "system", "memory"]), host_words(["ram"]), host_words(["vram"])
    (3, 1, 0)
    """
    of = 1 if behind[:1] == ["of"] else 0
    first, second = ([*behind[of : of + 2], "", ""])[:2]
    if first in _NAMES:
        return of + 1
    return of + 2 if first in _WHOSE and second in _MEMORY else 0

"""The only unit conversions: decimal gigabytes, binary gibibytes, tokens.

GB is 10**9 bytes and GiB is 2**30 bytes; a month is 720 hours (gpu-rent-hub's own convention).
"""

from typing import Final

GB: Final = 10**9
GIB: Final = 2**30
MIB: Final = 2**20
HOURS_A_MONTH: Final = 720
TOKENS_A_K: Final = 1024


def gb(size_bytes: float) -> float:
    """Size in GB (10**9 bytes), not rounded.

    >>> gb(26_000_000_000)
    26.0
    """
    return size_bytes / GB


def gib_of_gb(size_gb: float) -> float:
    """Size in GiB (2**30 bytes) of a size in GB (10**9 bytes), not rounded.

    >>> round(gib_of_gb(26.0), 2)
    24.21
    """
    return size_gb * GB / GIB


def gb_of_mib(size_mib: float) -> float:
    """Size in GB (10**9 bytes) of a size in MiB (2**20 bytes), not rounded.

    >>> round(gb_of_mib(24_576), 2)
    25.77
    """
    return size_mib * MIB / GB

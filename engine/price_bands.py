"""What a GPU hour may cost: a price far outside is a slip of the unit (a minute's for an hour's, cents for dollars)."""

from decimal import Decimal
from functools import cache
from typing import Final

from engine.gpus import Gpu
from engine.units import HOURS_A_MONTH

BANDS_USD_HOUR: Final = (
    (24.0, Decimal("0.01"), Decimal(6)),
    (48.0, Decimal("0.03"), Decimal(10)),
    (96.0, Decimal("0.10"), Decimal(20)),
    (float("inf"), Decimal("0.20"), Decimal(45)),
)
"""Memory up to so many GB, and the least and most US dollars an hour of one GPU.

Wide around every dated price of 2026 in market_2026.csv (one GPU hour: 0.11-3.06, 0.17-3.77, 0.67-12.29, 1.50-14.24),
and narrow enough that sixty times a usual price falls outside.
"""


@cache
def band_usd_hour(memory_gb: float) -> tuple[Decimal, Decimal]:
    """Least and most US dollars an hour of one GPU of so much memory.

    >>> band_usd_hour(80.0)
    (Decimal('0.10'), Decimal('20'))
    """
    return next((least, most) for most_gb, least, most in BANDS_USD_HOUR if memory_gb <= most_gb)


def is_sane(gpu: Gpu, count: int, usd_month: Decimal) -> bool:
    """Whether a price is one that such a set may have.

    Args:
        gpu: the kind.
        count: how many.
        usd_month: of the whole set.

    >>> from engine.gpus import gpu
    >>> h100 = gpu("h100-sxm-80")
    >>> is_sane(h100, 1, Decimal("3.49") * 720), is_sane(h100, 1, Decimal("3.49") * 60 * 720)
    (True, False)
    """
    least, most = band_usd_hour(gpu.memory_gb)
    return least <= usd_month / HOURS_A_MONTH / count <= most

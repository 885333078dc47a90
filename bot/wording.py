"""Numbers and names as people read them. Half rounds up, by Decimal (sizing guide, rules, "Show")."""

import re
from datetime import UTC, datetime
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from typing import Final

from engine.answer import TermName
from engine.gpus import gpu
from engine.models import shape
from engine.units import gib_of_gb
from engine.values import Workload

NO_BREAK: Final = "\u00a0"
"""Stands between a figure and its unit, so that no line ends between them."""

NOISE_PLACES: Final = 9
"""A sum of floats is off by less than this; without it 72.5 could round down."""

WORKLOADS: Final[dict[Workload, str]] = {
    "infer": "inference",
    "lora": "LoRA",
    "qlora": "QLoRA",
    "full": "full tuning",
}


TERMS: Final[dict[TermName, str]] = {"kv": "KV cache"}
"""Terms that people call otherwise than JSON does."""


def rounded(value: float | Decimal, places: int = 0) -> str:
    """The value with that many decimals, half up, thousands apart.

    >>> rounded(21.125, 2), rounded(1287.5), rounded(0.5)
    ('21.13', '1,288', '1')
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(round(value, NOISE_PLACES)))
    return f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,f}"


def whole_up(value: float) -> int:
    """The next whole number at or above the value."""
    return int(Decimal(repr(round(value, NOISE_PLACES))).to_integral_value(ROUND_CEILING))


def gb(size_gb: float, places: int = 0) -> str:
    return f"{rounded(size_gb, places)}{NO_BREAK}GB"


def gib(size_gb: float, places: int = 0) -> str:
    """GiB of a size given in GB."""
    return f"{rounded(gib_of_gb(size_gb), places)}{NO_BREAK}GiB"


def total_gb(need_gb: float, capacity_gb: float | None) -> str:
    r"""A total in whole GB; with one decimal where whole it would read as the capacity or more.

    >>> total_gb(34.84, 48.0), total_gb(39.7, 40.0)
    ('35\xa0GB', '39.7\xa0GB')
    """
    reads_as_full = capacity_gb is not None and Decimal(rounded(need_gb).replace(",", "")) >= Decimal(str(capacity_gb))
    return gb(need_gb, 1 if reads_as_full else 0)


def capacity(size_gb: float) -> str:
    r"""A memory size as it is sold: whole GB where it is whole.

    >>> capacity(48.0), capacity(2.5)
    ('48\xa0GB', '2.5\xa0GB')
    """
    return gb(size_gb, 0 if size_gb == int(size_gb) else 1)


def spare(spare_gb: float) -> str:
    """What is left or missing: whole GB, below 5 GB with one decimal."""
    size = gb(abs(spare_gb), 1 if abs(spare_gb) < 5 else 0)
    return f"{size} short" if spare_gb < 0 else f"{size} to{NO_BREAK}spare"


def usd(amount: Decimal | float, places: int = 0) -> str:
    sign = "-" if amount < 0 else ""
    return f"{sign}${rounded(max(amount, -amount), places)}"


def term(name: TermName) -> str:
    return TERMS.get(name, name)


def counted(count: int, thing: str) -> str:
    r"""A number of things.

    >>> counted(1, "user"), counted(1200, "user")
    ('1\xa0user', '1,200\xa0users')
    """
    return f"{count:,}{NO_BREAK}{thing}{'' if count == 1 else 's'}"


def tokens(count: int) -> str:
    return counted(count, "token")


def rate(tokens_per_second: float) -> str:
    """Tokens/s: whole, below 10 with one decimal."""
    return f"{rounded(tokens_per_second, 1 if tokens_per_second < 10 else 0)}{NO_BREAK}tokens/s"


def gpus(name: str, count: int) -> str:
    return name if count == 1 else f"{count:,}{NO_BREAK}×{NO_BREAK}{name}"


def gpu_name(gpu_id: str) -> str:
    """The name of a GPU by its id; the id itself where it has left the table."""
    try:
        return gpu(gpu_id).name
    except KeyError:
        return gpu_id


def model_name(model: str) -> str:
    """A model as it is written on the card.

    >>> model_name("13b"), model_name("30b-a3b")
    ('13B', '30B-A3B')
    """
    if re.match(r"[\d.]+b|\d+x", model):
        return re.sub(r"(?<=\d)b", "B", model).replace("-a", "-A")
    try:
        return shape(model).name
    except KeyError:
        return model


def place(platform: str, channel: str, private: str) -> str:
    """Where something was asked.

    >>> place("slack", "C1", "private channel"), place("terminal", "", "")
    ('slack C1, private channel', 'terminal')
    """
    return ", ".join(filter(None, (f"{platform} {channel}".strip(), private)))


def moment(when: datetime) -> str:
    """In UTC, to the minute."""
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M}"

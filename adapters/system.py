"""The real clock and the real ids."""

import secrets
import string
import time
from datetime import UTC, datetime
from typing import Final

ID_CHARACTERS: Final = string.ascii_letters + string.digits
ID_LENGTH: Final = 10


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def seconds(self) -> float:
        return time.perf_counter()


class RandomId:
    """Ids from the system's randomness: 62 to the power of 10 of them."""

    def new(self) -> str:
        return "".join(secrets.choice(ID_CHARACTERS) for _ in range(ID_LENGTH))

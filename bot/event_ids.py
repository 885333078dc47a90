"""Public ids of events that two processes may both get: the same event has the same id in each.

Decision: a platform may deliver one event to two processes, and only the first row of an event is stored. With random
ids the buttons of the other's reply would point at nothing. Costs: the id can be calculated by who knows the event; it
opens nothing, since what it leads to stands behind the log's wall and buttons are signed.
"""

import hashlib
import string
from typing import Final

CHARACTERS: Final = string.ascii_letters + string.digits
LENGTH: Final = 10


def public_id(*said: str) -> str:
    """10 characters that follow from what was said alone.

    >>> public_id("discord", "1"), public_id("discord", "2")
    ('AvSEvuCN9b', '3tnZPNALmJ')
    """
    number = int.from_bytes(hashlib.sha256("\0".join(said).encode("utf-8", "replace")).digest(), "big")
    characters = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(CHARACTERS))
        characters.append(CHARACTERS[place])
    return "".join(characters)

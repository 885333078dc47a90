"""Signed links to the log's web pages: a link says who reads, and until when. No link, no access.

Decision: who may see what is in the link, so that the pages need no login, cookie or memory of ours; a link can be
passed on, hence it is short-lived, and one that a whole channel sees opens one query and nothing of a single person's.
Costs: a link cannot be called back before it ends, unless VRAM_SECRET is changed. Kept by tests/bot/review/
test_web_links.py.
"""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from bot.log.entry import Viewer
from bot.ports import Clock
from bot.tokens import hkdf_sha256

PURPOSE: Final = b"vram-bot pages v1"
VALID: Final = timedelta(hours=12)
"""Our choice: a working day, and no link in an old message opens anything."""

SIGNATURE_BYTES: Final = 16
"""128 bits. Source: RFC 2104, section 5, asks for 80 bits or more."""

MOST_CHARACTERS: Final = 1500
ROOT: Final = "/log"


@dataclass(frozen=True, slots=True)
class Pass:
    """What a genuine link says.

    Attributes:
        only: the one query that it opens; empty where it opens all that the reader may see.
    """

    reader: Viewer
    until: datetime
    only: str


class WebLinks:
    """Makes links and reads them back. Holds the derived key alone."""

    __slots__ = ("_address", "_clock", "_key")

    def __init__(self, secret: str, address: str, clock: Clock) -> None:
        """`address`: where people reach the pages, as in https://vram.example.org."""
        if not secret:
            raise ValueError("the secret that signs links is empty")
        self._key = hkdf_sha256(secret.encode(), info=PURPOSE, length=32)
        self._address = address.rstrip("/")
        self._clock = clock

    def to_list(self, reader: Viewer, words: str) -> str:
        query = f"?{urlencode({'q': words})}" if words else ""
        return f"{self._address}{ROOT}/{self._token(reader, '')}{query}"

    def to_query(self, reader: Viewer, public_id: str) -> str:
        return f"{self._address}{ROOT}/{self._token(reader, '')}/q/{public_id}"

    def to_query_alone(self, reader: Viewer, public_id: str) -> str:
        return f"{self._address}{ROOT}/{self._token(reader, public_id)}/q/{public_id}"

    def opened(self, token: str) -> Pass | None:
        """What a link says; None where it was not made here, or is over."""
        if len(token) > MOST_CHARACTERS:
            return None
        body, _, signature = token.partition(".")
        given = signature.encode("utf-8", "surrogatepass")
        if not hmac.compare_digest(given, self._signature(body).encode()):
            return None
        team, user, shown_to_channel, only, seconds = json.loads(_decoded(body))
        until = datetime.fromtimestamp(seconds, UTC)
        if self._clock.now() >= until:
            return None
        return Pass(Viewer(team=team, user=user, shown_to_channel=shown_to_channel), until, only)

    def _token(self, reader: Viewer, only: str) -> str:
        until = int((self._clock.now() + VALID).timestamp())
        said = [reader.team, reader.user, reader.shown_to_channel, only, until]
        body = _encoded(json.dumps(said, separators=(",", ":")).encode())
        return f"{body}.{self._signature(body)}"

    def _signature(self, body: str) -> str:
        digest = hmac.new(self._key, body.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        return _encoded(digest[:SIGNATURE_BYTES])


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

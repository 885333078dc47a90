"""What a button carries: a short signed token that says what a click does, so that buttons need no memory of ours.

Decision: the state of a button is in the button. It works after a restart, on any process, for as long as the message
stands; a copied or invented one is refused. Costs: what does not fit into it gets no button, and a changed secret ends
all buttons. Kept by tests/bot/test_tokens.py.

The key comes from the secret by HKDF, so that the same secret can sign other things elsewhere without either standing
in for the other.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from bot.reply import Action, ActionCode

MOST_CHARACTERS: Final = 100
"""Of a token: Discord's custom_id is the narrower place. Source: discord-api-docs, components/reference."""

SIGNATURE_BYTES: Final = 12
"""96 bits: a guess succeeds once in 10**28. Source: RFC 2104, section 5, asks for 80 bits or more."""

PREFIX: Final = "v1"
SEPARATOR: Final = "."
READABLE: Final = "=,:;*/-_~"
PURPOSE: Final = b"vram-bot buttons v1"

CODES: Final[Mapping[ActionCode, str]] = {
    "share": "s",
    "arithmetic": "a",
    "pin": "p",
    "what-if": "w",
    "choose": "c",
    "show": "o",
    "next": "n",
}
ACTIONS: Final[Mapping[str, ActionCode]] = {code: action for action, code in CODES.items()}


class TokenTooLong(ValueError):
    """The action does not fit into a token; it gets no button."""


@dataclass(frozen=True, slots=True)
class Click:
    """What a verified token says."""

    code: ActionCode
    target: str
    argument: str


class Tokens:
    """Signs and verifies for one secret. Holds the derived key alone, and shows it nowhere."""

    __slots__ = ("_key",)

    def __init__(self, secret: str) -> None:
        if not secret:
            raise ValueError("the secret that signs buttons is empty")
        self._key = hkdf_sha256(secret.encode(), info=PURPOSE, length=32)

    def sign(self, action: Action, team: str) -> str:
        """The token of an action for one team: ASCII, at most 100 characters.

        Raises:
            TokenTooLong: its argument does not fit.
        """
        argument = quote(action.argument, safe=READABLE, errors="replace").replace(SEPARATOR, "%2E")
        body = SEPARATOR.join((PREFIX, CODES[action.code], action.target, argument))
        token = f"{body}{SEPARATOR}{self._signature(body, team)}"
        if len(token) > MOST_CHARACTERS:
            raise TokenTooLong(f"{len(token)} characters")
        return token

    def verify(self, token: str, team: str) -> Click | None:
        """What the token says; None where it was not signed here for this team, whatever is wrong with it."""
        body, _, signature = token[: MOST_CHARACTERS + 1].rpartition(SEPARATOR)
        given = signature.encode("utf-8", "surrogatepass")
        genuine = hmac.compare_digest(given, self._signature(body, team).encode())
        if not genuine or len(token) > MOST_CHARACTERS:
            return None
        _, letter, target, argument = body.split(SEPARATOR)
        code = ACTIONS.get(letter)
        return None if code is None else Click(code, target, unquote(argument))

    def _signature(self, body: str, team: str) -> str:
        message = f"{team}\0{body}".encode("utf-8", "surrogatepass")
        digest = hmac.new(self._key, message, hashlib.sha256).digest()[:SIGNATURE_BYTES]
        return base64.urlsafe_b64encode(digest).decode()


def hkdf_sha256(secret: bytes, *, info: bytes, length: int, salt: bytes = b"") -> bytes:
    """A key of at most 32 bytes from a secret, for one purpose.

    Source: RFC 5869, extract and the first block of expand.
    """
    extracted = hmac.new(salt or bytes(hashlib.sha256().digest_size), secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()[:length]

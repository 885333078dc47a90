"""Workspaces' tokens are sealed before they reach the database: who reads it cannot post as the bot.

AES-GCM of the package cryptography, which is Python's usual choice: the key comes by HKDF from the deployment's secret,
each token has a nonce of its own. With another secret the tokens are unreadable and the app is installed anew.
"""

import base64
import secrets
from typing import Any, Final, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.oauth.installation_store.models.installation import Installation

from bot.tokens import hkdf_sha256

PURPOSE: Final = b"vram-bot slack installations"
NONCE_BYTES: Final = 12
SEALED: Final = "sealed:"
FIELDS: Final = ("bot_token", "bot_refresh_token", "user_token", "user_refresh_token", "incoming_webhook_url")

Kept = TypeVar("Kept", Bot, Installation)


class Seal:
    """Seals and opens texts."""

    def __init__(self, secret: str) -> None:
        self._cipher = AESGCM(hkdf_sha256(secret.encode(), info=PURPOSE, length=32))

    def close(self, text: str) -> str:
        nonce = secrets.token_bytes(NONCE_BYTES)
        return SEALED + base64.urlsafe_b64encode(nonce + self._cipher.encrypt(nonce, text.encode(), None)).decode()

    def open(self, sealed: str) -> str | None:
        """The text; None where it was sealed with another secret, or not at all."""
        if not sealed.startswith(SEALED):
            return None
        raw = base64.urlsafe_b64decode(sealed.removeprefix(SEALED))
        try:
            return self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], None).decode()
        except InvalidTag:
            return None


class SealedStore(AsyncInstallationStore):
    """An installation store whose tokens are sealed in the one behind it."""

    def __init__(self, store: AsyncInstallationStore, seal: Seal) -> None:
        self._store = store
        self._seal = seal

    async def async_save(self, installation: Installation) -> None:
        await self._store.async_save(self._closed(installation))

    async def async_save_bot(self, bot: Bot) -> None:
        await self._store.async_save_bot(self._closed(bot))

    async def async_find_bot(self, **where: Any) -> Bot | None:  # noqa: ANN401 - passed on as it is
        return self._opened(await self._store.async_find_bot(**where))

    async def async_find_installation(self, **where: Any) -> Installation | None:  # noqa: ANN401 - passed on as it is
        return self._opened(await self._store.async_find_installation(**where))

    async def async_delete_bot(self, **where: Any) -> None:  # noqa: ANN401 - passed on as it is
        await self._store.async_delete_bot(**where)

    async def async_delete_installation(self, **where: Any) -> None:  # noqa: ANN401 - passed on as it is
        await self._store.async_delete_installation(**where)

    def _closed(self, kept: Kept) -> Kept:
        copy = type(kept)(**kept.__dict__)
        for name in FIELDS:
            if value := getattr(kept, name, None):
                setattr(copy, name, self._seal.close(value))
        return copy

    def _opened(self, kept: Kept | None) -> Kept | None:
        """The record with its tokens; None where they cannot be opened: the app has to be installed anew."""
        if kept is None:
            return None
        for name in FIELDS:
            if value := getattr(kept, name, None):
                setattr(kept, name, self._seal.open(value))
        return kept if getattr(kept, "bot_token", None) else None

"""The Web API of the workspace that a payload came from: one bot token, or many by installation."""

import asyncio
import logging
from collections import OrderedDict
from typing import Final, Protocol

from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.web.async_client import AsyncWebClient

MOST_WAITS: Final = 5
"""How often one call waits out a 429."""
CALL_SECONDS: Final = 10
KEPT: Final = 1_000
FRESH_SECONDS: Final = 300.0
"""How long a token is used before the store is asked again: the app may have been installed anew."""
DEFAULT_URL: Final = "https://slack.com/api/"


class Workspaces(Protocol):
    async def client(self, team_id: str, enterprise_id: str) -> AsyncWebClient | None:
        """The Web API with the bot's token there; None where the bot is not installed."""


def web_client(token: str | None, api_url: str | None, sdk_logger: logging.Logger) -> AsyncWebClient:
    """Waits where Slack says so, and repeats nothing that may have been done already."""
    base_url = (api_url or DEFAULT_URL).rstrip("/") + "/"
    retries = [AsyncRateLimitErrorRetryHandler(max_retry_count=MOST_WAITS)]
    return AsyncWebClient(
        token=token, base_url=base_url, timeout=CALL_SECONDS, logger=sdk_logger, retry_handlers=list(retries)
    )


class OneWorkspace:
    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client

    async def client(self, team_id: str, enterprise_id: str) -> AsyncWebClient | None:  # noqa: ARG002 - there is one
        return self._client


class InstalledWorkspaces:
    """Tokens from the installation store, kept for a while; asked only after a request was acknowledged."""

    def __init__(self, store: AsyncInstallationStore, api_url: str | None, sdk_logger: logging.Logger) -> None:
        self._store = store
        self._api_url = api_url
        self._sdk_logger = sdk_logger
        self._clients: OrderedDict[tuple[str, str], tuple[float, AsyncWebClient]] = OrderedDict()

    async def client(self, team_id: str, enterprise_id: str) -> AsyncWebClient | None:
        key, now = (team_id, enterprise_id), asyncio.get_running_loop().time()
        known = self._clients.get(key)
        if known is not None and known[0] > now:
            return known[1]
        bot = await self._store.async_find_bot(
            enterprise_id=enterprise_id or None, team_id=team_id or None, is_enterprise_install=not team_id
        )
        if bot is None or bot.bot_token is None:
            return None
        client = web_client(bot.bot_token, self._api_url, self._sdk_logger)
        self._clients[key] = (now + FRESH_SECONDS, client)
        if len(self._clients) > KEPT:
            self._clients.popitem(last=False)
        return client

"""Many workspaces: each installs the app by OAuth, its token is kept in the database of the log.

The pages are `/slack/install` and `/slack/oauth_redirect`. A workspace's token stands in the table `slack_bots`, as the
SDK stores it; who reads the database can post as the bot.
"""

import logging
from typing import TYPE_CHECKING, Any, Final

from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

SCOPES: Final = (
    "app_mentions:read",
    "channels:read",
    "chat:write",
    "commands",
    "groups:read",
    "im:history",
    "users:read",
)
"""The bot's scopes; manifest.yaml says what each is for."""

STATE_SECONDS: Final = 600


class Installations:
    """The store and the flow of one app."""

    def __init__(self, engine: "AsyncEngine", client_id: str, client_secret: str, sdk_logger: logging.Logger) -> None:
        self.store = AsyncSQLAlchemyInstallationStore(client_id, engine, logger=sdk_logger)
        self._states = AsyncSQLAlchemyOAuthStateStore(STATE_SECONDS, engine, logger=sdk_logger)
        self._client_id = client_id
        self._client_secret = client_secret
        self._sdk_logger = sdk_logger

    async def make_tables(self) -> None:
        stores: tuple[Any, ...] = (self.store, self._states)  # the SDK leaves its methods without types
        for store in stores:
            await store.create_tables()

    def flow(self, client: AsyncWebClient) -> AsyncOAuthFlow:
        return AsyncOAuthFlow(
            client=client,
            logger=self._sdk_logger,
            settings=AsyncOAuthSettings(
                client_id=self._client_id,
                client_secret=self._client_secret,
                scopes=list(SCOPES),
                installation_store=self.store,
                state_store=self._states,
                state_expiration_seconds=STATE_SECONDS,
                logger=self._sdk_logger,
            ),
        )

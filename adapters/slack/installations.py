"""Many workspaces: each installs the app by OAuth, its token is kept in the database of the log.

The pages are `/slack/install` and `/slack/oauth_redirect`. A workspace's token stands sealed in the table `slack_bots`
(adapters/slack/sealed.py).
"""

import logging
from dataclasses import dataclass, field
from typing import Final

from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

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
"""How long an installation may take, from its page to Slack's answer."""


@dataclass(frozen=True, slots=True)
class Installations:
    """The stores and the flow of one app."""

    client_id: str
    client_secret: str = field(repr=False)
    store: AsyncInstallationStore
    states: AsyncOAuthStateStore

    def flow(self, client: AsyncWebClient, sdk_logger: logging.Logger) -> AsyncOAuthFlow:
        return AsyncOAuthFlow(
            client=client,
            logger=sdk_logger,
            settings=AsyncOAuthSettings(
                client_id=self.client_id,
                client_secret=self.client_secret,
                scopes=list(SCOPES),
                installation_store=self.store,
                state_store=self.states,
                state_expiration_seconds=STATE_SECONDS,
                logger=sdk_logger,
            ),
        )

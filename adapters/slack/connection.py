"""The connection to Slack: the Bolt app, over Socket Mode, over signed HTTP, or both.

Decision: Bolt authorizes nothing by itself here. Its own way asks the Web API or the installation store before the
acknowledgement; ours takes the token after it (workspaces.py). Signatures are still checked by Bolt, on the raw body.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

logger = logging.getLogger(__name__)

EVENTS_PATH: Final = "/slack/events"
TIMESTAMP: Final = "X-Slack-Request-Timestamp"
UNSIGNED: Final = 401
PING_SECONDS: Final = 5
CONNECT_SECONDS: Final = 15.0
SDK_LOGGER: Final = "adapters.slack.sdk"


class SlackUnreachable(Exception):
    """Slack cannot be reached, or refuses the token; its text is a plain sentence without the token."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is in its one workspace."""

    user_id: str
    bot_id: str


class _AuthorizedLater(AsyncAuthorize):
    """Lets every verified request in; whose token answers it is settled after the acknowledgement."""

    def __init__(self, identity: Identity | None) -> None:
        self._identity = identity

    async def __call__(
        self,
        *,
        context: AsyncBoltContext,  # noqa: ARG002 - Bolt's signature
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,  # noqa: ARG002 - Bolt's signature
        actor_team_id: str | None = None,  # noqa: ARG002 - Bolt's signature
        actor_user_id: str | None = None,  # noqa: ARG002 - Bolt's signature
    ) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            user_id=user_id,
            bot_user_id=self._identity.user_id if self._identity else None,
            bot_id=self._identity.bot_id if self._identity else None,
        )


def sdk_logger() -> logging.Logger:
    """The SDK's own lines, from warnings on: below, it writes payloads."""
    made = logging.getLogger(SDK_LOGGER)
    made.setLevel(logging.WARNING)
    return made


def bolt_app(
    client: AsyncWebClient,
    *,
    signing_secret: str | None,
    identity: Identity | None,
    oauth_flow: AsyncOAuthFlow | None = None,
) -> AsyncApp:
    """The app, without listeners."""
    quiet = sdk_logger()
    quiet.setLevel(logging.CRITICAL)  # it warns that a token of the environment is not used
    app = AsyncApp(
        logger=quiet,
        name="vram",
        client=client,
        signing_secret=signing_secret or "",
        authorize=_AuthorizedLater(identity),
        oauth_flow=oauth_flow,
    )
    quiet.setLevel(logging.WARNING)
    return app


async def identity(client: AsyncWebClient) -> Identity:
    """Who the token belongs to.

    Raises:
        SlackUnreachable: it belongs to nobody, or Slack does not answer.
    """
    try:
        answer = await client.auth_test()
    except SlackApiError as error:
        raise SlackUnreachable(f"Slack refuses SLACK_BOT_TOKEN ({error.response.get('error')}).") from None
    except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
        raise SlackUnreachable(f"Slack does not answer ({type(error).__name__}).") from None
    return Identity(answer.get("user_id") or "", answer.get("bot_id") or "")


def add_routes(app: AsyncApp, server: web.Application) -> None:
    """Signed HTTP, and the pages of the installation where there is one."""

    async def events(request: web.Request) -> web.Response:
        if not request.headers.get(TIMESTAMP, "0").isdigit():  # Bolt takes it for a number
            return web.Response(status=UNSIGNED)
        answer = await app.async_dispatch(await to_bolt_request(request))
        if answer.status == UNSIGNED:
            logger.warning("slack: a request is refused, Slack did not sign it just now")
        return await to_aiohttp_response(answer)

    server.router.add_post(EVENTS_PATH, events)
    if (flow := app.oauth_flow) is not None:
        server.router.add_get(flow.install_path, _page(flow.handle_installation))
        server.router.add_get(flow.redirect_uri_path, _page(flow.handle_callback))


def _page(handle: Callable[..., Any]) -> Callable[[web.Request], Any]:
    async def page(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await handle(await to_bolt_request(request)))

    return page


class SocketMode:
    """The websocket to Slack; it connects again by itself."""

    def __init__(self, app: AsyncApp, app_token: str, connected: Callable[[], None]) -> None:
        """`connected` is told each time that Slack lets us in."""
        handler = AsyncSocketModeHandler(app, app_token, logger=sdk_logger(), ping_interval=PING_SECONDS)
        self._client: Any = handler.client  # the SDK leaves its methods without types
        self._connected = connected
        self._client.message_listeners.append(self._greeted)
        self._renewing: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Raises SlackUnreachable where that fails at the start. Later the SDK tries again for ever."""
        try:
            opened = await self._client.web_client.apps_connections_open(app_token=self._client.app_token)
            self._client.wss_uri = opened["url"]
            await asyncio.wait_for(self._client.connect(), CONNECT_SECONDS)
            self._renewing = asyncio.create_task(self._renew())
        except SlackApiError as error:
            raise SlackUnreachable(f"Slack refuses SLACK_APP_TOKEN ({error.response.get('error')}).") from None
        except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
            raise SlackUnreachable(f"Slack does not answer ({type(error).__name__}).") from None

    async def is_connected(self) -> bool:
        return bool(await self._client.is_connected())

    async def close(self) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
        await self._client.close()

    async def _renew(self) -> None:
        """An address of Slack's websocket is good for one attempt; the SDK would try a failed one for ever."""
        while True:
            tried = self._client.wss_uri
            await asyncio.sleep(PING_SECONDS)
            if self._client.wss_uri == tried and not await self._client.is_connected():
                self._client.wss_uri = None

    async def _greeted(self, _client: object, message: dict[str, Any], _raw: str | None) -> None:
        """How many connections Slack knows: more than there are processes means that some of them are dead."""
        if message.get("type") == "hello":
            self._connected()
            logger.info("slack: connected connections=%s", message.get("num_connections"))
        elif message.get("type") == "disconnect":
            logger.info("slack: asked to connect again reason=%s", message.get("reason"))

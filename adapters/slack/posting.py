"""Messages out to Slack: by the response_url while it lasts, else by the Web API. What cannot be sent is a log line.

A 429 is waited out, as long as Slack says. Nothing is sent again that may have arrived: a lost connection is repeated
only where nothing was sent yet.
"""

import asyncio
import json
import logging
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import limits
from adapters.slack.origin import Origin
from adapters.slack.payloads import Message
from adapters.slack.workspaces import Workspaces
from bot.reply import Audience

logger = logging.getLogger(__name__)

MOST_TRIES: Final = 5
LONGEST_WAIT_SECONDS: Final = 60.0
OK: Final = 200
TOO_MANY: Final = 429


@dataclass(frozen=True, slots=True)
class Manner:
    """How a message stands to the one whose button was clicked."""

    replaces: bool = False
    removes: bool = False


PLAIN: Final = Manner()


class Poster:
    """Sends the messages of a reply to where it was asked."""

    def __init__(self, session: aiohttp.ClientSession, workspaces: Workspaces) -> None:
        self._session = session
        self._workspaces = workspaces

    async def send(
        self, origin: Origin, messages: tuple[Message, ...], audience: Audience, manner: Manner = PLAIN
    ) -> None:
        uses = limits.RESPONSE_URL_USES if origin.response_url else 0
        if manner.removes and uses:
            await self._respond(origin.response_url, {"delete_original": True})
            uses -= 1
        for place, message in enumerate(messages):
            fields = message.fields()
            response = _response(fields, origin, audience, manner)
            if place >= uses or not await self._respond(origin.response_url, response):
                await self._post(origin, fields, audience)

    async def _post(self, origin: Origin, fields: dict[str, Any], audience: Audience) -> None:
        client = await self._workspaces.client(origin.team_id, origin.enterprise_id)
        if client is None:
            logger.warning("slack: not installed in team=%s, the reply is not sent", origin.team_id)
            return
        call = {"channel": origin.channel} | fields | ({"thread_ts": origin.thread_ts} if origin.thread_ts else {})
        try:
            if audience == "asker" and origin.visibility != "direct":
                await _ephemeral(client, call | {"user": origin.user})
            else:
                await client.chat_postMessage(**call)
        except SlackApiError as error:
            logger.warning("slack: reply not sent channel=%s error=%s", origin.channel, error.response.get("error"))
        except (SlackClientError, aiohttp.ClientError, TimeoutError) as error:
            logger.warning("slack: reply not sent channel=%s error=%s", origin.channel, type(error).__name__)

    async def _respond(self, url: str, body: dict[str, Any]) -> bool:
        """Whether Slack took it. A response_url that is expired or used up is no error: there is another way."""
        data = json.dumps(body).encode()
        for _ in range(MOST_TRIES):
            try:
                async with self._session.post(url, data=data, headers={"Content-Type": "application/json"}) as answer:
                    if answer.status != TOO_MANY:
                        if answer.status != OK:
                            logger.info("slack: response_url refused status=%s", answer.status)
                        return answer.status == OK
                    wait_seconds = _wait_seconds(answer.headers.get("Retry-After", ""))
            except aiohttp.ClientConnectorError:
                wait_seconds = 1.0
            except (aiohttp.ClientError, TimeoutError) as error:
                logger.warning("slack: response_url failed error=%s", type(error).__name__)
                return True
            await asyncio.sleep(wait_seconds)
        logger.warning("slack: response_url given up after %d tries", MOST_TRIES)
        return False


def _response(fields: dict[str, Any], origin: Origin, audience: Audience, manner: Manner) -> dict[str, Any]:
    where = {"thread_ts": origin.thread_ts} if origin.thread_ts else {}
    return {
        "response_type": "in_channel" if audience == "channel" else "ephemeral",
        "replace_original": manner.replaces,
        **where,
        **fields,
    }


async def _ephemeral(client: AsyncWebClient, fields: dict[str, Any]) -> None:
    """`chat.postEphemeral` knows nothing of unfurling."""
    known = {name: value for name, value in fields.items() if not name.startswith("unfurl_")}
    await client.chat_postEphemeral(**known)


def _wait_seconds(retry_after: str) -> float:
    try:
        return min(max(float(retry_after), 0.1), LONGEST_WAIT_SECONDS)
    except ValueError:
        return 1.0

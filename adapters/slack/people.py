"""What events leave out: the name of a person, and whether a channel is private.

Both need a scope that a workspace may not have granted (users:read, channels:read, groups:read). Without it a person is
called by their id, and a channel counts as private, so that nothing of it is shown elsewhere.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

import aiohttp
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.reply import Visibility

REMEMBERED: Final = 10_000
ASK_SECONDS: Final = 1.0

Known = TypeVar("Known")


class People:
    """Asks once and remembers; what could not be learnt is asked again."""

    def __init__(self) -> None:
        self._names: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._visibilities: OrderedDict[tuple[str, str], Visibility] = OrderedDict()

    async def name(self, client: AsyncWebClient, team: str, user: str) -> str:
        key = (team, user)
        if key not in self._names:
            found = await _asked(client.users_info(user=user))
            person = (found or {}).get("user") or {}
            profile = person.get("profile") or {}
            name = profile.get("display_name") or person.get("real_name") or person.get("name")
            if not name:
                return user
            _remember(self._names, key, name)
        return self._names[key]

    async def is_admin(self, client: AsyncWebClient, user: str) -> bool:
        """Whether somebody administers the workspace; asked each time, since rights are taken away too."""
        person = (await _asked(client.users_info(user=user)) or {}).get("user") or {}
        return bool(person.get("is_admin") or person.get("is_owner"))

    async def visibility(self, client: AsyncWebClient, team: str, channel: str) -> Visibility:
        if channel.startswith("D"):
            return "direct"
        key = (team, channel)
        if key not in self._visibilities:
            found = await _asked(client.conversations_info(channel=channel))
            about = (found or {}).get("channel")
            if not about:
                return "private-channel"
            private = about.get("is_private") or about.get("is_mpim") or about.get("is_im")
            _remember(self._visibilities, key, "private-channel" if private else "public")
        return self._visibilities[key]


def _remember(known: "OrderedDict[tuple[str, str], Known]", key: tuple[str, str], value: Known) -> None:
    known[key] = value
    if len(known) > REMEMBERED:
        known.popitem(last=False)


async def _asked(call: Awaitable[Any]) -> dict[str, Any] | None:
    try:
        answer = await asyncio.wait_for(call, ASK_SECONDS)
    except (SlackClientError, aiohttp.ClientError, TimeoutError):
        return None
    return answer.data if isinstance(answer.data, dict) else None

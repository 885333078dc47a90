"""Where a Slack payload came from, and what of it may be told to whom."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from bot.reply import Visibility

Payload = Mapping[str, Any]

DIRECT_NAME: Final = "directmessage"
PRIVATE_NAMES: Final = ("privategroup", "mpdm-")
"""What Slack calls a direct message, a private channel and a group message in place of a channel's name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who did something, where, and how they can be answered.

    Attributes:
        response_url: lets anybody post for half an hour, so it is shown nowhere.
        thread_ts: the thread that is answered in; none where empty.
    """

    team_id: str
    enterprise_id: str
    channel: str
    user: str
    user_name: str
    visibility: Visibility
    response_url: str = field(default="", repr=False)
    trigger_id: str = field(default="", repr=False)
    thread_ts: str = ""

    @classmethod
    def of_command(cls, body: Payload) -> Self:
        return cls(
            team_id=body.get("team_id") or "",
            enterprise_id=body.get("enterprise_id") or "",
            channel=body["channel_id"],
            user=body["user_id"],
            user_name=body.get("user_name") or body["user_id"],
            visibility=visibility(body["channel_id"], body.get("channel_name") or ""),
            response_url=body.get("response_url") or "",
            trigger_id=body.get("trigger_id") or "",
        )

    @classmethod
    def of_click(cls, body: Payload) -> Self:
        """A click on a message, or on the App Home, where the person's own direct messages answer."""
        user, channel, container = body["user"], body.get("channel"), body.get("container") or {}
        return cls(
            **_teams(body),
            channel=channel["id"] if channel else user["id"],
            user=user["id"],
            user_name=user.get("username") or user.get("name") or user["id"],
            visibility=visibility(channel["id"], channel.get("name") or "") if channel else "direct",
            response_url=body.get("response_url") or "",
            trigger_id=body.get("trigger_id") or "",
            thread_ts=container.get("thread_ts") or "",
        )

    @classmethod
    def of_form(cls, body: Payload, kept: Payload) -> Self:
        """A form that was sent in; `kept` is what it was opened with."""
        user = body["user"]
        return cls(
            **_teams(body),
            channel=kept["channel"],
            user=user["id"],
            user_name=user.get("username") or user.get("name") or user["id"],
            visibility=kept["visibility"],
            response_url=kept.get("response_url") or "",
            trigger_id=body.get("trigger_id") or "",
            thread_ts=kept.get("thread_ts") or "",
        )

    def kept(self) -> dict[str, str]:
        """What a form has to bring back."""
        return {
            "channel": self.channel,
            "visibility": self.visibility,
            "response_url": self.response_url,
            "thread_ts": self.thread_ts,
        }

    @property
    def key(self) -> str:
        """The same for the same delivery: of an interaction only the trigger id is its own."""
        return f"slack-{hashlib.sha256(self.trigger_id.encode()).hexdigest()}"


def _teams(body: Payload) -> dict[str, str]:
    team, enterprise = body.get("team") or {}, body.get("enterprise") or {}
    return {"team_id": team.get("id") or body["user"].get("team_id") or "", "enterprise_id": enterprise.get("id") or ""}


def visibility(channel: str, name: str) -> Visibility:
    """Who may read a conversation, from its id and from what Slack calls it."""
    if name == DIRECT_NAME or channel.startswith("D"):
        return "direct"
    if name.startswith(PRIVATE_NAMES) or channel.startswith("G") or not name:
        return "private-channel"
    return "public"

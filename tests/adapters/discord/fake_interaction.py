"""One interaction of the fake Discord and all that came back for it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

APPLICATION_ID = 900_000_000_000_000_001
EPHEMERAL = 64
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, COMPLETION, MODAL = 4, 5, 6, 7, 8, 9
COMMAND_CALL, CLICK, TYPING, FORM = 2, 3, 4, 5
OPTION_TYPES = {str: 3, int: 4, bool: 5}
BOT = {"id": str(APPLICATION_ID), "username": "vram", "discriminator": "0", "avatar": None, "bot": True}


class Refused(Exception):
    """What Discord answers instead of doing it."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass
class Interaction:
    """One interaction and all that came back for it."""

    id: int
    token: str
    kind: int
    channel_id: int
    began: float
    source: dict[str, Any] | None = None
    type: int | None = None
    first_response_seconds: float = 0.0
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] | None = None
    messages: list[dict[str, Any]] = field(default_factory=list)
    turned_away: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def message(self) -> dict[str, Any]:
        return self.messages[-1]

    @property
    def is_private(self) -> bool:
        return bool(self.message["flags"] & EPHEMERAL)

    @property
    def text(self) -> str:
        """What a person would read."""
        embed = self.message["embeds"][0]
        return "\n".join(filter(None, (embed.get("title"), embed.get("description"))))

    @property
    def labels(self) -> list[str]:
        return [button["label"] for row in self.message["components"] for button in row["components"]]

"""The gateway of the fake Discord: hello, identify, heartbeats, events with numbers, resume; frames as zlib-stream.

Source: discord-api-docs, events/gateway.
"""

import asyncio
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 9, 10, 11
GUILDS_INTENT = 1


@dataclass
class Session:
    """What a client can come back to: all its events with their numbers."""

    id: str
    shard: tuple[int, int]
    events: list[dict[str, Any]] = field(default_factory=list)
    connection: "Connection | None" = None


@dataclass
class Connection:
    socket: web.WebSocketResponse
    compress: Any

    async def send(self, message: dict[str, Any]) -> None:
        text = json.dumps(message)
        if self.compress is None:
            await self.socket.send_str(text)
        else:
            data = self.compress.compress(text.encode()) + self.compress.flush(zlib.Z_SYNC_FLUSH)
            await self.socket.send_bytes(data)


class FakeGateway:
    """All sessions; a wrong token or intent is closed as Discord does. `ready` and `guilds` make the payloads."""

    def __init__(self, token: str, url: str, ready: Any, guilds: Any) -> None:
        self.token = token
        self.url = url
        self._ready = ready
        self._guilds = guilds
        self.sessions: dict[str, Session] = {}
        self.identified = asyncio.Event()
        self.resumed = asyncio.Event()
        self.identifies: list[dict[str, Any]] = []

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        compress = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        connection = Connection(socket, compress)
        await connection.send({"op": HELLO, "d": {"heartbeat_interval": 41_250}})
        session = None
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            said = json.loads(message.data)
            if said["op"] == HEARTBEAT:
                await connection.send({"op": HEARTBEAT_ACK})
            elif said["op"] == IDENTIFY:
                session = await self._identify(connection, said["d"])
            elif said["op"] == RESUME:
                session = await self._resume(connection, said["d"])
        if session is not None and session.connection is connection:
            session.connection = None
        return socket

    async def dispatch(self, event: str, data: dict[str, Any], guild_id: int | None) -> None:
        """An event, to every session whose shard it belongs to; kept for those that are away."""
        for session in list(self.sessions.values()):
            shard, count = session.shard
            if shard == ((guild_id or 0) >> 22) % count:
                await self._event(session, event, data)

    async def drop(self, code: int = 4000) -> None:
        """Every connection breaks; the sessions stay."""
        for session in self.sessions.values():
            if session.connection is not None:
                connection, session.connection = session.connection, None
                await connection.socket.close(code=code)

    async def _event(self, session: Session, event: str, data: dict[str, Any]) -> None:
        message = {"op": DISPATCH, "t": event, "s": len(session.events) + 1, "d": data}
        session.events.append(message)
        if session.connection is not None:
            await session.connection.send(message)

    async def _identify(self, connection: Connection, data: dict[str, Any]) -> Session | None:
        self.identifies.append({name: value for name, value in data.items() if name != "token"})
        if data["token"] != self.token:
            await connection.socket.close(code=4004)
            return None
        if data["intents"] != GUILDS_INTENT:
            await connection.socket.close(code=4014)
            return None
        shard = tuple(data.get("shard", (0, 1)))
        session = Session(f"session-{len(self.sessions) + 1}", shard, connection=connection)
        self.sessions[session.id] = session
        guilds = [guild for guild in self._guilds() if shard[0] == (int(guild["id"]) >> 22) % shard[1]]
        await self._event(session, "READY", self._ready(session, guilds))
        for guild in guilds:
            await self._event(session, "GUILD_CREATE", guild)
        if len({one.shard for one in self.sessions.values()}) == shard[1]:
            self.identified.set()
        return session

    async def _resume(self, connection: Connection, data: dict[str, Any]) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None:
            await connection.send({"op": INVALID_SESSION, "d": False})
            return None
        session.connection = connection
        for message in session.events[data["seq"] :]:
            await connection.send(message)
        await self._event(session, "RESUMED", {})
        self.resumed.set()
        return session

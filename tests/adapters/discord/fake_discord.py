"""Discord as far as the bot needs it, on loopback sockets: REST and gateway, and people who use it.

It refuses what Discord refuses: a second response, a token it never gave, a message beyond a limit, a foreign bot.
Source: discord-api-docs, interactions/receiving-and-responding, interactions/application-commands, topics/rate-limits.
"""

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any, Self

from aiohttp import web

from tests.adapters.discord.checks import check_choices, check_command, check_message, check_modal
from tests.adapters.discord.fake_gateway import FakeGateway, Session
from tests.adapters.discord.fake_interaction import (
    APPLICATION_ID,
    BOT,
    CLICK,
    COMMAND_CALL,
    COMPLETION,
    DEFERRED,
    DEFERRED_UPDATE,
    FORM,
    MODAL,
    OPTION_TYPES,
    TYPING,
    UPDATE,
    Interaction,
    Refused,
)


class FakeDiscord:
    """Use it as an async context manager; then `api_url` and `gateway_url` are where it listens."""

    def __init__(self, token: str = "fake.discord.token", shards: int = 1) -> None:  # noqa: S107 - of the fake alone
        self.token, self.shards = token, shards
        self.commands: dict[int | None, dict[str, dict[str, Any]]] = {None: {}}
        self.guilds: dict[int, dict[str, Any]] = {}
        self.interactions: dict[str, Interaction] = {}
        self.calls: list[tuple[str, str]] = []
        self.limited: dict[str, float] = {}
        self.forbidden: set[int] = set()
        self._next_id = int((time.time() - 1_420_070_400) * 1000) << 22
        self.api_url = self.gateway_url = ""

    async def __aenter__(self) -> Self:
        application = web.Application(middlewares=[self._answering])
        add = application.router.add_route
        for method, path, handler in self._routes():
            add(method, f"/api{path}", handler)
        application.router.add_get("/gateway/", self._connect)
        self._runner = web.AppRunner(application, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.api_url, self.gateway_url = f"http://{host}:{port}/api", f"ws://{host}:{port}/gateway/"
        self.gateway = FakeGateway(self.token, self.gateway_url, self._ready, lambda: list(self.guilds.values()))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.drop()
        await self._runner.cleanup()

    # the world

    def new_id(self) -> int:
        self._next_id += 1 << 22
        return self._next_id

    def add_guild(self, name: str, *, shard: int = 0, hidden: bool = False) -> int:
        """A server with one channel, that everyone sees unless it is hidden. Returns the channel's id."""
        guild_id = self.new_id()
        while (guild_id >> 22) % self.shards != shard:
            guild_id = self.new_id()
        channel_id = self.new_id()
        overwrites = [{"id": str(guild_id), "type": 0, "allow": "0", "deny": str(1 << 10)}] if hidden else []
        channel = {"id": str(channel_id), "guild_id": str(guild_id), "type": 0, "name": "general", "position": 0}
        everyone = {"id": str(guild_id), "name": "@everyone", "permissions": str(1 << 10 | 1 << 31)}
        self.guilds[guild_id] = {
            "id": str(guild_id),
            "name": name,
            "owner_id": "1",
            "roles": [everyone | {"color": 0, "hoist": False, "position": 0, "managed": False, "mentionable": False}],
            "channels": [channel | {"permission_overwrites": overwrites}],
            "emojis": [],
            "features": [],
            "members": [],
            "member_count": 3,
        }
        return channel_id

    def guild_of(self, channel_id: int) -> int | None:
        return next(
            (
                guild_id
                for guild_id, guild in self.guilds.items()
                if any(channel["id"] == str(channel_id) for channel in guild["channels"])
            ),
            None,
        )

    # people

    async def slash(self, user: str, channel_id: int, name: str, **options: str | int | bool) -> Interaction:
        given = [{"name": key, "type": OPTION_TYPES[type(value)], "value": value} for key, value in options.items()]
        return await self._interact(
            COMMAND_CALL, user, channel_id, self._command(name, channel_id) | {"options": given}
        )

    async def typing(self, user: str, channel_id: int, name: str, **option: str) -> list[dict[str, Any]]:
        [(key, value)] = option.items()
        typed = [{"name": key, "type": 3, "value": value, "focused": True}]
        done = await self._interact(TYPING, user, channel_id, self._command(name, channel_id) | {"options": typed})
        return done.choices or []

    async def click(self, user: str, on: Interaction, label: str) -> Interaction:
        message = on.message
        buttons = [button for row in message["components"] for button in row["components"]]
        button = next(one for one in buttons if one["label"] == label)
        data = {"custom_id": button["custom_id"], "component_type": 2}
        return await self._interact(CLICK, user, on.channel_id, data, message)

    async def submit(self, user: str, opened: Interaction, value: str) -> Interaction:
        assert opened.modal is not None
        rows = [
            {"type": 1, "components": [{"type": 4, "custom_id": line["custom_id"], "value": value}]}
            for row in opened.modal["components"]
            for line in row["components"]
        ]
        data = {"custom_id": opened.modal["custom_id"], "components": rows}
        return await self._interact(FORM, user, opened.channel_id, data, opened.source)

    async def _interact(
        self, kind: int, user: str, channel_id: int, data: dict[str, Any], message: dict[str, Any] | None = None
    ) -> Interaction:
        made = Interaction(self.new_id(), f"token{self.new_id()}", kind, channel_id, time.monotonic(), source=message)
        self.interactions[made.token] = made
        guild_id = self.guild_of(channel_id)
        event = self._event(made, user, guild_id, data) | ({"message": message} if message else {})
        await self.gateway.dispatch("INTERACTION_CREATE", event, guild_id)
        async with asyncio.timeout(15):
            await made.done.wait()
        return made

    def _command(self, name: str, channel_id: int) -> dict[str, Any]:
        for scope in (self.guild_of(channel_id), None):
            if name in self.commands.get(scope, {}):
                command = self.commands[scope][name]
                return {"id": command["id"], "name": name, "type": 1} | ({"guild_id": str(scope)} if scope else {})
        raise AssertionError(f"/{name} was never synced")

    def _event(self, made: Interaction, user: str, guild_id: int | None, data: dict[str, Any]) -> dict[str, Any]:
        person = {"id": str(abs(hash(user)) % 10**17), "username": user, "discriminator": "0", "avatar": None}
        event = {
            "id": str(made.id),
            "application_id": str(APPLICATION_ID),
            "type": made.kind,
            "token": made.token,
            "version": 1,
            "data": data,
            "channel_id": str(made.channel_id),
            "channel": {"id": str(made.channel_id), "type": 0 if guild_id else 1, "name": "general", "position": 0},
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {},
            "attachment_size_limit": 10_485_760,
            "app_permissions": "0",
        }
        if guild_id is None:
            return event | {"user": person, "context": 1}
        member = {"user": person, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False}
        guild = {"guild_id": str(guild_id), "guild": {"id": str(guild_id), "features": [], "locale": "en-US"}}
        return event | guild | {"member": member | {"permissions": "2147484672", "flags": 0}, "context": 0}

    def _ready(self, session: Session, guilds: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "v": 10,
            "user": BOT,
            "guilds": [{"id": guild["id"], "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.gateway_url,
            "shard": list(session.shard),
            "application": {"id": str(APPLICATION_ID), "flags": 0},
        }

    # REST

    def _routes(self) -> list[tuple[str, str, Any]]:
        commands, one = "/applications/{application}/commands", "/applications/{application}/commands/{id}"
        of_guild = "/applications/{application}/guilds/{guild}/commands"
        original = "/webhooks/{application}/{token}/messages/@original"
        return [
            ("GET", "/users/@me", self._me),
            ("GET", "/users/@me/guilds", self._my_guilds),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/gateway/bot", self._gateway_bot),
            *((method, path, self._commands) for path in (commands, of_guild) for method in ("GET", "POST", "PUT")),
            *(("DELETE", path, self._delete_command) for path in (one, f"{of_guild}/{{id}}")),
            ("POST", "/interactions/{id}/{token}/callback", self._callback),
            ("POST", "/webhooks/{application}/{token}", self._follow_up),
            *((method, original, self._original) for method in ("GET", "PATCH", "DELETE")),
        ]

    @web.middleware
    async def _answering(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if request.path.startswith("/gateway"):
            return await handler(request)
        path = request.path.removeprefix("/api")
        self.calls.append((request.method, path))
        for beginning in [one for one in self.limited if path.startswith(one)]:
            wait = self.limited.pop(beginning)
            body = {"message": "You are being rate limited.", "retry_after": wait, "global": False}
            return _json(body, 429, {"Via": "1.1 fake", "Retry-After": str(wait), "X-RateLimit-Scope": "user"})
        private = not path.startswith(("/interactions", "/webhooks"))
        if private and request.headers.get("Authorization") != f"Bot {self.token}":
            return _json({"message": "401: Unauthorized", "code": 0}, 401)
        try:
            answer = await handler(request)
        except Refused as refused:
            return _json({"message": str(refused), "code": refused.code}, refused.status)
        except AssertionError as error:
            return _json({"message": f"Invalid Form Body: {error}", "code": 50035}, 400)
        return web.Response(status=204) if answer is None else _json(answer)

    async def _me(self, _: web.Request) -> Any:
        return BOT

    async def _my_guilds(self, request: web.Request) -> Any:
        after = int(request.query.get("after", 0))
        return [
            {"id": guild["id"], "name": guild["name"], "icon": None, "owner": False, "permissions": "0", "features": []}
            for guild_id, guild in sorted(self.guilds.items())
            if guild_id > after
        ]

    async def _application(self, _: web.Request) -> Any:
        about = {"id": str(APPLICATION_ID), "name": "vram", "description": "", "icon": None, "verify_key": ""}
        return about | {"bot_public": True, "bot_require_code_grant": False, "owner": BOT, "flags": 0}

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        return await self.gateway.handle(request)

    async def _gateway_bot(self, _: web.Request) -> Any:
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 16}
        return {"url": self.gateway_url, "shards": self.shards, "session_start_limit": limit}

    async def _commands(self, request: web.Request) -> Any:
        scope = int(request.match_info["guild"]) if "guild" in request.match_info else None
        if scope in self.forbidden:
            raise Refused(403, 50001, "Missing Access")
        there = self.commands.setdefault(scope, {})
        if request.method == "GET":
            return list(there.values())
        body = await request.json()
        if request.method == "PUT":
            there.clear()
        for command in body if isinstance(body, list) else [body]:
            check_command(command)
            there[command["name"]] = self._kept(command, scope)
        return list(there.values()) if isinstance(body, list) else there[body["name"]]

    def _kept(self, command: Mapping[str, Any], scope: int | None) -> dict[str, Any]:
        """A command as Discord gives it back: with ids, and without what is at its default."""
        kept = {name: value for name, value in command.items() if value not in (None, [])}
        kept["options"] = [
            {name: value for name, value in option.items() if value is not False} for option in command["options"]
        ]
        ids = {"id": str(self.new_id()), "version": str(self.new_id()), "application_id": str(APPLICATION_ID)}
        return (
            kept
            | ids
            | {"name_localizations": None, "description_localizations": None}
            | ({"guild_id": str(scope)} if scope else {})
        )

    async def _delete_command(self, request: web.Request) -> None:
        scope = int(request.match_info["guild"]) if "guild" in request.match_info else None
        there = self.commands[scope]
        self.commands[scope] = {name: one for name, one in there.items() if one["id"] != request.match_info["id"]}

    def _known(self, request: web.Request) -> Interaction:
        made = self.interactions.get(request.match_info["token"])
        if made is None:
            raise Refused(404, 10015, "Unknown Webhook")
        return made

    async def _callback(self, request: web.Request) -> Any:
        made = self._known(request)
        seconds = time.monotonic() - made.began
        body = await request.json()  # before looking: of two responses at once only the first is taken
        if made.type is not None:
            made.turned_away.set()
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        if seconds > 3:
            made.turned_away.set()
            made.done.set()
            raise Refused(404, 10062, "Unknown interaction")
        data = body.get("data") or {}
        message = self._responded(made, body["type"], data)
        made.type, made.first_response_seconds = body["type"], seconds
        if made.type not in {DEFERRED, DEFERRED_UPDATE}:
            made.done.set()
        callback = {"id": str(made.id), "type": made.kind, "response_message_loading": made.type == DEFERRED}
        resource = {"resource": {"type": made.type, "message": message}} if message else {}
        return {"interaction": callback} | resource

    def _responded(self, made: Interaction, kind: int, data: dict[str, Any]) -> dict[str, Any] | None:
        if kind == MODAL:
            check_modal(data)
            made.modal = data
        elif kind == COMPLETION:
            check_choices(data["choices"])
            made.choices = data["choices"]
        elif kind == DEFERRED:
            made.messages.append(self._message(made, data, loading=True))
        elif kind in {UPDATE, DEFERRED_UPDATE}:
            assert made.source is not None
            made.messages.append(made.source)
            if kind == UPDATE:
                check_message({"embeds": made.source["embeds"]} | data)
                made.source |= data
        else:
            made.messages.append(self._message(made, data))
        return made.messages[-1] if made.messages else None

    async def _follow_up(self, request: web.Request) -> Any:
        made = self._known(request)
        made.messages.append(self._message(made, await request.json()))
        made.done.set()
        return made.messages[-1]

    async def _original(self, request: web.Request) -> Any:
        made = self._known(request)
        if request.method == "DELETE":
            del made.messages[0]
            return None
        if request.method == "PATCH":
            body = await request.json()
            assert body["allowed_mentions"] == {"parse": []}, "somebody may be mentioned"
            check_message({"embeds": made.messages[0]["embeds"]} | body)
            made.messages[0] |= body
            made.done.set()
        return made.messages[0]

    def _message(self, made: Interaction, data: dict[str, Any], *, loading: bool = False) -> dict[str, Any]:
        if not loading:
            assert data["allowed_mentions"] == {"parse": []}, "somebody may be mentioned"
            check_message(data)
        return {
            "id": str(self.new_id()),
            "channel_id": str(made.channel_id),
            "author": BOT,
            "content": data.get("content") or "",
            "timestamp": "2026-11-30T12:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": data.get("embeds", []),
            "components": data.get("components", []),
            "pinned": False,
            "type": 20,
            "flags": data.get("flags", 0),
        }


def _json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """JSON without a charset: discord.py reads anything else as text."""
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers, content_type="application/json")

"""A small Slack on a local port: Web API, response_urls and the websocket of Socket Mode.

It takes nothing that Slack would refuse (blockkit.py), remembers what it got, and does what a test tells it to do:
answer 429, expire a response_url, drop the connection.
"""

import asyncio
import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count

from aiohttp import WSMsgType, web
from slack_sdk.signature import SignatureVerifier
from yarl import URL

from tests.adapters.slack.blockkit import problems_of_message, problems_of_view

BOT_TOKEN = "xoxb-1111-2222-secretsecret"
APP_TOKEN = "xapp-1-A111-222-secretsecret"
SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
CHANNEL, PRIVATE, DIRECT, BOT = "C2222222", "C3333333", "D4444444", "U0000BOT"
ADA, BOB = "U1111ADA", "U2222BOB"
ADMIN = "U3333EVE"
NAMES = {ADA: "ada", BOB: "bob", ADMIN: "eve"}
CHANNEL_NAMES = {CHANNEL: "gpus", PRIVATE: "privategroup", DIRECT: "directmessage"}
USES = 5


@dataclass
class Seen:
    """One thing that reached a person: `how` is the Web API's method, or `response_url`."""

    how: str
    body: dict
    at: float
    url: str = ""

    @property
    def text(self):
        """All text of the message, as a person reads it."""
        parts = []
        for block in self.body.get("blocks") or ():
            if isinstance(block.get("text"), dict):
                parts.append(block["text"]["text"])
            parts += [e["text"] for e in block.get("elements", ()) if isinstance(e.get("text"), str)]
        return "\n".join(parts) or self.body.get("text", "")

    @property
    def buttons(self):
        blocks = self.body.get("blocks") or self.body.get("view", {}).get("blocks") or ()
        elements = [e for block in blocks for e in block.get("elements", ()) if e.get("type") == "button"]
        return {element["text"]["text"]: element for element in elements}

    @property
    def is_public(self):
        if self.how == "response_url":
            return self.body.get("response_type") == "in_channel"
        return self.how == "chat.postMessage"


@dataclass
class FakeSlack:
    seen: list[Seen] = field(default_factory=list)
    calls: list[tuple[str, dict]] = field(default_factory=list)
    views: list[dict] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    scripts: dict[str, list] = field(default_factory=lambda: defaultdict(list))
    uses: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    sockets: list = field(default_factory=list)
    acks: dict = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)

    def __post_init__(self):
        self._numbers = count(1)
        self._changed = asyncio.Event()
        self._used_tickets = set()
        self.team = self.new("T")

    def in_another_team(self):
        """A workspace in which nothing was said yet."""
        self.team = self.new("T")
        for known in (self.seen, self.calls, self.views, self.refused, self.scripts, self.uses):
            known.clear()

    async def __aenter__(self):
        app = web.Application(client_max_size=10_000_000)
        app.router.add_post("/api/{method}", self._web_api)
        app.router.add_get("/api/{method}", self._web_api)
        app.router.add_post("/commands/{id}", self._response_url)
        app.router.add_get("/link/{ticket}", self._socket)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_):
        for socket in tuple(self.sockets):
            await socket.close()
        await self._runner.cleanup()

    @property
    def api_url(self):
        return f"{self.url}/api/"

    def new(self, kind):
        """An id as Slack makes them."""
        return f"{kind}{next(self._numbers):08d}"

    def new_trigger_id(self):
        one, other, third = (next(self._numbers) for _ in range(3))
        trigger_id = f"{one:012d}.{other:012d}.{third:032x}"
        self.secrets.add(trigger_id)
        return trigger_id

    def new_response_url(self):
        url = f"{self.url}/commands/T1-{next(self._numbers)}-hookhookhook"
        self.secrets.add(url)
        return url

    # what Slack sends

    def command(self, text, user=ADA, channel=CHANNEL, **changes):
        return {
            "token": "legacylegacy",
            "team_id": self.team,
            "team_domain": "blue",
            "channel_id": channel,
            "channel_name": CHANNEL_NAMES[channel],
            "user_id": user,
            "user_name": NAMES[user],
            "command": "/vram",
            "text": text,
            "response_url": self.new_response_url(),
            "trigger_id": self.new_trigger_id(),
            "api_app_id": "A1",
            "is_enterprise_install": "false",
        } | changes

    def event(self, event, event_id=None):
        return {
            "token": "legacylegacy",
            "team_id": self.team,
            "api_app_id": "A1",
            "event": {"user": ADA, "channel": CHANNEL, "ts": f"{time.time():.6f}", "event_ts": "1"} | event,
            "type": "event_callback",
            "event_id": event_id or self.new("Ev"),
            "event_time": int(time.time()),
            "authorizations": [{"team_id": self.team, "user_id": BOT, "is_bot": True}],
        }

    def mention(self, text, **event):
        return self.event({"type": "app_mention", "text": f"<@{BOT}> {text}"} | event)

    def direct(self, text, **event):
        return self.event({"type": "message", "channel_type": "im", "channel": DIRECT, "text": text} | event)

    def click(self, button, user=ADA, channel=CHANNEL, container=None):
        return {
            "type": "block_actions",
            "user": {"id": user, "username": NAMES[user], "name": NAMES[user], "team_id": self.team},
            "api_app_id": "A1",
            "token": "legacylegacy",
            "container": container or {"type": "message", "channel_id": channel, "is_ephemeral": True},
            "trigger_id": self.new_trigger_id(),
            "team": {"id": self.team, "domain": "blue"},
            "enterprise": None,
            "is_enterprise_install": False,
            "channel": {"id": channel, "name": CHANNEL_NAMES[channel]},
            "response_url": self.new_response_url(),
            "actions": [button | {"block_id": "b1", "action_ts": "1"}],
        }

    def submission(self, view, values, user=ADA):
        state = {}
        for block in view["blocks"]:
            name, element = block["block_id"], block["element"]
            value = values.get(name)
            if element["type"] == "static_select":
                option = next((o for o in element["options"] if o["value"] == value), None)
                assert value is None or option, f"{value} is no option of {name}"
                state[name] = {element["action_id"]: {"type": "static_select", "selected_option": option}}
            else:
                state[name] = {element["action_id"]: {"type": "plain_text_input", "value": value}}
        return {
            "type": "view_submission",
            "team": {"id": self.team, "domain": "blue"},
            "user": {"id": user, "username": NAMES[user], "name": NAMES[user], "team_id": self.team},
            "api_app_id": "A1",
            "token": "legacylegacy",
            "trigger_id": self.new_trigger_id(),
            "view": {"id": "V1", "type": "modal", "state": {"values": state}, **view},
        }

    # what reaches Slack

    async def wait_for(self, condition, seconds=5.0):
        """Waits until the condition gives something, and returns it."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            left = end - time.monotonic()
            assert left > 0, f"nothing came within {seconds} s; refused: {self.refused}; calls: {self.calls[-5:]}"
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), min(left, 0.2))
            except TimeoutError:
                continue
        return found

    async def next_seen(self, after, seconds=5.0):
        """What a person sees next, after so many things seen."""
        await self.wait_for(lambda: len(self.seen) > after, seconds)
        return self.seen[after]

    async def next_view(self, after, seconds=5.0):
        await self.wait_for(lambda: len(self.views) > after, seconds)
        return self.views[after]

    async def _web_api(self, request):
        method = request.match_info["method"]
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if request.method == "GET":
            body = dict(request.query)
        elif request.content_type == "application/json":
            body = await request.json()
        else:
            body = {name: _maybe_json(value) for name, value in (await request.post()).items()}
        self.calls.append((method, body))
        self._changed.set()
        if self.scripts[method]:
            status, headers, answer = self.scripts[method].pop(0)
            return web.json_response(answer, status=status, headers=headers)
        if token != (APP_TOKEN if method == "apps.connections.open" else BOT_TOKEN) and method != "oauth.v2.access":
            return web.json_response({"ok": False, "error": "invalid_auth"})
        return web.json_response(self._answer(method, body))

    def _answer(self, method, body):
        answers = {
            "auth.test": lambda: {"team_id": self.team, "user_id": BOT, "bot_id": "B1"},
            "oauth.v2.access": self._installed,
            "apps.connections.open": lambda: {"url": self._socket_url()},
            "users.info": lambda: {"user": {"name": NAMES[body["user"]], "is_admin": body["user"] == ADMIN}},
            "conversations.info": lambda: {"channel": {"is_private": body["channel"] == PRIVATE}},
            "views.open": lambda: self._shown(body["view"]),
            "views.publish": lambda: self._shown(body["view"]),
            "chat.postMessage": lambda: self._said(method, body),
            "chat.postEphemeral": lambda: self._said(method, body),
        }
        return {"ok": True} | answers[method]()

    def _installed(self):
        return {
            "access_token": BOT_TOKEN,
            "token_type": "bot",
            "scope": "commands,chat:write",
            "bot_user_id": BOT,
            "app_id": "A1",
            "team": {"id": self.team, "name": "blue"},
            "enterprise": None,
            "authed_user": {"id": ADA},
            "is_enterprise_install": False,
        }

    def _socket_url(self):
        ticket = f"ticket{next(self._numbers)}secret"
        self.secrets.add(ticket)
        return f"ws://127.0.0.1:{self.port}/link/{ticket}"

    def _shown(self, view):
        if wrong := problems_of_view(view):
            self.refused += wrong
            return {"ok": False, "error": "invalid_arguments"}
        self.views.append(view)
        return {"view": view | {"id": "V1"}}

    def _said(self, method, body):
        if wrong := problems_of_message(body):
            self.refused += wrong
            return {"ok": False, "error": "invalid_blocks"}
        self.seen.append(Seen(method, body, time.monotonic()))
        return {"ts": f"{time.time():.6f}", "channel": body["channel"]}

    async def _response_url(self, request):
        body = await request.json()
        url = str(URL(f"{self.url}{request.path}"))
        self._changed.set()
        if self.scripts["response_url"]:
            status, headers, answer = self.scripts["response_url"].pop(0)
            return web.Response(status=status, headers=headers, text=answer)
        self.uses[url] += 1
        if self.uses[url] > USES:
            return web.Response(status=404, text="used_url")
        if body != {"delete_original": True} and (wrong := problems_of_message(body)):
            self.refused += wrong
            return web.Response(status=400, text="invalid_blocks")
        self.seen.append(Seen("response_url", body, time.monotonic(), url))
        return web.Response(text="ok")

    async def _socket(self, request):
        if request.match_info["ticket"] in self._used_tickets:
            return web.Response(status=408)
        self._used_tickets.add(request.match_info["ticket"])
        if self.scripts["link"]:
            return web.Response(status=self.scripts["link"].pop(0))
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.sockets.append(socket)
        await socket.send_json({"type": "hello", "num_connections": len(self.sockets), "connection_info": {}})
        self._changed.set()
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                answer = json.loads(message.data)
                waiting = self.acks.pop(answer["envelope_id"], None)
                if waiting and not waiting.done():
                    waiting.set_result(answer.get("payload") or {})
        self.sockets.remove(socket)
        return socket

    async def send(self, kind, payload, seconds=3.0, **envelope):
        """Sends one envelope down the newest connection; returns what it was acknowledged with."""
        envelope_id = self.new("env")
        waiting = asyncio.get_running_loop().create_future()
        self.acks[envelope_id] = waiting
        await self.sockets[-1].send_json(
            {"type": kind, "envelope_id": envelope_id, "payload": payload, "accepts_response_payload": True} | envelope
        )
        return await asyncio.wait_for(waiting, seconds)


def signed(body, secret=SIGNING_SECRET, age_seconds=0):
    """The headers of a request from Slack."""
    timestamp = str(int(time.time()) - age_seconds)
    signature = SignatureVerifier(secret).generate_signature(timestamp=timestamp, body=body)
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": signature}


def _maybe_json(value):
    try:
        return json.loads(value) if value[:1] in "[{" else value
    except ValueError:
        return value

"""Load on Slack's side of `vram serve`: signed /vram requests at a steady rate, answered to a local response_url.

Open loop: a request goes out at its time, whether or not the ones before are answered, and every latency counts from
that time. The load comes from this process, the answers go to this process, on the same machine.
"""

import asyncio
import contextlib
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from tests.adapters.slack.fake import signed
from tests.adapters.slack.process import Serve
from tests.bench.measure import Figure, keep, milliseconds, section

TITLE = "Slack under load"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

QUESTIONS = (
    "13b lora ctx=4k",
    "70b int4 on 2x3090",
    "34b fp8 users=20 ctx=8k budget=500/mo",
    "7b qlora rank=64 24gb",
    "llama3.1:70b q4_K_M 32k 2x3090",
    "mixtral int4 4090",
    "405b bf16 ctx=128k",
    "qwen2.5-7b int8 ctx=3072 users=50",
    "13b finetune",
    "13b lroa",
)


@dataclass
class Load:
    """What went out and what came back, by request."""

    sent: dict[str, float] = field(default_factory=dict)
    acked: dict[str, float] = field(default_factory=dict)
    answered: dict[str, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    cpu_seconds: float = 0.0


class Receiver:
    """The Web API as far as the start needs it, and the response_urls."""

    def __init__(self, load):
        self._load = load
        self._came = asyncio.Event()

    async def __aenter__(self):
        app = web.Application()
        app.router.add_post("/api/auth.test", self._auth)
        app.router.add_post("/commands/{id}", self._answer)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=2048).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_):
        await self._runner.cleanup()

    @property
    def api_url(self):
        return f"{self.url}/api/"

    async def settled(self, seconds=10.0):
        """Waits until every request is answered, or no longer."""
        end = time.perf_counter() + seconds
        while self._load.sent.keys() - self._load.answered.keys():
            if time.perf_counter() > end:
                return
            self._came.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._came.wait(), 0.2)

    async def _auth(self, _request):
        return web.json_response({"ok": True, "user_id": "U0000BOT", "bot_id": "B1"})

    async def _answer(self, request):
        await request.read()
        self._load.answered.setdefault(request.match_info["id"], []).append(time.perf_counter())
        self._came.set()
        return web.Response(text="ok")


@dataclass(frozen=True)
class Burst:
    """So many requests a second for so long, numbered from `first`."""

    rate: int
    seconds: float
    first: int

    @property
    def count(self):
        return int(self.rate * self.seconds)


MEASURED = Burst(rate=200, seconds=20.0, first=0)
WARM_UP = Burst(rate=50, seconds=2.0, first=1_000_000)


@dataclass(frozen=True)
class Asker:
    """Sends requests to one address and remembers them in one load."""

    session: aiohttp.ClientSession
    events_url: str
    answer_url: str
    load: Load

    async def fire(self, burst):
        began = time.perf_counter() + 0.1
        times = (began + number / burst.rate for number in range(burst.count))
        await asyncio.gather(*(self.ask(burst.first + number, at) for number, at in enumerate(times)))

    async def ask(self, number, at):
        """One request at its time."""
        await asyncio.sleep(at - time.perf_counter())
        name = str(number)
        body = urlencode(
            {
                "team_id": "T1",
                "channel_id": "C1",
                "channel_name": "gpus",
                "user_id": f"U{number % 50}",
                "user_name": f"person{number % 50}",
                "command": "/vram",
                "text": QUESTIONS[number % len(QUESTIONS)],
                "response_url": f"{self.answer_url}/commands/{name}",
                "trigger_id": f"{number:012d}.{number:012d}.{number:032x}",
            }
        )
        self.load.sent[name] = at
        try:
            async with self.session.post(self.events_url, data=body, headers=FORM | signed(body)) as answer:
                await answer.read()
                if answer.status != 200:
                    self.load.failures.append(f"status {answer.status}")
        except aiohttp.ClientError as error:
            self.load.failures.append(type(error).__name__)
        self.load.acked[name] = time.perf_counter()


async def run(burst):
    """The load, and how many rows each request has in the database."""
    load = Load()
    with tempfile.TemporaryDirectory() as folder:
        async with contextlib.AsyncExitStack() as stack:
            receiver = await stack.enter_async_context(Receiver(load))
            settings = {"VRAM_LOG_LEVEL": "info", "VRAM_DATABASE_URL": f"sqlite:///{folder}/log.db"}
            serve = await stack.enter_async_context(Serve(folder, receiver, socket_mode=False, **settings))
            connector = aiohttp.TCPConnector(limit=0)
            session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
            await Asker(session, serve.events_url, receiver.url, Load()).fire(WARM_UP)
            before = cpu_seconds(serve.process.pid)
            await Asker(session, serve.events_url, receiver.url, load).fire(burst)
            await receiver.settled()
            load.cpu_seconds = cpu_seconds(serve.process.pid) - before
            await serve.stop()
        return load, stored(Path(folder) / "log.db")


def cpu_seconds(pid):
    """Processor time of a process so far. Source: proc(5), fields 14 and 15 of /proc/pid/stat."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stored(path):
    """How many rows each request has."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return [count for (count,) in database.execute("SELECT count(*) FROM queries GROUP BY event_key")]


def percentile(values, share):
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]


def spread(values):
    """p50, p99 and the largest, in ms."""
    p50, p99 = percentile(values, 0.5), percentile(values, 0.99)
    return f"p50 {1000 * p50:.0f}, p99 {1000 * p99:.0f}, at most {1000 * max(values):.0f} ms"


def figures(burst=MEASURED):
    before = os.getloadavg()[0]
    load, rows = asyncio.run(run(burst))
    acks = [load.acked[name] - at for name, at in load.sent.items()]
    answers = [load.answered[name][0] - at for name, at in load.sent.items() if name in load.answered]
    wrong = len(load.failures) + (len(load.sent) - len(answers)) + sum(len(many) > 1 for many in load.answered.values())
    once = sum(count == 1 for count in rows) - WARM_UP.count
    asked = f"{burst.count:,} signed /vram at {burst.rate} a second"
    yield Figure(f"{asked}: failed, unanswered or answered twice", f"{wrong:,}", "0")
    yield Figure("acknowledged after", spread(acks), "p99 under 60 ms")
    yield Figure("answer received after", spread(answers), "every one within 1,000 ms")
    yield Figure("logged exactly once", f"{once:,} of {len(load.sent):,}", "all")
    yield Figure("load average of the machine before, from others", f"{before:.1f}", "0: they take from both sides")
    yield Figure("processor time a request", milliseconds(load.cpu_seconds / len(load.sent)), "under 5 ms")


def main():
    text = section(TITLE, "make bench", figures())
    sys.stdout.write(text)
    keep(TITLE, text)


if __name__ == "__main__":
    main()

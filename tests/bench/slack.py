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

A_SECOND = 200
SECONDS = 20.0
MOST_ACK_P99_SECONDS = 0.060
MOST_ANSWER_SECONDS = 1.0
WARM_UP_SECONDS = 2.0

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

    async def _auth(self, _request):
        return web.json_response({"ok": True, "user_id": "U0000BOT", "bot_id": "B1"})

    async def _answer(self, request):
        await request.read()
        self._load.answered.setdefault(request.match_info["id"], []).append(time.perf_counter())
        return web.Response(text="ok")


async def ask(session, url, receiver, load, number, at):
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
            "response_url": f"{receiver.url}/commands/{name}",
            "trigger_id": f"{number:012d}.{number:012d}.{number:032x}",
        }
    )
    headers = signed(body) | {"Content-Type": "application/x-www-form-urlencoded"}
    load.sent[name] = at
    try:
        async with session.post(url, data=body, headers=headers) as answer:
            await answer.read()
            if answer.status != 200:
                load.failures.append(f"status {answer.status}")
    except aiohttp.ClientError as error:
        load.failures.append(type(error).__name__)
    load.acked[name] = time.perf_counter()


async def run(rate=A_SECOND, seconds=SECONDS):
    load = Load()
    warm = Load()
    with tempfile.TemporaryDirectory() as folder:
        async with contextlib.AsyncExitStack() as stack:
            receiver = await stack.enter_async_context(Receiver(load))
            serve = await stack.enter_async_context(
                Serve(
                    folder,
                    receiver,
                    socket_mode=False,
                    VRAM_LOG_LEVEL="info",
                    VRAM_DATABASE_URL=f"sqlite:///{folder}/log.db",
                )
            )
            connector = aiohttp.TCPConnector(limit=0)
            session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
            await fire(session, serve, receiver, warm, rate // 4, WARM_UP_SECONDS, first=1_000_000)
            before = cpu_seconds(serve.process.pid)
            await fire(session, serve, receiver, load, rate, seconds, first=0)
            await settled(load)
            load.cpu_seconds = cpu_seconds(serve.process.pid) - before
            await serve.stop()
        rows = stored(Path(folder) / "log.db")
    return load, rows


async def fire(session, serve, receiver, load, rate, seconds, first):
    began = time.perf_counter() + 0.1
    count = int(rate * seconds)
    await asyncio.gather(
        *(ask(session, serve.events_url, receiver, load, first + n, began + n / rate) for n in range(count))
    )


def cpu_seconds(pid):
    """Processor time of a process so far. Source: proc(5), fields 14 and 15 of /proc/pid/stat."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def settled(load, seconds=10.0):
    end = time.perf_counter() + seconds
    while any(name not in load.answered for name in load.sent) and time.perf_counter() < end:
        await asyncio.sleep(0.05)


def stored(path):
    """How many rows each of the measured requests has."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return [count for (count,) in database.execute("SELECT count(*) FROM queries GROUP BY event_key")]


def percentile(values, share):
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]


def report(load, rows, rate, seconds):
    acks = [load.acked[name] - at for name, at in load.sent.items()]
    answers = [load.answered[name][0] - at for name, at in load.sent.items() if name in load.answered]
    unanswered = len(load.sent) - len(answers)
    twice = sum(len(times) > 1 for times in load.answered.values())
    logged = len(rows) - int(rate // 4 * WARM_UP_SECONDS)
    held = {
        "no failure": not load.failures and not unanswered and not twice,
        f"ack p99 under {MOST_ACK_P99_SECONDS * 1000:.0f} ms": percentile(acks, 0.99) < MOST_ACK_P99_SECONDS,
        f"every answer within {MOST_ANSWER_SECONDS:.0f} s": max(answers) < MOST_ANSWER_SECONDS,
        "logged exactly once": logged == len(load.sent) and set(rows) == {1},
    }
    print(f"{len(load.sent)} signed /vram at {rate}/s for {seconds:.0f} s")
    for name, values in (("ack", acks), ("answer", answers)):
        shown = "  ".join(
            f"p{share * 100:g} {1000 * percentile(values, share):.1f}" for share in (0.5, 0.9, 0.99, 0.999)
        )
        print(f"  {name:7}{shown}  max {1000 * max(values):.1f} ms")
    print(
        f"  processor {1000 * load.cpu_seconds / len(load.sent):.2f} ms a request; of this load {time.process_time():.1f} s"
    )
    print(f"  failures {len(load.failures)}, unanswered {unanswered}, answered twice {twice}, logged {logged}")
    for claim, holds in held.items():
        print(f"  {'held' if holds else 'NOT HELD'}: {claim}")
    return all(held.values())


def main():
    rate = int(sys.argv[1]) if len(sys.argv) > 1 else A_SECOND
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    load, rows = asyncio.run(run(rate, seconds))
    return 0 if report(load, rows, rate, seconds) else 1


if __name__ == "__main__":
    sys.exit(main())

"""`vram serve` as a process of its own."""

import asyncio
import os
import signal
import socket
import sys
from pathlib import Path

import aiohttp

from tests.adapters.slack.fake import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET

ROOT = Path(__file__).parents[3]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Serve:
    """The process, with a folder of its own; `settings` are further variables of its environment."""

    def __init__(self, folder, slack, *, socket_mode=True, http=False, **settings):
        self.folder = Path(folder)
        self.port = free_port()
        tokens = {"SLACK_BOT_TOKEN": BOT_TOKEN}
        tokens |= {"SLACK_APP_TOKEN": APP_TOKEN} if socket_mode else {}
        tokens |= {"SLACK_SIGNING_SECRET": SIGNING_SECRET} if http or not socket_mode else {}
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "PYTHONPATH": str(ROOT),
            "VRAM_SLACK_API_URL": slack.api_url,
            "VRAM_HTTP_PORT": str(self.port),
            "VRAM_LOG_LEVEL": "debug",
            **tokens,
            **settings,
        }
        self.log_path = self.folder / f"serve-{self.port}.log"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def events_url(self):
        return f"{self.url}/slack/events"

    @property
    def log(self):
        return self.log_path.read_text(encoding="utf-8")

    async def __aenter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log_path.open("w", encoding="utf-8") as errors:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "adapters.app", "serve", env=self.environment, cwd=self.folder, stderr=errors
            )
        await self._ready()
        return self

    async def _ready(self, seconds=20.0):
        async with aiohttp.ClientSession() as session:
            for _ in range(int(seconds / 0.05)):
                assert self.process.returncode is None, self.log
                try:
                    async with session.get(f"{self.url}/readyz") as answer:
                        if answer.status == 200:
                            return
                except aiohttp.ClientConnectionError:
                    pass
                await asyncio.sleep(0.05)
        raise AssertionError(self.log)

    async def stop(self, seconds=15.0):
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(self.process.wait(), seconds)
        return self.process.returncode

    async def __aexit__(self, *_):
        try:
            await self.stop()
        except TimeoutError:
            self.process.kill()
            raise

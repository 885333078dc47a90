"""A headless Chromium that the tests look through, by its DevTools protocol.

Source: chromedevtools.github.io/devtools-protocol.
"""

import asyncio
import base64
import contextlib
import itertools
import json
import re

import aiohttp

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--remote-debugging-port=0", "--remote-allow-origins=*"),
)
START_SECONDS = 60.0
ANSWER_SECONDS = 30.0


class Tab:
    """One page of the browser. `said` holds what it complained about."""

    def __init__(self, socket):
        self._socket = socket
        self._ids = itertools.count(1)
        self._waiting = {}
        self._loaded = asyncio.Event()
        self.said = []

    async def listen(self):
        async for message in self._socket:
            told = json.loads(message.data)
            if "id" in told:
                self._waiting.pop(told["id"]).set_result(told.get("result", told.get("error")))
            elif told["method"] == "Page.loadEventFired":
                self._loaded.set()
            elif told["method"] in {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}:
                self.said.append(told["params"])

    async def call(self, method, **parameters):
        number = next(self._ids)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        waited = self._waiting[number]
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        return await asyncio.wait_for(waited, ANSWER_SECONDS)

    async def open(self, address):
        self._loaded.clear()
        await self.call("Page.navigate", url=address)
        await asyncio.wait_for(self._loaded.wait(), ANSWER_SECONDS)

    async def value(self, expression):
        """What an expression comes to in the page: the tests' eyes, no script of the page's."""
        told = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return told["result"].get("value")

    async def key(self, name):
        for kind in ("keyDown", "keyUp"):
            code = {"Tab": 9, "Enter": 13}[name]
            text = "\r" if (name, kind) == ("Enter", "keyDown") else ""
            await self.call(
                "Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, text=text
            )

    async def scheme(self, name):
        await self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    async def width(self, pixels):
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=pixels, height=800, deviceScaleFactor=1, mobile=pixels < 600
        )

    async def picture(self):
        return base64.b64decode((await self.call("Page.captureScreenshot", format="png"))["data"])


@contextlib.asynccontextmanager
async def tab_of(program, folder):
    """A browser with a profile of its own, closed at the end, and one page in it."""
    process = await asyncio.create_subprocess_exec(
        program,
        *FLAGS,
        f"--user-data-dir={folder}",
        "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        port = await asyncio.wait_for(_port(process), START_SECONDS)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                pages = [one for one in await answer.json(content_type=None) if one["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                tab = Tab(socket)
                listening = asyncio.create_task(tab.listen())
                for domain in ("Page", "Runtime", "Log"):
                    await tab.call(f"{domain}.enable")
                await tab.call("Emulation.setScriptExecutionDisabled", value=True)
                yield tab
                listening.cancel()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def _port(process):
    async for line in process.stderr:
        if found := re.search(rb"ws://127\.0\.0\.1:(\d+)/", line):
            return int(found[1])
    raise RuntimeError("the browser did not start")

"""`make discord-demo`: a local Discord, the real `vram`, and what a user would have seen. No token, no network."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from tests.adapters.discord.fake_discord import FakeDiscord
from tests.adapters.discord.fake_interaction import Interaction

ROOT = Path(__file__).parents[2]
START_SECONDS = 20
STOP_SECONDS = 15
COMMAND = (sys.executable, "-m", "adapters.app")

Say = Callable[[str], None]


async def demo(home: Path, say: Say, **settings: str) -> None:
    """Syncs, asks, completes, clicks, restarts, clicks again."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild("Ours")
        environment = environment_of(fake, home, **settings)
        say("$ vram discord-sync")
        say(await output_of(environment, "discord-sync"))
        say("$ vram discord-sync    (again)")
        say(await output_of(environment, "discord-sync"))
        async with serving(fake, environment, say):
            asked = await fake.slash("ann", channel, "vram", question="13b lora", context="4k")
            _show(say, "ann: /vram question:13b lora context:4k", asked)
            typed = await fake.typing("ann", channel, "vram", model="70")
            say("ann types in /vram model: 70")
            say("".join(f"  | {choice['name']}\n" for choice in typed[:5]))
            _show(say, "bob clicks Arithmetic", await fake.click("bob", asked, "Arithmetic"))
            which = await fake.slash("bob", channel, "vram", question="13b finetune")
            _show(say, "bob: /vram question:13b finetune", which)
            _show(say, "bob clicks QLoRA", await fake.click("bob", which, "QLoRA"))
            refused = await fake.slash("bob", channel, "vram", question="13b lroa @everyone")
            _show(say, "bob: /vram question:13b lroa @everyone", refused)
        async with serving(fake, environment, say):
            opened = await fake.click("ann", asked, "Pin as decision")
            say("ann clicks Pin as decision on the first card: a form opens")
            say(f"  | {opened.modal['title']}\n" if opened.modal else "")
            _show(say, "ann writes: one A40 will do", await fake.submit("ann", opened, "one A40 will do"))
            _show(say, "ann: /vram-log", await fake.slash("ann", channel, "vram-log"))


def environment_of(fake: FakeDiscord, home: Path, **settings: str) -> Mapping[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return kept | {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": fake.token,
        "VRAM_DISCORD_API_URL": fake.api_url,
        "VRAM_DISCORD_GATEWAY_URL": fake.gateway_url,
        "VRAM_HTTP_PORT": "0",
        **settings,
    }


async def output_of(environment: Mapping[str, str], *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await asyncio.wait_for(process.communicate(), START_SECONDS)
    return output.decode()


@contextlib.asynccontextmanager
async def serving(fake: FakeDiscord, environment: Mapping[str, str], say: Say) -> AsyncIterator[None]:
    """`vram serve`, started and stopped as an operator does it."""
    say("$ vram serve\n")
    fake.gateway.identified.clear()
    errors = Path(environment["HOME"]) / "serve.log"
    with errors.open("a", encoding="utf-8") as file:
        process = await asyncio.create_subprocess_exec(*COMMAND, "serve", env=environment, stdout=file, stderr=file)
    try:
        await asyncio.wait_for(fake.gateway.identified.wait(), START_SECONDS)
        yield
    except TimeoutError:
        say(errors.read_text(encoding="utf-8"))
        raise
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(process.wait(), STOP_SECONDS)
        say(f"(vram serve was told to stop and ended with {status})\n")


def _show(say: Say, what: str, done: Interaction) -> None:
    """A reply as the client draws it: title, text without the marks, buttons."""
    say(f"{what}    [{'only they see it' if done.is_private else 'the channel sees it'}]")
    text = re.sub(r"\*\*|^-# ", "", re.sub(r"\\(?=[^\w\s])", "\0", done.text), flags=re.MULTILINE).replace("\0", "")
    text = re.sub(r"<t:(\d+):f>", lambda at: f"{datetime.fromtimestamp(int(at[1]), UTC):%d %B %Y %H:%M}", text)
    say("\n".join(f"  | {line}" for line in text.splitlines()))
    if done.labels:
        say("  | " + " ".join(f"[{label}]" for label in done.labels))
    say("")


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(demo(Path(home), print))


if __name__ == "__main__":
    main()

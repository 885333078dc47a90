"""`make slack-demo`: a local Slack, the real `vram serve`, and what a user would have seen. No token, no network."""

import asyncio
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.adapters.slack.fake import ADA, BOB, CHANNEL, NAMES, FakeSlack, Seen
from tests.adapters.slack.process import Serve

Say = Callable[[str], None]

UNDONE = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
MOMENT = re.compile(r"<!date\^\d+\^[^|]*\|([^>]*)>")


class Demo:
    """A person at the screen of a workspace."""

    def __init__(self, slack: FakeSlack, say: Say) -> None:
        self.slack = slack
        self.say = say

    async def command(self, text: str, user: str = ADA) -> Seen:
        place = len(self.slack.seen)
        await self.slack.send("slash_commands", self.slack.command(text, user=user))
        return await self._seen(place, f"{NAMES[user]}: /vram {text}", 1)

    async def mention(self, text: str) -> Seen:
        place = len(self.slack.seen)
        await self.slack.send("events_api", self.slack.mention(text))
        return await self._seen(place, f"ada in #gpus: @vram {text}", 1)

    async def direct(self, text: str) -> Seen:
        place = len(self.slack.seen)
        await self.slack.send("events_api", self.slack.direct(text))
        return await self._seen(place, f"ada to vram, in a direct message: {text}", 1)

    async def click(self, card: Seen, label: str, user: str = ADA, messages: int = 1) -> Seen:
        place = len(self.slack.seen)
        await self.slack.send("interactive", self.slack.click(card.buttons[label], user=user))
        return await self._seen(place, f"{NAMES[user]} clicks {label}", messages)

    async def fill(self, what: str, values: dict[str, str]) -> dict[str, str]:
        """Sends the form that opened last; returns what is wrong with it, by field."""
        view = self.slack.views[-1]
        self.say(f"ada fills in {values}")
        answer = await self.slack.send("interactive", self.slack.submission(view, values))
        errors: dict[str, str] = answer.get("errors", {})
        for field, text in errors.items():
            self.say(f"  | at {field}: {text}")
        self.say("" if errors else f"  | {what}\n")
        return errors

    async def opened(self, what: str) -> None:
        view = await self.slack.next_view(len(self.slack.views) - 1)
        labels = ", ".join(block["label"]["text"] for block in view["blocks"])
        self.say(f"{what}: a form opens\n  | {view['title']['text']}: {labels}\n")

    async def _seen(self, place: int, what: str, messages: int) -> Seen:
        await self.slack.wait_for(lambda: len(self.slack.seen) >= place + messages)
        self.say(what)
        for seen in self.slack.seen[place:]:
            self.show(seen)
        return self.slack.seen[-1]

    def show(self, seen: Seen) -> None:
        if seen.body == {"delete_original": True}:
            self.say("    (the message that only they saw is taken away)")
            return
        where = "everybody in #gpus sees it" if seen.is_public else "only they see it"
        if seen.how == "chat.postMessage":
            where = "in the thread" if seen.body["channel"] == CHANNEL else "in the direct message"
        self.say(f"    [{where}]")
        for line in plain(seen.text).splitlines():
            self.say(f"  | {line}")
        if seen.buttons:
            self.say("  | " + " ".join(f"[{label}]" for label in seen.buttons))
        self.say("")


def plain(text: str) -> str:
    """Text as the client draws it, without the marks."""
    text = MOMENT.sub(r"\1", text).replace(f"<#{CHANNEL}>", "#gpus")
    text = re.sub(r"\*(\S[^*\n]*)\*|`([^`\n]*)`", lambda found: found[1] or found[2], text)
    for mark, meant in UNDONE:
        text = text.replace(mark, meant)
    return text


async def demo(folder: Path, say: Say) -> None:
    """Five questions in the three ways, every button, the form, the log, a restart."""
    async with FakeSlack() as slack:
        person = Demo(slack, say)
        say("$ vram serve\n")
        async with Serve(folder, slack, VRAM_LOG_LEVEL="info"):
            card = await ask_and_click(person)
        say("$ vram serve    (stopped by SIGTERM, started again)\n")
        async with Serve(folder, slack, VRAM_LOG_LEVEL="info"):
            await person.click(card, "Arithmetic", user=BOB)
            listed = await person.command("log")
            await person.click(listed, next(label for label in listed.buttons if label.startswith("Show")))
            if "Older" in listed.buttons:
                await person.click(await person.click(listed, "Older"), "Newer")
        if slack.refused:
            raise SystemExit(f"Slack would have refused: {slack.refused}")


async def ask_and_click(person: Demo) -> Seen:
    """The first part; returns the card that is clicked again after the restart."""
    card = await person.command("70b bf16 2x3090")
    for label in card.buttons:
        if label == "Pin as decision":
            await person.slack.send("interactive", person.slack.click(card.buttons[label]))
            await person.slack.wait_for(lambda: person.slack.views)
            await person.opened("ada clicks Pin as decision")
            place = len(person.slack.seen)
            await person.fill("sent", {"note": "too big for our two 3090"})
            person.show(await person.slack.next_seen(place))
        else:
            await person.click(card, label)
    private = await person.command("13b lora ctx=4k private")
    await person.click(private, "Share", messages=2)
    which = await person.command("13b finetune ctx=4k", user=BOB)
    await person.click(which, "LoRA", user=BOB, messages=2)
    await person.mention("can we run 70b int4 on 2x4090?")
    await person.direct("how much memory does llama 3.1 8b at 32k need?")
    await person.command("13b lroa <!channel>")
    await form(person)
    return card


async def form(person: Demo) -> None:
    """`/vram` alone: a mistake at its field, then the answer."""
    views = len(person.slack.views)
    await person.slack.send("slash_commands", person.slack.command(""))
    await person.slack.wait_for(lambda: len(person.slack.views) > views)
    await person.opened("ada: /vram")
    place = len(person.slack.seen)
    await person.fill("sent", {"model": "13b", "workload": "lora", "context": "0"})
    await person.fill("sent", {"model": "13b", "workload": "lora", "context": "4k"})
    person.show(await person.slack.next_seen(place))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(demo(Path(folder), print))


if __name__ == "__main__":
    main()

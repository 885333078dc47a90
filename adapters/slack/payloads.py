"""Reply -> Block Kit: text of named parts into blocks, neutral actions into buttons. Pure, within every limit.

A reply that is too long for a message becomes several; a button whose state does not fit into a token is left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from adapters.slack import limits
from bot.reply import Action, Reply
from bot.tokens import Tokens, TokenTooLong

Block = dict[str, Any]

SMALL: Final = frozenset({"footer", "logged", "asked", "shared", "more"})
"""Parts that stand in small print."""

ACTION_PREFIX: Final = "vram"
LINK_PREFIX: Final = f"{ACTION_PREFIX}.open"
ROWS: Final = "rows"
BUTTONS_A_BLOCK: Final = 5
"""As many as fit beside one another on a wide screen."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its blocks, and the text of its notification."""

    text: str
    blocks: tuple[Block, ...]

    def fields(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "blocks": list(self.blocks),
            "unfurl_links": False,
            "unfurl_media": False,
        }


class Payloads:
    """Makes messages; the buttons are signed for one team at a time."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def messages(self, reply: Reply, team: str) -> tuple[Message, ...]:
        """The messages of a reply, at least one, each within every limit."""
        blocks = self.blocks(reply, team)
        text = limits.shortened(notification(reply), limits.MESSAGE_TEXT)
        return tuple(Message(text, tuple(some)) for some in _fitting(blocks, limits.MESSAGE_BLOCKS))

    def blocks(self, reply: Reply, team: str) -> list[Block]:
        """The parts in reading order, each with its own buttons below; the buttons of the whole at the end."""
        blocks: list[Block] = []
        for small, names in groupby(reply.parts, key=SMALL.__contains__):
            parts = {name: reply.parts[name] for name in names}
            blocks += _contexts(parts.values()) if small else self._sections(parts, reply, team)
        return blocks + self._buttons([action for action in reply.actions if not action.part], team)

    def _sections(self, parts: Mapping[str, str], reply: Reply, team: str) -> list[Block]:
        blocks: list[Block] = []
        texts: list[str] = []
        for name, text in parts.items():
            beside = [action for action in reply.actions if action.part == name]
            if not beside:
                texts.append(text)
                continue
            blocks += [*_texts(texts), *self._rows(text, beside, team)]
            texts = []
        return blocks + _texts(texts)

    def _rows(self, text: str, actions: list[Action], team: str) -> list[Block]:
        """A list's lines, each with the buttons of its own query below it."""
        lines = text.split("\n")
        of_rows = [list(some) for _, some in groupby(actions, key=lambda action: action.target)]
        if len(lines) != len(of_rows):
            return [*_texts([text]), *self._buttons(actions, team)]
        blocks: list[Block] = []
        for line, own in zip(lines, of_rows, strict=True):
            blocks += [*_texts([line]), *self._buttons(own, team)]
        return blocks

    def _buttons(self, actions: list[Action], team: str) -> list[Block]:
        blocks: list[Block] = []
        for _, some in groupby(actions, key=lambda action: action.code == "what-if"):
            buttons = [button for action in some if (button := self._button(action, team))]
            blocks += (
                {"type": "actions", "elements": buttons[start : start + BUTTONS_A_BLOCK]}
                for start in range(0, len(buttons), BUTTONS_A_BLOCK)
            )
        return blocks

    def _button(self, action: Action, team: str) -> Block | None:
        if action.code == "open":
            return _link(action)
        try:
            token = self._tokens.sign(action, team)
        except TokenTooLong:
            return None
        return {
            "type": "button",
            "action_id": f"{ACTION_PREFIX}.{action.code}.{token[-limits.BUTTON_TEXT :]}",
            "text": plain_text(action.label, limits.BUTTON_TEXT),
            "value": token,
        }


def _link(action: Action) -> Block | None:
    if len(action.argument) > limits.BUTTON_URL:
        return None
    return {
        "type": "button",
        "action_id": LINK_PREFIX,
        "text": plain_text(action.label, limits.BUTTON_TEXT),
        "url": action.argument,
    }


def notification(reply: Reply) -> str:
    """What a notification and a screen reader say: the first parts, without small print."""
    said = [text for name, text in reply.parts.items() if name not in SMALL]
    return "\n".join(said[:2]).strip() or reply.text.strip() or limits.MORE


def plain_text(text: str, most: int) -> Block:
    return {"type": "plain_text", "text": limits.shortened(text, most), "emoji": False}


def mrkdwn(text: str) -> Block:
    """Text in Slack's markup, with nothing in it turned into a mention or a link."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def _texts(texts: Iterable[str]) -> list[Block]:
    joined = "\n".join(texts)
    return [
        {"type": "section", "text": mrkdwn(page)} for page in limits.pages(joined, limits.SECTION_TEXT) if page.strip()
    ]


def _contexts(texts: Iterable[str]) -> list[Block]:
    pages = [page for text in texts for page in limits.pages(text, limits.CONTEXT_TEXT) if page.strip()]
    return [
        {"type": "context", "elements": [mrkdwn(page) for page in pages[start : start + limits.CONTEXT_ELEMENTS]]}
        for start in range(0, len(pages), limits.CONTEXT_ELEMENTS)
    ]


def _fitting(blocks: list[Block], most_blocks: int) -> Iterator[list[Block]]:
    """The blocks as messages: neither too many nor too much text in one."""
    some: list[Block] = []
    taken = 0
    for block in blocks:
        size = _size(block)
        if some and (len(some) >= most_blocks or taken + size > limits.MESSAGE_BLOCK_TEXT):
            yield some
            some, taken = [], 0
        some.append(block)
        taken += size
    yield some


def _size(block: Block) -> int:
    """Characters of all texts of a block."""
    texts = (block.get("text"), *block.get("elements", ()))
    return sum(limits.length(_text(text)) for text in texts if text)


def _text(element: Mapping[str, Any]) -> str:
    said = element["text"]
    return said if isinstance(said, str) else said["text"]

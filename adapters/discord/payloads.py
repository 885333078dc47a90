"""Reply -> what Discord shows: one embed, and the buttons under it. Pure, within every limit."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from adapters.discord import limits
from bot.escaping import plain
from bot.reply import Action, Reply

TITLE = "title"
"""The part of a reply that becomes the embed's title."""

Sign = Callable[[Action], str | None]


@dataclass(frozen=True, slots=True)
class Button:
    """A button that is clicked has a custom_id; one that opens a page has its address."""

    label: str
    custom_id: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A message within all limits.

    Attributes:
        is_private: shown to the asker alone.
    """

    embed: discord.Embed
    buttons: tuple[Button, ...]
    is_private: bool


def message(reply: Reply, sign: Sign) -> Message:
    """The message of a reply; `sign` makes what a button carries, None where it cannot."""
    text = "\n".join(part for name, part in reply.parts.items() if name != TITLE)
    title = reply.parts.get(TITLE)
    embed = discord.Embed(
        title=None if title is None else limits.cut(title, limits.EMBED_TITLE),
        description=limits.cut(text, limits.EMBED_DESCRIPTION) or None,
    )
    return Message(embed, _buttons(reply.actions, sign), reply.audience == "asker")


def _buttons(actions: Iterable[Action], sign: Sign) -> tuple[Button, ...]:
    """A button an action, none twice, as many as there is room for."""
    made = {button.custom_id or button.url: button for action in actions if (button := _button(action, sign))}
    return tuple(made.values())[: limits.MOST_BUTTONS]


def _button(action: Action, sign: Sign) -> Button | None:
    label = limits.cut(plain(action.label).strip(), limits.BUTTON_LABEL)
    if not label:
        return None
    if action.code == "open":
        return Button(label, url=action.argument) if len(action.argument) <= limits.BUTTON_URL else None
    custom_id = sign(action)
    return Button(label, custom_id) if custom_id else None


class ClickButton(ui.DynamicItem[ui.Button[ui.View]], template=r"v\d+\..+"):
    """A button whose custom_id says all that a click does: it needs no memory, so it survives a restart."""

    def __init__(self, custom_id: str, label: str | None = None, row: int | None = None) -> None:
        super().__init__(ui.Button(label=label, custom_id=custom_id), row=row)

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], _item: ui.Item[Any], match: re.Match[str], /
    ) -> "ClickButton":
        return cls(match[0])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.clicked(interaction, self.custom_id)


def view(buttons: Iterable[Button]) -> ui.View:
    """The buttons in rows; one without buttons takes those away that were there."""
    made = ui.View(timeout=None)
    for place, button in enumerate(buttons):
        row = place // limits.BUTTONS_IN_ROW
        if button.url:
            made.add_item(ui.Button(label=button.label, url=button.url, row=row))
        else:
            made.add_item(ClickButton(button.custom_id, button.label, row))
    return made

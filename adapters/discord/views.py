"""Modals: forms that open over the chat. Their words are the dialogs' of `bot`."""

from typing import Any

import discord
from discord import ui

from adapters.discord import limits
from bot.dialogs import Dialog, note_dialog
from bot.review.pinning import MOST_NOTE_CHARACTERS


def note_modal(custom_id: str) -> ui.Modal:
    """Asks for the note of a decision; what is entered comes as an interaction with this custom_id."""
    return dialog_modal(note_dialog(), custom_id)


def dialog_modal(dialog: Dialog, custom_id: str) -> ui.Modal:
    modal = ui.Modal(
        title=limits.cut(dialog.title, limits.MODAL_TITLE), custom_id=custom_id, timeout=limits.FOLLOW_UP_SECONDS
    )
    for entry in dialog.entries[: limits.ROWS]:
        line: ui.TextInput[ui.Modal] = ui.TextInput(
            label=limits.cut(entry.label, limits.INPUT_LABEL),
            placeholder=limits.cut(entry.hint, limits.INPUT_PLACEHOLDER),
            custom_id=entry.name,
            style=discord.TextStyle.paragraph if entry.long else discord.TextStyle.short,
            required=entry.needed,
            max_length=MOST_NOTE_CHARACTERS,
        )
        modal.add_item(line)
    return modal


def entered(interaction: discord.Interaction[Any]) -> dict[str, str]:
    """What was filled in, by the name of the entry, in whichever kind of row it stands."""
    data: Any = interaction.data or {}
    rows = (row.get("components") or (row.get("component", {}),) for row in data.get("components", ()))
    return {str(field.get("custom_id", "")): str(field.get("value") or "") for row in rows for field in row}

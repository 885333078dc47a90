"""Dialogs and the App Home as Slack's views."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from adapters.slack import limits
from adapters.slack.payloads import Block, plain_text
from bot.dialogs import Dialog, Entry

QUESTION: Final = "vram.question"
NOTE: Final = "vram.note"


def dialog_view(dialog: Dialog, callback_id: str, kept: Mapping[str, str]) -> dict[str, Any]:
    """A dialog; `kept` comes back with it."""
    return {
        "type": "modal",
        "callback_id": callback_id,
        "private_metadata": _kept(kept),
        "title": plain_text(dialog.title, limits.VIEW_TITLE),
        "submit": plain_text(dialog.submit, limits.VIEW_TITLE),
        "close": plain_text(dialog.cancel, limits.VIEW_TITLE),
        "blocks": [_input(entry) for entry in dialog.entries],
    }


def _kept(kept: Mapping[str, str]) -> str:
    """What comes back; without the response_url where that is too long, which then is answered by a message."""
    said = json.dumps(kept, separators=(",", ":"))
    if len(said) <= limits.PRIVATE_METADATA:
        return said
    return json.dumps({name: value for name, value in kept.items() if name != "response_url"}, separators=(",", ":"))


def home_view(blocks: Iterable[Block]) -> dict[str, Any]:
    return {"type": "home", "blocks": list(blocks)[: limits.VIEW_BLOCKS]}


def kept_in(view: Mapping[str, Any]) -> dict[str, str]:
    """What a view was opened with."""
    kept = json.loads(view["private_metadata"])
    return kept if isinstance(kept, dict) else {}


def given_in(view: Mapping[str, Any]) -> dict[str, str]:
    """What was filled in, by the name of the entry; empty ones are left out."""
    given: dict[str, str] = {}
    for name, actions in view["state"]["values"].items():
        for state in actions.values():
            option = state.get("selected_option") or {}
            value = (state.get("value") or option.get("value") or "").strip()
            if value:
                given[name] = value
    return given


def _input(entry: Entry) -> Block:
    return {
        "type": "input",
        "block_id": entry.name,
        "optional": not entry.needed,
        "label": plain_text(entry.label, limits.LABEL),
        "hint": plain_text(entry.hint, limits.HINT),
        "element": _choices(entry) if entry.choices else _words(entry),
    }


def _words(entry: Entry) -> Block:
    return {
        "type": "plain_text_input",
        "action_id": entry.name,
        "multiline": entry.long,
        "max_length": limits.INPUT_CHARACTERS if entry.long else limits.INPUT_LINE,
    }


def _choices(entry: Entry) -> Block:
    return {
        "type": "static_select",
        "action_id": entry.name,
        "options": [
            {"text": plain_text(label, limits.OPTION_TEXT), "value": value}
            for label, value in entry.choices[: limits.OPTIONS]
            if len(value) <= limits.OPTION_VALUE
        ],
    }

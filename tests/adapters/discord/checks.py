"""Discord's limits, written down a second time, against what is really sent.

Source: discord-api-docs, resources/message, components/reference, interactions/application-commands.
"""

import re
from collections.abc import Mapping
from typing import Any

EMBED_TEXTS = {"title": 256, "description": 4096}
CODE = re.compile(r"(?<!\\)(```|`)[^`]*\1")
INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")


def units(text: str) -> int:
    """UTF-16 code units: never fewer than characters."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_message(data: Mapping[str, Any]) -> None:
    """A message's payload is within every limit, and harmless."""
    assert len(data.get("embeds", ())) <= 10
    assert units(data.get("content") or "") <= 2000
    assert data.get("content") or data.get("embeds")
    total = 0
    for embed in data.get("embeds", ()):
        for name, most in EMBED_TEXTS.items():
            text = embed.get(name)
            assert text is None or 0 < units(text) <= most
            total += units(text or "")
            check_harmless(text or "")
        assert embed.get("title") or embed.get("description")
    assert total <= 6000
    check_components(data.get("components", ()))


def check_components(rows: Any) -> None:
    assert len(rows) <= 5
    seen = []
    for row in rows:
        assert row["type"] == 1
        assert 1 <= len(row["components"]) <= 5
        for button in row["components"]:
            assert 1 <= units(button["label"]) <= 80
            carried = button.get("url") or button["custom_id"]
            assert 1 <= units(carried) <= (512 if "url" in button else 100)
            seen.append(carried)
    assert len(seen) == len(set(seen))


def check_harmless(text: str) -> None:
    """Nothing acts; what stands in the templates' own code is shown as it is, but mentions and links are broken."""
    assert not re.search(r"@(everyone|here|&?\d)|://|discord(app)?\.(gg|com)", text)
    assert not re.search(r"(?<!\\)<[@:/]|(?<!\\)\[[^\]]*\]\(", CODE.sub("", text))
    assert text.count("```") % 2 == 0
    assert not INVISIBLE.search(text)


def check_command(command: Mapping[str, Any]) -> None:
    assert re.fullmatch(r"[-_a-z0-9]{1,32}", command["name"])
    assert 1 <= units(command["description"]) <= 100
    options = command["options"]
    assert len(options) <= 25
    required = [option["required"] for option in options]
    assert required == sorted(required, reverse=True)
    size = units(command["name"]) + units(command["description"])
    for option in options:
        assert re.fullmatch(r"[-_a-z0-9]{1,32}", option["name"])
        assert 1 <= units(option["description"]) <= 100
        assert not (option.get("choices") and option.get("autocomplete"))
        check_choices(option.get("choices", ()))
        size += units(option["name"]) + units(option["description"])
        size += sum(units(one["name"]) + units(str(one["value"])) for one in option.get("choices", ()))
    assert size <= 8000


def check_choices(choices: Any) -> None:
    assert len(choices) <= 25
    for choice in choices:
        assert 1 <= units(choice["name"]) <= 100
        assert 1 <= units(str(choice["value"])) <= 100


def check_modal(modal: Mapping[str, Any]) -> None:
    assert 1 <= units(modal["title"]) <= 45
    assert 1 <= units(modal["custom_id"]) <= 100
    assert 1 <= len(modal["components"]) <= 5

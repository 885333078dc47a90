"""What Slack refuses, written down apart from our own limits (Block Kit reference, as far as we use it)."""

BUTTON_STYLES = {"primary", "danger"}
MOST_ALL_TEXT = 13_200  # slackapi/bolt-js#2509: all blocks together fail from about here


def problems_of_message(message):
    """Everything that Slack would answer `invalid_blocks` to, in words."""
    found = []
    if not message.get("text"):
        found.append("no text for the notification")
    if len(message.get("text", "")) > 40_000:
        found.append("text over 40,000")
    blocks = message.get("blocks", [])
    if len(blocks) > 50:
        found.append(f"{len(blocks)} blocks in a message")
    ids = [element["action_id"] for block in blocks for element in block.get("elements", ()) if "action_id" in element]
    if len(ids) != len(set(ids)):
        found.append("an action_id twice")
    total = sum(_units(text["text"]) for block in blocks for text in _texts(block))
    if total > MOST_ALL_TEXT:
        found.append(f"{total} characters in all blocks")
    return found + [problem for block in blocks for problem in problems_of_block(block)]


def problems_of_view(view):
    found = []
    if view["type"] == "modal":
        for name in ("title", "submit", "close"):
            _plain(view[name], 24, name, found)
        if len(view["private_metadata"]) > 3_000:
            found.append("private_metadata over 3,000")
        if len(view["callback_id"]) > 255:
            found.append("callback_id over 255")
    if len(view["blocks"]) > 100:
        found.append("over 100 blocks in a view")
    block_ids = [block["block_id"] for block in view["blocks"] if "block_id" in block]
    if len(block_ids) != len(set(block_ids)):
        found.append("a block_id twice")
    return found + [problem for block in view["blocks"] for problem in problems_of_block(block)]


def problems_of_block(block):
    found = []
    match block["type"]:
        case "section":
            _mrkdwn(block["text"], 3_000, found)
        case "context":
            if not 1 <= len(block["elements"]) <= 10:
                found.append("context elements")
            for element in block["elements"]:
                _mrkdwn(element, 3_000, found)
        case "actions":
            if not 1 <= len(block["elements"]) <= 25:
                found.append("actions elements")
            for element in block["elements"]:
                _button(element, found)
        case "input":
            _input(block, found)
        case other:
            found.append(f"a block of type {other}")
    return found


def _button(button, found):
    if button["type"] != "button":
        found.append(f"an element of type {button['type']}")
    _plain(button["text"], 75, "button", found)
    if not 1 <= len(button["action_id"]) <= 255:
        found.append("action_id")
    if not 1 <= len(button.get("value", "x")) <= 2_000:
        found.append("button value")
    if len(button.get("url", "")) > 3_000:
        found.append("button url")
    if "style" in button and button["style"] not in BUTTON_STYLES:
        found.append("button style")


def _input(block, found):
    _plain(block["label"], 2_000, "label", found)
    if "hint" in block:
        _plain(block["hint"], 2_000, "hint", found)
    if len(block["block_id"]) > 255:
        found.append("block_id")
    element = block["element"]
    if element["type"] == "static_select":
        if not 1 <= len(element["options"]) <= 100:
            found.append("options")
        for option in element["options"]:
            _plain(option["text"], 75, "option", found)
            if len(option["value"]) > 150:
                found.append("option value")
    elif element["type"] != "plain_text_input" or not 1 <= element["max_length"] <= 3_000:
        found.append("input element")


def _mrkdwn(text, most, found):
    if text["type"] != "mrkdwn":
        found.append("text type")
    if not 1 <= _units(text["text"]) <= most:
        found.append(f"{_units(text['text'])} characters of {most}")


def _plain(text, most, name, found):
    if text["type"] != "plain_text":
        found.append(f"{name} is no plain_text")
    if not 1 <= _units(text["text"]) <= most:
        found.append(f"{name} of {_units(text['text'])} characters")


def _texts(block):
    if isinstance(block.get("text"), dict):
        yield block["text"]
    for element in block.get("elements", ()):
        yield element["text"] if isinstance(element.get("text"), dict) else element


def _units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

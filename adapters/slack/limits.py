"""Every limit of Slack that we can reach, and how a text is cut to keep one.

Out of reach are a button's value (2,000 characters) and action_id (255), since a token has at most 100, and the 25
elements of an actions block, of which we fill five.

Sources: Block Kit reference as in @slack/types 3.2.0 and slack_sdk.models; the sum over all blocks of a message is
undocumented, messages fail from about 13,200 characters (slackapi/bolt-js#2509).
"""

import re
from typing import Final

SECTION_TEXT: Final = 3_000
CONTEXT_TEXT: Final = 2_000
CONTEXT_ELEMENTS: Final = 10
BUTTON_TEXT: Final = 75
BUTTON_URL: Final = 3_000
MESSAGE_BLOCKS: Final = 50
MESSAGE_TEXT: Final = 4_000
"""Of the notification text; 40,000 are taken, 4,000 advised."""
MESSAGE_BLOCK_TEXT: Final = 12_000
"""Over all blocks of a message."""
VIEW_BLOCKS: Final = 100
VIEW_TITLE: Final = 24
PRIVATE_METADATA: Final = 3_000
LABEL: Final = 2_000
HINT: Final = 2_000
OPTION_TEXT: Final = 75
OPTION_VALUE: Final = 150
OPTIONS: Final = 100
FIELD_ERROR: Final = 300
"""Of what stands below a field of a form. Our choice: a sentence or two."""
INPUT_CHARACTERS: Final = 3_000
INPUT_LINE: Final = 200
"""Of a line of a form. Our choice: no word of a question is longer."""
RESPONSE_URL_USES: Final = 5

_WORD_END: Final = re.compile(r"[ \n\t]+")
_BROKEN_END: Final = re.compile(r"(?:[\d.,]+|&[a-z]*)$")
"""Of a cut word: a figure that would read as another one, half an escaped character."""
MORE: Final = "…"


def length(text: str) -> int:
    """Characters as Slack counts them: those outside the basic plane count twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def pages(text: str, most: int) -> list[str]:
    """The text in pieces of at most `most` characters, cut at the ends of lines, else of words; nothing is left out.

    No-break spaces are no ends of words, so a figure and its unit stay together.

    >>> pages("needs 35 GB of memory", 12)
    ['needs 35 GB', 'of memory']
    """
    found: list[str] = []
    rest = text.strip("\n")
    while length(rest) > most:
        head = _head(rest, most)
        found.append(head.rstrip())
        rest = rest[len(head) :].lstrip(" \n\t")
    return [*found, rest] if rest or not found else found


def shortened(text: str, most: int) -> str:
    """The text, cut at the end of a word where it is longer, with an ellipsis.

    >>> shortened("What if budget=1,234/mo?", 20)
    'What if …'
    """
    if length(text) <= most:
        return text
    return f"{_head(text, most - 2).rstrip()} {MORE}"


def _head(text: str, most: int) -> str:
    """The longest beginning that ends with a line, else with a word, else anywhere but in a figure; no mark is cut."""
    head = _word_head(text, most)
    opened = head.rfind("<")
    return head[:opened] if opened > max(0, head.rfind(">")) else head


def _word_head(text: str, most: int) -> str:
    room = _reach(text, most)
    line = text.rfind("\n", 0, room + 1)
    if line > room // 2:
        return text[:line]
    ends = [gap.start() for gap in _WORD_END.finditer(text[: room + 1]) if gap.start() > 0]
    if ends:
        return text[: ends[-1]]
    return _BROKEN_END.sub("", text[:room]) or text[:room]


def _reach(text: str, most: int) -> int:
    """How many of our characters fit into `most` of Slack's."""
    if len(text) * 2 <= most or text.isascii():
        return min(most, len(text))
    taken = 0
    for place, character in enumerate(text):
        taken += 2 if character > "\uffff" else 1
        if taken > most:
            return place
    return len(text)

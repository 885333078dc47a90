"""What phones, keyboards and chat clients do to a text is undone here and nowhere else.

The order matters: unwrap tokens, unescape entities, NFKC, drop zero-width and bidi marks, dashes at a word's start,
quotes, collapse space, strip code and bold marks. Tokens are unwrapped before entities are unescaped, so that
`&lt;!channel&gt;`, which somebody typed, never becomes a token.

A token keeps what a reader sees: the label of a link, `@name` of a person, `#name` of a channel.
Source: chat surfaces, "Pitfalls that bit real users", 6 (reports of Slack and Discord bots).
"""

import html
import re
import unicodedata
from typing import Final

_LABELLED: Final = re.compile(
    r"<(?P<kind>https?:|mailto:|@|#|!|tel:)(?P<target>[^|<>\s]*)(?:\|(?P<label>[^<>]*))?>", re.IGNORECASE
)
_DISCORD: Final = re.compile(r"<(?:@[!&]?|#)\d+>|<a?:(?P<emoji>\w+):\d+>|</(?P<command>[\w -]+):\d+>|<t:\d+(?::\w)?>")
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_DASH: Final = "\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_START_OF_FLAG: Final = re.compile(rf"(?<!\S)[{_DASH}]+(?=[^\W\d])")
_START_OF_NUMBER: Final = re.compile(rf"(?<!\S)[{_DASH}](?=[\d.])")
_OTHER_DASH: Final = re.compile(rf"[{_DASH}]")
_QUOTES: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u301f", '"')
    | {"\u00d7": "x", "\u2715": "x", "\u2a2f": "x", "\u2264": "<="}
)
_FENCE: Final = re.compile(r"(?<!\S)[*_~`]*`[*_~`]*(?!\S)")
_EDGE_BEFORE: Final = re.compile(r"(?<!\S)[\"'(\[*_~`]+(?=\S)")
_EDGE_AFTER: Final = re.compile(r"(?<=\S)[\"')\],;:?!.*_~`]+(?!\S)")
_MARKS: Final = str.maketrans("", "", "*_~`")


def normalise(text: str) -> str:
    """The text as its writer meant it: one line, plain ASCII dashes and quotes, no marks of a chat client.

    >>> normalise("\u201c13b\u201d lora ctx\uff1d4k")
    '"13b" lora ctx=4k'
    >>> normalise("*70b* `int4` <http://qwen2.5|qwen2.5> \u2014ctx=8k")
    '70b int4 qwen2.5 --ctx=8k'
    """
    text = _DISCORD.sub(_discord_seen, _LABELLED.sub(_seen, text))
    text = unicodedata.normalize("NFKC", html.unescape(text))
    text = _CONTROL.sub(" ", _INVISIBLE.sub("", text))
    text = _START_OF_NUMBER.sub("-", _START_OF_FLAG.sub("--", text))
    text = _OTHER_DASH.sub("-", text).translate(_QUOTES)
    text = _without_marks(" ".join(text.split()))
    return " ".join(text.split())


def _seen(token: re.Match[str]) -> str:
    kind, target, label = token["kind"], token["target"], token["label"]
    if kind in {"@", "#", "!"}:
        return f"{'#' if kind == '#' else '@'}{label or target.partition('^')[0].lstrip('!&')}".replace("@@", "@")
    return label or target.removeprefix("//")


def _discord_seen(token: re.Match[str]) -> str:
    if token["emoji"]:
        return f":{token['emoji']}:"
    return token["command"] or re.sub(r"[<>!&]", "", token[0])


def _without_marks(text: str) -> str:
    text = _EDGE_BEFORE.sub(lambda edge: edge[0].translate(_MARKS), _FENCE.sub("", text))
    return _EDGE_AFTER.sub(lambda edge: edge[0].translate(_MARKS), text).replace("`", " ")

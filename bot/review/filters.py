"""The words behind `log` and `export` -> filters. A wrong word is refused with the nearest right one."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from bot.grammar import nearest
from bot.log.entry import Filters
from bot.log.words import searched
from engine import gpus, models
from engine.errors import ConflictingWords, ImpossibleValue, UnknownGpu, UnknownModel, UnknownWord

VERDICTS: Final = ("fits", "tight", "no")
WORKLOADS: Final = ("infer", "lora", "qlora", "full")
KINDS: Final = ("answer", "choice", "refusal")
YES_NO: Final = {"yes": True, "no": False}
ME: Final = "me"

WORDS: Final = "words that stand in the question, and filters such as verdict:tight"
NO_SUCH_DAY: Final = "the calendar has no day that far away"

_WORD: Final = re.compile(r'([A-Za-z]+)[:=](?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)')
_SIZE: Final = re.compile(r"\d+x\d+(\.\d+)?b|\d+(\.\d+)?b(-a\d+(\.\d+)?b)?")
_USER_ID: Final = re.compile(r"[UW][A-Z0-9]{5,}|\d{15,20}")
"""Of Slack and Discord. Sources: docs.slack.dev, team IDs; discord-api-docs, snowflakes."""
_DAYS: Final = re.compile(r"(\d{1,9})d")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was typed, read: the filters, and the place in the list to go on from."""

    filters: Filters
    after: str | None = None


def wanted(text: str, *, user: str, now: datetime) -> Wanted:
    """The filters of a text.

    Args:
        text: plain words and `key:value` pairs, `=` as good as `:`; quotation marks hold words together.
        user: who asks, for `by:me`.
        now: for `since:today`; days begin at midnight UTC.

    Raises:
        EngineError: a key or a value that is none, with what is near or allowed.
    """
    read = _Reading(user, now)
    for key, quoted, bare, phrase, word in _WORD.findall(text):
        if key:
            read.take(key.lower(), quoted or bare)
        else:
            read.words.append(_findable(phrase or word))
    return Wanted(Filters(words=tuple(read.words), **read.known), read.after)


def _findable(word: str) -> str:
    """The word, where the log can be searched for it and is not asked to leave it out."""
    if not searched(word):
        raise ImpossibleValue(word or '""', reason="there is no letter or digit in it to search for", allowed=WORDS)
    if word.startswith(("-", "!")):
        raise ImpossibleValue(word, reason="words cannot be left out of a search", allowed=WORDS)
    return word


class _Reading:
    def __init__(self, user: str, now: datetime) -> None:
        self.known: dict[str, Any] = {}
        self.words: list[str] = []
        self.after: str | None = None
        self._user = user
        self._now = now
        self._given: set[str] = set()

    def take(self, key: str, value: str) -> None:
        if key not in KEYS:
            near = tuple(f"{name}:" for name in nearest(key, KEYS))
            raise UnknownWord(f"{key}:", near=near, allowed=", ".join(f"{name}:" for name in KEYS))
        if not value:
            raise ImpossibleValue(f"{key}:", reason="nothing stands behind it", allowed=KEYS[key])
        if key in self._given:
            raise ConflictingWords(f"{key}:{value}", reason=f"{key}: stands there twice", allowed="one of each")
        self._given.add(key)
        if key == "after":
            self.after = value
        else:
            self.known |= self._read(key, value)

    def _read(self, key: str, value: str) -> Mapping[str, object]:
        if key == "by":
            return self._by(value)
        if key in {"since", "until"}:
            return {key: _moment(key, value, self._now)}
        return {key: _READERS[key](value)}

    def _by(self, value: str) -> Mapping[str, str]:
        name = value.removeprefix("@")
        if name.lower() == ME:
            return {"user": self._user}
        return {"user": name} if _USER_ID.fullmatch(name) else {"user_name": name}


KEYS: Final[Mapping[str, str]] = {
    "model": "a model, as in model:llama-3.1-70b or model:13b",
    "gpu": "the GPU of the pick, as in gpu:a40",
    "by": "a name, or by:me",
    "since": "a day in UTC, or a time with its zone: since:2026-09-01, since:7d, since:2026-09-01T20:00Z",
    "until": "a day in UTC that still counts, as in until:2026-09-30",
    "verdict": "fits, tight or no",
    "workload": "infer, lora, qlora or full",
    "kind": "answer, choice or refusal",
    "decided": "yes or no",
    "measured": "yes or no",
    "after": "the place that a page of the log ends with",
}
"""What can stand before the colon, with what may follow."""


def _model(value: str) -> str:
    found = models.find(value).shapes
    if len(found) > 1:
        raise ConflictingWords(value, reason="several models have that name", near=tuple(one.id for one in found))
    if found:
        return found[0].id
    if _SIZE.fullmatch(value.lower()):
        return value.lower()
    raise UnknownModel(value, near=nearest(value, models.names()), allowed="the plain word finds it in the text too")


def _gpu(value: str) -> str:
    found = gpus.find(value)
    if len(found) > 1:
        raise ConflictingWords(value, reason="several GPUs have that name", near=tuple(one.id for one in found))
    if not found:
        raise UnknownGpu(value, near=nearest(value, gpus.names()), allowed=KEYS["gpu"])
    return found[0].id


def _one_of(key: str, allowed: tuple[str, ...]) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value.lower() not in allowed:
            raise UnknownWord(f"{key}:{value}", near=nearest(value.lower(), allowed), allowed=", ".join(allowed))
        return value.lower()

    return read


def _yes(key: str) -> Callable[[str], bool]:
    def read(value: str) -> bool:
        return YES_NO[_one_of(key, tuple(YES_NO))(value)]

    return read


_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "model": _model,
    "gpu": _gpu,
    "verdict": _one_of("verdict", VERDICTS),
    "workload": _one_of("workload", WORKLOADS),
    "kind": _one_of("kind", KINDS),
    "decided": _yes("decided"),
    "measured": _yes("measured"),
}


def _moment(key: str, value: str, now: datetime) -> datetime:
    """The beginning of a day in UTC; of the day after for `until`. A time with its zone is taken as it is."""
    try:
        day = _day(value.lower(), now.astimezone(UTC).date())
        exact = _exact(value) if day is None else None
    except OverflowError:
        raise ImpossibleValue(f"{key}:{value}", reason=NO_SUCH_DAY, allowed=KEYS[key]) from None
    if day is None:
        if exact is None:
            raise ImpossibleValue(f"{key}:{value}", reason="that is no day", allowed=KEYS[key])
        return exact
    begins = datetime.combine(day, time(), UTC)
    return begins + timedelta(days=1) if key == "until" else begins


def _day(value: str, today: date) -> date | None:
    if value in {"today", "yesterday"}:
        return today - timedelta(days=value == "yesterday")
    if ago := _DAYS.fullmatch(value):
        return today - timedelta(days=int(ago[1]))
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return None
    if not date.min < day < date.max:
        raise OverflowError
    return day


def _exact(value: str) -> datetime | None:
    try:
        exact = datetime.fromisoformat(value)
    except ValueError:
        return None
    return exact.astimezone(UTC) if exact.tzinfo else None

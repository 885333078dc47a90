"""What an adapter hands in and what it gets back: no platform's types, no platform's words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from bot.log.entry import NewQuery
from engine.answer import Answer, Choice, Refusal
from engine.question import Question

Audience = Literal["channel", "asker"]
Visibility = Literal["public", "private-channel", "direct"]
Kind = Literal["answer", "choice", "refusal", "list", "done", "failed"]
ActionCode = Literal["share", "arithmetic", "pin", "what-if", "choose", "show", "next", "open"]

EXIT_STATUSES: Final[Mapping[Kind, int]] = {"answer": 0, "list": 0, "done": 0, "refusal": 2, "choice": 3, "failed": 1}


@dataclass(frozen=True, slots=True)
class Request:
    """One message to the bot.

    Attributes:
        event_key: the same for a message delivered twice, never for two messages.
        mention: a sentence to the bot, whose filler words do not count.
        config: the text of a model's config.json, where the asker gave one; `config_name` is what the card calls it.
        arithmetic: show the formula of every term too.
        question: what the text means, where that is already known.
        is_admin: the platform says that the asker administers the team there.
        public_id: of the query, where it has to be the same each time; a new one where empty.
    """

    text: str
    platform: str
    team: str
    user: str
    user_name: str
    event_key: str
    channel: str | None = None
    visibility: Visibility = "public"
    mention: bool = False
    config: str | None = None
    config_name: str = ""
    arithmetic: bool = False
    question: Question | None = None
    public_id: str = ""
    is_admin: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something the reader may do next: a button where there are buttons.

    Attributes:
        target: public id of the query that the action is about; with `argument` it says all that a click has to carry.
        argument: of `what-if` the word that changes the question, of `choose` the place of the reading (0, 1 …), of
            `next` the cursor, of `open` the address of a web page.
        part: the part of the reply that it stands beside; the whole reply where empty.
    """

    code: ActionCode
    label: str
    target: str = ""
    argument: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply.

    Attributes:
        parts: rendered text by part, in reading order.
        outcome: what the question came to; of a command None, but for `show` the stored one.
        rows: the lines of a list, as JSON has them.
        entry: what is to be logged; None where nothing is.
    """

    kind: Kind
    audience: Audience
    parts: Mapping[str, str]
    actions: tuple[Action, ...] = ()
    outcome: Answer | Choice | Refusal | None = None
    rows: tuple[Mapping[str, object], ...] = field(default=())
    entry: NewQuery | None = None

    @property
    def text(self) -> str:
        return "\n".join(self.parts.values())

    @property
    def exit_status(self) -> int:
        return EXIT_STATUSES[self.kind]


def bug_text(reference: str) -> str:
    """What a person reads when the bot itself failed."""
    return f"Something in the bot went wrong. Please report it with this reference: {reference}."


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a reply's entry: its number in the team, or why it has none yet."""

    number: int | None
    reason: str
    text: str

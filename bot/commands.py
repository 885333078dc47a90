"""The table of commands: every surface's help, menus and dispatch are made from it.

A command word is a command only in its own form, so that `serve 70b` stays a question.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot.reply import Audience
from engine.errors import UnknownWord

Surface = Literal["terminal", "chat", "web"]
Form = Literal["alone", "number", "first"]
"""`alone`: the word and nothing else; `number`: before the number of a query; `first`: before anything."""

TERMINAL: Final[frozenset[Surface]] = frozenset({"terminal"})
EVERYWHERE: Final[frozenset[Surface]] = frozenset({"terminal", "chat", "web"})


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table.

    Attributes:
        usage: the word with what follows it.
        answers: who sees its reply where it was called in a channel.
        reads_log: it needs the query log.
        needs_rights: administrators may do more with it.
        log_option: an option with which it needs the query log, where it otherwise does not.
        is_question_word: in any other form it is the word of a question.
    """

    word: str
    form: Form
    usage: str
    help: str
    example: str
    answers: Audience = "asker"
    surfaces: frozenset[Surface] = EVERYWHERE
    reads_log: bool = True
    needs_rights: bool = False
    log_option: str = ""
    is_question_word: bool = False


COMMANDS: Final = (
    Command("help", "alone", "help", "this page", "help", reads_log=False),
    Command("log", "first", "log [filters]", "the latest questions, or those asked for", "log 13b by:me verdict:tight"),
    Command("show", "number", "show N", "question N as it was answered", "show 17"),
    Command("pin", "number", "pin N [note]", "makes N the decision on its question", "pin 17 cheapest that fits"),
    Command("unpin", "number", "unpin N", "N is no decision any more", "unpin 17", needs_rights=True),
    Command("again", "number", "again N", "asks N again: what has changed", "again 17"),
    Command("measured", "number", "measured N <run>", "what a run really took", "measured 17 31.2GB 42tok/s"),
    Command("forget", "number", "forget N", "deletes your question N", "forget 17", needs_rights=True),
    Command("export", "first", "export [filters]", "the log as CSV, or --format jsonl", "export", surfaces=TERMINAL),
    Command("prune", "alone", "prune", "deletes what is older than VRAM_LOG_DAYS", "prune", surfaces=TERMINAL),
    Command(
        "models",
        "first",
        "models [words]",
        "the models known, or one with its shape",
        "models llama 70b",
        reads_log=False,
    ),
    Command(
        "gpus", "first", "gpus [gpu]", "the GPUs for rent, or one with all that is known", "gpus a40", reads_log=False
    ),
    Command(
        "compare",
        "first",
        "compare A B …",
        "sets side by side",
        "compare h100-pcie 4090 70b int4",
        reads_log=False,
        log_option="measured=",
    ),
    Command(
        "cost",
        "first",
        "cost <question>",
        "renting, owning, tokens: what it costs",
        "cost 13b qlora hours=200 buy=1700 4090",
        reads_log=False,
    ),
    Command(
        "advise",
        "first",
        "advise <words>",
        "which GPU for a task, a person or a budget",
        "advise LoRA on 13B",
        reads_log=False,
    ),
    Command(
        "plan",
        "first",
        "plan <question>",
        "the 30-minute test to run before paying",
        "plan llama-3.1-8b ctx=8192 l4",
        reads_log=False,
    ),
    Command(
        "catalog",
        "first",
        "catalog show",
        "whose prices are asked; catalog check FILE",
        "catalog check offers.csv",
        surfaces=frozenset({"terminal"}),
        reads_log=False,
    ),
    Command(
        "accuracy",
        "alone",
        "accuracy",
        "how far off we are on measured runs",
        "accuracy",
        surfaces=frozenset({"terminal"}),
        reads_log=False,
    ),
    Command(
        "serve",
        "alone",
        "serve",
        "answers in Slack and Discord until it is stopped",
        "serve",
        surfaces=TERMINAL,
        reads_log=False,
        is_question_word=True,
    ),
    Command(
        "discord-sync",
        "first",
        "discord-sync",
        "tells Discord the commands; --help says more",
        "discord-sync",
        surfaces=TERMINAL,
        reads_log=False,
    ),
)
BY_WORD: Final[Mapping[str, Command]] = {command.word: command for command in COMMANDS}

QUESTION_USAGE: Final = "<model> [what to do] [details]"
QUESTION_HELP: Final = "how much GPU memory, on which GPU, at what price"
QUESTION_EXAMPLES: Final = (
    "13b lora ctx=4k",
    "70b int4 on 2x3090",
    "34b fp8 users=20 ctx=8k budget=500/mo",
    "7b qlora rank=64 24gb",
)

_NUMBER: Final = re.compile(r"#?(\d{1,18})")


@dataclass(frozen=True, slots=True)
class Called:
    """A command with what it was called with: the number of a query, and the words behind."""

    command: Command
    number: int | None
    words: str

    @property
    def reads_log(self) -> bool:
        """Whether what was called needs the query log."""
        option = self.command.log_option
        return self.command.reads_log or (option != "" and option in self.words.lower())


def called(text: str, surface: Surface) -> Called | None:
    """The command that a text (normalised) calls; None where it is a question."""
    word, _, rest = text.strip().partition(" ")
    command = BY_WORD.get(word.lower())
    rest = rest.strip()
    if command is None or surface not in command.surfaces:
        return None
    if command.form == "number":
        first, _, behind = rest.partition(" ")
        number = _NUMBER.fullmatch(first)
        return Called(command, int(number[1]), behind.strip()) if number else None
    if command.form == "alone" and rest:
        return None
    return Called(command, None, rest)


def misused(text: str, surface: Surface) -> Command | None:
    """The command whose word a text (normalised) begins with, in a form that the command does not have."""
    command = BY_WORD.get(text.strip().partition(" ")[0].lower())
    if command is None or surface not in command.surfaces or command.is_question_word:
        return None
    return command if called(text, surface) is None else None


def wrong_form(text: str, command: Command) -> UnknownWord:
    """Why a text is not the command that it begins with."""
    example = " alone" if command.form == "alone" else f", as in {command.example}"
    return UnknownWord(
        text, reason=f"{command.word} is a command and has another form", allowed=f"{command.usage}{example}"
    )

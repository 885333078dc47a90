"""What stands after the `=` of an option: how each kind of value is read, and how it is written."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, get_args

from bot.grammar.values import plain, share, tokens, whole
from engine.errors import ImpossibleValue
from engine.question import Checkpointing, Loss, Optimizer


class Read(NamedTuple):
    """A value that was understood, and how it is written."""

    value: object
    written: str


ReadValue = Callable[[str, str], Read]
"""From the value and the words as given; raises ImpossibleValue."""


def token_count(key: str) -> ReadValue:
    def read(value: str, given: str) -> Read:
        count = tokens(value, given=given, example=f"{key}=4k")
        return Read(count, str(count))

    return read


def whole_number(key: str, low: int, high: int, example: int) -> ReadValue:
    def read(value: str, given: str) -> Read:
        count = whole(value, given=given, low=low, high=high, example=f"{key}={example}")
        return Read(count, str(count))

    return read


def share_of_one(value: str, given: str) -> Read:
    part = share(value, given=given)
    return Read(part, plain(part))


def one_of(key: str, choices: Callable[[], Mapping[str, object]]) -> ReadValue:
    """One of some words; several may mean the same, the first of these is how it is written."""

    def read(value: str, given: str) -> Read:
        known = choices()
        for spelling in (value, value.replace("-", "_"), value.replace("_", "-")):
            if spelling in known:
                meant = known[spelling]
                return Read(meant, _first_word(known, meant))
        allowed = ", ".join(f"{key}={_first_word(known, meant)}" for meant in dict.fromkeys(known.values()))
        raise ImpossibleValue(given, allowed=allowed, reason=f"{key} does not take this value")

    return read


def _first_word(choices: Mapping[str, object], meant: object) -> str:
    return next(word for word, other in choices.items() if other == meant)


def on_off(key: str) -> ReadValue:
    return one_of(key, lambda: _ON_OFF)


_ON_OFF: Final[Mapping[str, bool]] = {
    **dict.fromkeys(("on", "yes", "true", "1"), True),
    **dict.fromkeys(("off", "no", "false", "0"), False),
}
CHECKPOINTING: Final[Mapping[str, str]] = {
    **{word: word for word in get_args(Checkpointing)},
    **dict.fromkeys(("true", "yes", "full", "1"), "on"),
    **dict.fromkeys(("false", "no", "none", "0"), "off"),
    **dict.fromkeys(("cpu", "offloaded"), "offload"),
    "half": "alternate",
}
OPTIMIZERS: Final[Mapping[str, str]] = {
    **{word: word for word in get_args(Optimizer)},
    **dict.fromkeys(("adamw", "adamw-torch"), "adam"),
    **dict.fromkeys(("adam-8bit", "adamw8bit", "adamw-8bit", "adamw-bnb-8bit", "8bit"), "adam8bit"),
    **dict.fromkeys(("adam-4bit", "adamw4bit", "adamw-4bit"), "adam4bit"),
    "adamw-fp32": "adam-fp32",
    "adamw-bf16": "adam-bf16",
    "paged-8bit": "paged8bit",
}
LOSSES: Final[Mapping[str, str]] = {
    **{word: word for word in get_args(Loss)},
    **dict.fromkeys(("liger", "cce"), "fused"),
    "linear-chunk": "linear-chunked",
    "normal": "plain",
}
TARGETS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("default",), "default"),
    **dict.fromkeys(("all", "all-linear", "linear"), "all"),
    **dict.fromkeys(("attn", "attention", "qkvo", "q-k-v-o"), "attn"),
    **dict.fromkeys(("qv", "q-v"), "qv"),
}
OFFLOAD: Final[Mapping[str, bool]] = {"cpu": True, "on": True, "off": False, "none": False, "no": False}
EMBEDDINGS: Final[Mapping[str, bool]] = {"train": True, "on": True, "frozen": False, "off": False}
EAGER: Final[Mapping[str, bool]] = {
    "eager": True,
    **dict.fromkeys(("flash", "sdpa", "fa2", "flash-attention-2"), False),
}
FULL_LOGITS: Final[Mapping[str, bool]] = {"full": True, "all": True, "last": False}
GROWING_CACHE: Final[Mapping[str, bool]] = {"growing": True, "static": False, "dynamic": False}

"""What a question can be refused for. Values only: `bot` words them.

EngineError                 given, near, allowed
├── EmptyQuestion           empty
├── QuestionTooLong         too-long
├── UnknownWord             unknown-word
├── UnknownModel            unknown-model
├── UnknownGpu              unknown-gpu
├── ImpossibleValue         impossible-value
├── ConflictingWords        conflict
├── NotModelled             not-modelled
├── NoSuchQuery             no-such-query
├── NotAllowed              not-allowed
└── CatalogError            a bad row of a catalog (file, line, reason); never of a question
"""

from typing import ClassVar


class EngineError(Exception):
    """Base of every refusal.

    Args:
        given: the words that were given, as typed.
        near: what was probably meant, nearest first.
        allowed: what would be accepted in place of `given`, in plain words.
        reason: why `given` cannot be answered, in plain words; empty where the class says it all.
    """

    code: ClassVar[str] = "impossible-value"

    def __init__(self, given: str = "", *, near: tuple[str, ...] = (), allowed: str = "", reason: str = "") -> None:
        super().__init__(given, reason)
        self.given = given
        self.near = near
        self.allowed = allowed
        self.reason = reason


class EmptyQuestion(EngineError):
    code = "empty"


class QuestionTooLong(EngineError):
    code = "too-long"


class UnknownWord(EngineError):
    code = "unknown-word"


class UnknownModel(EngineError):
    code = "unknown-model"


class UnknownGpu(EngineError):
    code = "unknown-gpu"


class ImpossibleValue(EngineError):
    code = "impossible-value"


class ConflictingWords(EngineError):
    code = "conflict"


class NotModelled(EngineError):
    code = "not-modelled"


class NoSuchQuery(EngineError):
    code = "no-such-query"


class NotAllowed(EngineError):
    code = "not-allowed"


class CatalogError(EngineError):
    """A row of a data file that cannot be used; `given` is `file:line`."""

    code = "impossible-value"

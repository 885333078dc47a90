"""Words what cannot be answered: what was given, why not, what to do. The only place that words an EngineError."""

from collections.abc import Callable, Mapping
from typing import Final, cast

from bot.cards import RefusalCard
from bot.escaping import plain, quoted
from engine.answer import Problem, ProblemCode, Refusal
from engine.errors import EngineError

MOST_NEAR: Final = 3
LONGEST_TITLE: Final = 70


def refusal(text: str, error: EngineError) -> Refusal:
    """A refused question as a value.

    Args:
        text: the question, as it may be shown again.
        error: why it is refused.
    """
    return Refusal(text=text, problem=problem(error))


def problem(error: EngineError) -> Problem:
    code = cast("ProblemCode", error.code)
    said = _WORDINGS[code](error)
    return Problem(
        code=code, given=error.given, near=error.near, text=" ".join(_sentence(part) for part in said if part)
    )


def refusal_card(refused: Refusal) -> RefusalCard:
    return RefusalCard(title=shown(refused.text) or "no question", problem=refused.problem.text)


def shown(text: str, most: int = LONGEST_TITLE) -> str:
    """A question on one line, cut where it is long."""
    line = " ".join(plain(text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _sentence(words: str) -> str:
    words = words.strip()
    return words if words.endswith((".", "?", "!")) else f"{words}."


def _near(error: EngineError) -> str:
    if not error.near:
        return ""
    *others, last = error.near[:MOST_NEAR]
    return f"Did you mean {', '.join(others)} or {last}?" if others else f"Did you mean {last}?"


def _allowed(error: EngineError) -> str:
    return f"Allowed: {error.allowed}" if error.allowed else ""


def _because(error: EngineError, otherwise: str) -> str:
    if not error.given:
        return capital(error.reason or f"that {otherwise}")
    said = f": {error.reason}" if error.reason else f" {otherwise}"
    return f"{quoted(error.given)}{said}"


def _empty(error: EngineError) -> tuple[str, ...]:
    missing = capital(error.reason or "the question names no model")
    return (missing, error.allowed or "Begin with a size or a name: 13b lora ctx=4k")


def _too_long(error: EngineError) -> tuple[str, ...]:
    return (capital(error.reason or "the question is too long"), _allowed(error) or "At most 500 characters")


def _unknown_word(error: EngineError) -> tuple[str, ...]:
    do = _near(error) or _allowed(error) or "Leave it out, or ask for help to see what can be said"
    return (_because(error, "is no word that I know"), do)


def _unknown_model(error: EngineError) -> tuple[str, ...]:
    return (_because(error, "is no model that I know"), _near(error), _allowed(error) or "A size works too: 13b")


def _unknown_gpu(error: EngineError) -> tuple[str, ...]:
    return (_because(error, "is no GPU that I know"), _near(error), _allowed(error) or "A memory size works too: 24gb")


def _impossible(error: EngineError) -> tuple[str, ...]:
    return (_because(error, "is not possible"), _allowed(error), _near(error))


def _conflict(error: EngineError) -> tuple[str, ...]:
    return (_because(error, "do not go together"), _allowed(error) or "Leave one of them out", _near(error))


def _not_modelled(error: EngineError) -> tuple[str, ...]:
    return (_because(error, "is not modelled"), _allowed(error), _near(error))


def _no_such_query(error: EngineError) -> tuple[str, ...]:
    named = f"no question {quoted(error.given)}" if error.given else "no such question"
    return (f"There is {named} that you can see here", "The command log lists the latest")


def _not_allowed(error: EngineError) -> tuple[str, ...]:
    return (_because(error, "is not yours to change"), _allowed(error))


_WORDINGS: Final[Mapping[ProblemCode, Callable[[EngineError], tuple[str, ...]]]] = {
    "empty": _empty,
    "too-long": _too_long,
    "unknown-word": _unknown_word,
    "unknown-model": _unknown_model,
    "unknown-gpu": _unknown_gpu,
    "impossible-value": _impossible,
    "conflict": _conflict,
    "not-modelled": _not_modelled,
    "no-such-query": _no_such_query,
    "not-allowed": _not_allowed,
}

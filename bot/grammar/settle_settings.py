"""Everything of a question that is said once: context, load, limits, tuning, engine."""

from collections.abc import Mapping
from typing import Any, Final, cast

from bot.grammar.draft import Draft
from engine.errors import ConflictingWords, ImpossibleValue
from engine.question import EngineOptions, Limits, Tuning

_GROUPS: Final[Mapping[str, type[Tuning | EngineOptions | Limits]]] = {
    "tuning": Tuning,
    "options": EngineOptions,
    "limits": Limits,
}
_FIELDS: Final[Mapping[str, str]] = {
    "kv": "kv_format",
    "batch": "batch",
    "users": "users",
    "engine": "engine",
    "private": "private",
}
_FLASH: Final = "options.flash_attention"
_SETTLED_ELSEWHERE: Final = frozenset(
    {
        "model",
        "family",
        "workload",
        "run",
        "peft",
        "gpu",
        "count",
        "nodes",
        "weight",
        "nothing",
        "noted",
        "described",
        "stray",
        "filler",
        "or",
        "and",
    }
)


def settle_settings(draft: Draft, *, mention: bool) -> None:
    """Puts the settings among the fixed parts of the draft.

    Raises:
        ConflictingWords: one setting twice, with different values.
        ImpossibleValue: settings that exclude one another.
    """
    said = _said(draft)
    engine = draft.fixed.get("engine")
    if engine and said.get("engine", engine) != engine:
        raise ConflictingWords(f"peft {said['engine']}", allowed="one engine", reason="these are different engines")
    if mention and "engine" not in said and (spoken := draft.of(_FLASH)):
        # what every engine does anyway changes nothing, and a sentence may say so
        said.pop(_FLASH, None)
        draft.write(spoken, "")
    groups: dict[str, dict[str, Any]] = {}
    for role, value in said.items():
        group, dot, name = role.partition(".")
        if dot:
            groups.setdefault(group, {})[name] = value
        elif role in _FIELDS:
            draft.fixed[_FIELDS[role]] = value
    draft.fixed |= {group: _GROUPS[group](**values) for group, values in groups.items()}
    draft.fixed |= _context(said)
    if left_out := draft.of("noted"):
        draft.fixed["noted"] = tuple((piece.given, str(piece.value)) for piece in left_out)
    if "hours" in said or "limits.term_hours" in said:
        draft.fixed["asked_hours"] = True
    if "batch" in said and "users" in said:
        raise ImpossibleValue(
            f"batch={said['batch']} users={said['users']}",
            allowed="batch= or users=",
            reason="both say how many run at once",
        )


def _said(draft: Draft) -> dict[str, object]:
    """The value of each setting; said again, it is written once."""
    found: dict[str, object] = {}
    for role in draft.roles:
        if role in _SETTLED_ELSEWHERE or role.startswith("field."):
            continue
        pieces = draft.of(role)
        for other in pieces[1:]:
            if other.value != pieces[0].value:
                raise ConflictingWords(
                    f"{pieces[0].given}, {other.given}", allowed="one of the two", reason="they do not agree"
                )
        if len(pieces) > 1:
            draft.write(pieces, pieces[0].written)
        found[role] = pieces[0].value
    return found


def _context(said: Mapping[str, object]) -> dict[str, object]:
    """Prompt and output are added up, unless the context itself is given too."""
    prompt, output, context = (cast("int | None", said.get(role)) for role in ("in", "out", "ctx"))
    together = (prompt or 0) + (output or 0)
    if context is not None and together > context:
        raise ImpossibleValue(
            f"in={prompt or 0} out={output or 0} ctx={context}",
            allowed="a context that holds prompt and output",
            reason="they are longer than the context",
        )
    context = context or together or None
    return {} if context is None else {"context_tokens": context, "prompt_tokens": prompt}

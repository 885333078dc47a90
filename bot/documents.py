"""Replies as JSON (design: the answer as JSON)."""

import json

from bot.reply import Reply
from engine.answer import LogMark


def json_text(reply: Reply, number: int | None, *, ascii_only: bool = False) -> str:
    """One document; a list as JSON Lines.

    Args:
        reply: what is to be printed.
        number: of the query in its team, where it has been logged.
        ascii_only: for an output that takes nothing else.
    """
    if reply.outcome is not None:
        mark = reply.outcome.log if number is None else LogMark(id=number)
        outcome = reply.outcome.model_copy(update={"log": mark})
        return outcome.model_dump_json(by_alias=True, indent=2, ensure_ascii=ascii_only)
    if reply.kind == "list" or reply.rows:
        return "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in reply.rows)
    return json.dumps({"schema": 1, "kind": reply.kind, "text": reply.text}, ensure_ascii=ascii_only)

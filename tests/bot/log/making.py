"""Questions for the tests of the log."""

import itertools
import os
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from bot.log import NewQuery, Viewer

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SARA = Viewer(team="blue", user="sara")
_counter = itertools.count(1)


def a_query(**changes) -> NewQuery:
    """A question of Sara's in team blue, each a second later than the one before."""
    turn = next(_counter)
    mark = f"{os.getpid():x}.{turn:x}"
    values = {
        "public_id": mark.rjust(10, "0"),
        "event_key": f"event-{mark}",
        "asked_at": NOON + timedelta(seconds=turn),
        "platform": "terminal",
        "team": "blue",
        "channel": None,
        "user": "sara",
        "user_name": "Sara",
        "visibility": "public",
        "text": "13b lora ctx=4k",
        "kind": "answer",
        "question_json": '{"model":"13b","workload":"lora","context_tokens":4096}',
        "outcome_json": '{"schema":1,"kind":"answer"}',
        "model": "13b",
        "workload": "lora",
        "need_gb": 34.8,
        "gpu": "a40",
        "count": 1,
        "usd_month": Decimal("240.00"),
        "verdict": "fits",
        "catalog": "0f" * 8,
        "catalog_name": "gpu-rent-hub",
        "engine_version": "1",
        "milliseconds": 0.5,
    }
    return NewQuery(**values | changes)

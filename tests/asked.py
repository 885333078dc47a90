"""Real questions with what their answers should satisfy, asked through the service."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog
from tests.tags import unheld

DATA = Path(__file__).parent / "data"
FORMS = ("typed", "loose")


class Unheld(NamedTuple):
    """A tag that does not hold."""

    id: str
    form: str
    tag: str


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def unheld_tags() -> Iterator[tuple[Unheld, str]]:
    """Every tag that does not hold, with the text that was asked."""
    service = Service(
        catalog=packaged_catalog(),
        clock=FixedClock(),
        new_id=CountedIds(),
        renderer=Renderer("terminal"),
        log=MemoryLog(),
        surface="terminal",
    )
    asked = {row["id"]: row for row in rows("asked_questions.csv")}
    for row in rows("asked_expected.csv"):
        for form in FORMS:
            text = asked[row["id"]][form]
            outcome = service.answer(request(text, mention=form == "loose")).outcome
            for tag in unheld(row["expected"], outcome, outside=row["outside"] == "yes"):
                yield Unheld(row["id"], form, tag), text


def request(text: str, *, mention: bool) -> Request:
    return Request(
        text=text, platform="terminal", team="local", user="u", user_name="u", event_key="k", mention=mention
    )


def explained() -> dict[Unheld, tuple[str, str]]:
    """Whose fault each tag that does not hold is, and why."""
    return {Unheld(row["id"], row["form"], row["tag"]): (row["whose"], row["why"]) for row in rows("unheld_tags.csv")}

"""One card of each kind of the log's commands."""

from datetime import UTC, datetime

from bot.cards import Card, DecidedRow, DecisionLine, DecisionsCard, LogRow, PinnedCard, Place, ShownCard
from bot.review.cards import AgainCard, ChangeLine, MeasuredCard, SaidCard, StaleCard, StaleRow

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 11, 30, 12, 5, tzinfo=UTC)

REVIEW_CARDS: dict[str, Card] = {
    "shown": ShownCard(
        number="#17",
        asked_at=NOON,
        user="ada",
        where=Place("slack", "C0123ABC", ""),
        text="13b lora ctx=4k",
        made_with="gpu-rent-hub 7e765f57, engine 1",
        decisions=(
            DecisionLine("ada", LATER, "two A40: the cheapest with room for 8k", ""),
            DecisionLine("bob", NOON, "", "superseded by #9"),
        ),
        measured=("33.1 GB (30.8 GiB) · 34.8 GB predicted, 5% too high · by ada, 2026-11-30", "with gradient clipping"),
    ),
    "pinned": PinnedCard(
        number="#17", by="ada", at=LATER, note="two A40: the cheapest with room for 8k", supersedes="#9"
    ),
    "decisions": DecisionsCard(
        title="The latest decisions",
        rows=(
            DecidedRow("#17", LATER, "ada", "13b lora ctx=4k", "35 GB · A40 $240", "the cheapest with room for 8k"),
            DecidedRow("#3", NOON, "bob", "7b qlora", "8 GB · RTX 3060 $40", ""),
        ),
        more="There are older ones.",
    ),
    "said": SaidCard("Forgotten", "#17 is deleted, with its decisions and measured runs"),
    "again": AgainCard(
        title="13b lora ctx=4k: not the same today",
        number="#17",
        asked_at=NOON,
        changes=(
            ChangeLine("need", "34.80 GB", "34.80 GB", ""),
            ChangeLine("pick", "A40", "RTX A6000", "another"),
            ChangeLine("price", "$240 a month", "$300 a month", "+$60 a month, +25.0%"),
            ChangeLine("verdict", "fits", "fits", ""),
        ),
    ),
    "stale": StaleCard(
        title="1 decision would be another one today",
        rows=(StaleRow("#17", NOON, "ada", "13b lora ctx=4k", "price $240 a month → $300 a month"),),
        more="2 more.",
    ),
    "measured": MeasuredCard(
        title="1 measured run",
        mean="Mean error of the prediction +5%, 5% without signs",
        rows=(LogRow("#17", NOON, "ada", "13b lora ctx=4k", "33.1 GB; predicted 34.8 GB, 5% too high"),),
        more="",
    ),
}

"""The market's cards for the golden files, made as the commands make them."""

from bot.cards import Card
from bot.market.asked import asked
from bot.market.compare import compare_card
from bot.market.gpus import gpus_card, sorted_columns
from bot.market.plan import plan_card
from bot.rendering import Renderer
from bot.tools import Tools
from engine import packaged_catalog, size
from engine.comparison import column, fleet
from tests.fakes import CountedIds, FixedClock, MemoryLog

CATALOG = packaged_catalog()
TOOLS = Tools(CATALOG, FixedClock(), CountedIds(), Renderer("terminal"), MemoryLog(), "terminal", 5)


def _question(text):
    found = asked(text, CATALOG)
    question = found.reading.options[0].question.model_copy(update={"sets": found.sets, "text": text})
    return found.sets, question, size(question, CATALOG)


def _compared(text):
    sets, _, answer = _question(text)
    return compare_card([column(one, CATALOG) for one in sets], answer, None, TOOLS)


def _planned(text):
    sets, question, answer = _question(text)
    return plan_card(TOOLS, question, answer, sets[0], None)


MARKET_CARDS: dict[str, Card] = {
    "gpus": gpus_card(sorted_columns(fleet(CATALOG), "gb-per-dollar"), TOOLS, "gb-per-dollar", 99),
    "compare": _compared("2x5090 h100-sxm 70b int4"),
    "sheet": _planned("llama-3.1-8b ctx=8192 l4"),
}

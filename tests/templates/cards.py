"""One card of each kind, for the golden files and the tests of every template."""

from datetime import UTC, datetime

from bot.accuracy import AccuracyCard, GroupLine, WorstLine
from bot.answer_card import answer_card
from bot.arithmetic_card import arithmetic_card
from bot.cards import (
    Card,
    ChoiceCard,
    FailedCard,
    LogCard,
    LoggedCard,
    LogRow,
    Option,
    RefusalCard,
    SharedCard,
)
from bot.help_card import help_card
from bot.model_list import ModelRow, ModelsCard, model_card
from engine.models import shape
from tests.answers import SAMPLE
from tests.templates.market_cards import MARKET_CARDS
from tests.templates.review_cards import NOON, REVIEW_CARDS

CARDS: dict[str, Card] = {
    **REVIEW_CARDS,
    "answer": answer_card(SAMPLE),
    "arithmetic": arithmetic_card(SAMPLE),
    "choice": ChoiceCard(
        title="13b finetune",
        options=(
            Option("LoRA", "33 GB", "13b lora"),
            Option("QLoRA", "14 GB", "13b qlora"),
            Option("full tuning", "239 GB", "13b full"),
        ),
    ),
    "refusal": RefusalCard(title="13b lroa", problem='"lroa" is no word that I know. Did you mean lora?'),
    "help": help_card("terminal"),
    "log": LogCard(
        title="The latest questions with 13b",
        rows=(
            LogRow("#17", NOON, "ada", "13b lora ctx=4k", "35 GB · A40 $240"),
            LogRow("#3", datetime(2026, 11, 29, 8, 30, tzinfo=UTC), "bob", "13b lroa", "refused"),
        ),
        more="There are older ones.",
    ),
    "shared": SharedCard(by="ada"),
    "models": ModelsCard(
        title="22 models with llama",
        rows=(
            ModelRow("llama-3.1-8b", "8.0B", "", "131 kB", "128k", "bf16"),
            ModelRow("llama-4-scout", "108.6B", "17.2B", "49 kB", "10240k", "bf16"),
        ),
        more="2 more: add a word, such as models llama 70b.",
    ),
    "model": model_card(shape("mixtral-8x7b")),
    "accuracy": AccuracyCard(
        title="443 measured runs held against our figures",
        groups=(GroupLine("training hf lora and qlora", "48", "+1.0", "6.7", "15.8", "96", "0"),),
        totals=(GroupLine("all training", "125", "-0.1", "6.2", "20.8", "94", "0"),),
        worst=(
            WorstLine("-52%", "gemma-2-2b qlora nf4-dq ctx=2048 batch=2 engine=unsloth", "8.3 GB", "length is a cap"),
        ),
    ),
    "logged": LoggedCard(number="#17", reason="", lost=False),
    "failed": FailedCard(problem="The log cannot be read: the database does not answer"),
} | MARKET_CARDS

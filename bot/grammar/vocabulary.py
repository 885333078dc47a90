"""Every word that may be suggested."""

from functools import cache

from bot.grammar.options import option_keys
from bot.grammar.words import ENGINE_WORDS, NOT_MODELLED, SETTINGS, WORKLOAD_WORDS
from engine import gpus, models
from engine.formats import weight_words


@cache
def grammar_words() -> tuple[str, ...]:
    """Words of the grammar, without the names of models and GPUs."""
    fixed = (*WORKLOAD_WORDS, *weight_words(), *ENGINE_WORDS, *(f"{key}=" for key in option_keys()), *SETTINGS)
    limits = ("budget=", "under", "provider=", "term=", "max-gpus=")
    return tuple(dict.fromkeys(word for word in (*fixed, *limits) if word.isascii()))


@cache
def known_words() -> tuple[str, ...]:
    """Everything that can be written: for suggestions and for completing what is typed."""
    return tuple(
        dict.fromkeys((*grammar_words(), *NOT_MODELLED, *models.names(), *gpus.names(), *gpus.machine_names()))
    )

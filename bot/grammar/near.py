"""What was probably meant by a name that is not known: models and GPUs, each once."""

from collections.abc import Callable, Iterable

from bot.grammar.model_parts import ids_with
from bot.grammar.suggest import LEAST_LIKE_NAME, nearest
from engine import gpus, models

SHOWN = 3
_LOOKED_AT = 12


def near_models(name: str) -> tuple[str, ...]:
    """Names of the models most like a name, nearest first."""
    bare = name.lower().rpartition("/")[2]
    with_part = ids_with(bare)[:SHOWN]
    like = nearest(bare, models.names(), _LOOKED_AT, least=LEAST_LIKE_NAME)
    return _each_once((*with_part, *like), lambda one: tuple(shape.id for shape in models.find(one).shapes))


def near_gpus(name: str) -> tuple[str, ...]:
    """Names of the GPUs most like a name, nearest first."""
    like = nearest(name.lower(), gpus.names(), _LOOKED_AT, least=LEAST_LIKE_NAME)
    return _each_once(like, lambda one: tuple(gpu.id for gpu in gpus.find(one)))


def _each_once(names: Iterable[str], meaning: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    found: dict[tuple[str, ...], str] = {}
    for name in names:
        found.setdefault(meaning(name) or (name,), name)
    return tuple(found.values())[:SHOWN]

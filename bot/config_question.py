"""A question with a model's config.json in place of the model's name."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.escaping import plain
from bot.grammar import LabelledQuestion, Reading, read
from bot.reply import Request
from engine.errors import ConflictingWords, ImpossibleValue
from engine.model_config import shape_from_config
from engine.shape import Shape

LONGEST_NAME: Final = 60
OWN_FILE: Final = "a model's config.json"

_BARE_SIZE: Final = re.compile(r"[\d.]+b|\d+x", re.IGNORECASE)


def config_reading(request: Request) -> Reading:
    """The readings of the words beside a config; its shape stands in all of them.

    Raises:
        EngineError: the config or the words cannot be read, or the words name another model.
    """
    name = config_name(request)
    shape = shape_from_config(_config(request), name)
    stand_in = _stand_in(shape)
    try:
        reading = read(f"{stand_in} {request.text}", mention=request.mention)
    except ConflictingWords as error:
        raise ConflictingWords(
            error.given.replace(stand_in, name), near=error.near, allowed=error.allowed, reason=error.reason
        ) from None
    return Reading(tuple(_option(one, shape, stand_in, request) for one in reading.options), reading.about)


def named(request: Request) -> Request:
    """The request with its model in the text, as the log keeps it."""
    return (
        request if request.config is None else replace(request, text=f"{config_name(request)} {request.text}".strip())
    )


def config_name(request: Request) -> str:
    """What the config's model is called: one word, and no size that it may not have.

    >>> config_name(Request("", "terminal", "", "", "", "", config="{}", config_name="13b"))
    'config-13b'
    """
    name = "-".join(plain(request.config_name).split())[:LONGEST_NAME] or "model"
    return f"config-{name}" if _BARE_SIZE.match(name) else name


def _stand_in(shape: Shape) -> str:
    """A size that the words can be read with; the shape takes its place afterwards."""
    return f"{min(max(shape.params_b, 0.1), 999):.4g}b"


def _option(option: LabelledQuestion, shape: Shape, stand_in: str, request: Request) -> LabelledQuestion:
    question = option.question
    if question.params_b is None:
        raise ConflictingWords(
            f"{shape.name}, {question.model}",
            reason="these are different models",
            allowed="the config alone, or the name alone",
        )
    given = {"model": shape.id, "params_b": None, "shape": shape, "text": f"{shape.name} {request.text}".strip()}
    ask = option.ask.removeprefix(stand_in).strip()
    return LabelledQuestion(option.label, ask, question.model_copy(update=given))


def _config(request: Request) -> Mapping[str, object]:
    name = request.config_name
    try:
        config = json.loads(request.config or "")
    except RecursionError:
        raise ImpossibleValue(name, reason="its config is nested too deeply", allowed=OWN_FILE) from None
    except ValueError:
        config = None
    if not isinstance(config, dict):
        raise ImpossibleValue(name, reason="its config is no JSON object", allowed=OWN_FILE)
    return config

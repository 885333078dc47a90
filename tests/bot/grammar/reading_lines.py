"""A reading as one line, for tables of expected readings: only what was said, in one order."""

from bot.grammar import read
from engine.errors import EngineError

_FIELDS = ("workload", "weight_format", "kv_format", "context_tokens", "prompt_tokens", "batch", "users", "engine")


def line(text, *, mention=False):
    """`13b lora context_tokens=4096 2xrtx-3090`; several readings after `choice: `; `refused: code`."""
    try:
        reading = read(text, mention=mention)
    except EngineError as error:
        return f"refused: {error.code}"
    lines = [question_line(option.question) for option in reading.options]
    return lines[0] if reading.is_plain else f"choice {reading.about}: {' | '.join(lines)}"


def question_line(question):
    said = [question.model]
    said += [f"{name}={value}" for name in _FIELDS if (value := getattr(question, name)) is not None]
    for group in ("limits", "tuning", "options"):
        values = getattr(question, group).model_dump(exclude_defaults=True)
        said += [f"{name}={value}" for name, value in values.items()]
    said += [f"{one.count}x{one.gpu}" for one in question.sets]
    said += [name for name in ("asked_hours", "private", "ollama_tag") if getattr(question, name)]
    return " ".join(said)


def only(text, *, mention=False):
    reading = read(text, mention=mention)
    assert reading.is_plain, [option.ask for option in reading.options]
    return reading.options[0].question

"""A model outside the registry by its pasted fields: `layers=80 kv=8 hd=128 params=70b`.

Fields are meant where `layers=` stands: then a number after `kv=` counts KV heads, and otherwise names no KV format.
"""

from collections.abc import Mapping
from typing import Final

from bot.grammar.pieces import Hit, Piece, Word
from bot.grammar.values import number, plain
from engine.errors import ImpossibleValue

FIELD_KEYS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("layers", "num-hidden-layers", "n-layers", "n-layer"), "layers"),
    **dict.fromkeys(("kv", "kv-heads", "num-key-value-heads", "n-kv-heads"), "kv"),
    **dict.fromkeys(("hd", "head-dim", "head-size"), "hd"),
    **dict.fromkeys(("hidden", "hidden-size", "d-model"), "hidden"),
    **dict.fromkeys(("heads", "num-attention-heads", "n-heads"), "heads"),
    **dict.fromkeys(("vocab", "vocab-size"), "vocab"),
    **dict.fromkeys(("inter", "intermediate-size", "intermediate", "ffn"), "inter"),
    **dict.fromkeys(("params", "parameters"), "params"),
    **dict.fromkeys(("active", "active-params"), "active"),
    **dict.fromkeys(("experts", "num-experts"), "experts"),
}
_COUNTS_OF_PARAMETERS: Final = frozenset({"params", "active"})


def has_fields(words: list[Word]) -> bool:
    """Whether a text gives a model by its fields."""
    return any(FIELD_KEYS.get(_key(word)) == "layers" for word in words if "=" in word.text)


def _key(word: Word) -> str:
    return word.text.partition("=")[0].replace("_", "-")


def field_at(words: list[Word], start: int) -> Hit | None:
    """A field of a model's geometry.

    Raises:
        ImpossibleValue: not a number.
    """
    word = words[start]
    field = FIELD_KEYS.get(_key(word)) if "=" in word.text else None
    text = word.text.partition("=")[2]
    if not field or (field == "kv" and not text[:1].isdecimal()) or (field == "kv" and not text.isdecimal()):
        return None
    value = _billions(text) if field in _COUNTS_OF_PARAMETERS else number(text) if text.isdecimal() else None
    if value is None:
        raise ImpossibleValue(word.typed, allowed="a number, such as layers=80 or params=70b", reason="not a number")
    unit = "b" if field in _COUNTS_OF_PARAMETERS and value < 10_000 else ""
    return Hit(1, (Piece(f"field.{field}", value, word.typed, f"{field}={plain(value)}{unit}"),))


def _billions(text: str) -> float | None:
    """Billions of parameters, or a count of ten thousand and more."""
    scale = {"b": 1.0, "m": 0.001, "t": 1000.0}.get(text[-1:])
    value = number(text[:-1] if scale else text)
    return None if value is None else value * (scale or 1.0)

"""Reading single fields of a model configuration: by any of their names, refused where they are no sane value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import ImpossibleValue

LARGEST: Final = 10**8
"""No width, count or vocabulary of a model is larger; what is, is a slip or an attack."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one configuration, with a family's own values where a configuration leaves them out."""

    config: Mapping[str, object]
    defaults: Mapping[str, int]

    def whole(self, *names: str, default: int | None = None) -> int:
        """The first of these fields that is there, as a whole number from 0 up.

        Raises:
            ImpossibleValue: none is there and there is no default, or it is no such number.
        """
        for source in (self.config, self.defaults):
            for name in names:
                if source.get(name) is not None:
                    return _whole(name, source[name])
        if default is None:
            raise ImpossibleValue(names[0], reason=f"the configuration has no {names[0]}", allowed="a whole number")
        return default

    def flag(self, *names: str, default: bool = False) -> bool:
        """The first of these fields that is there, as yes or no."""
        for name in names:
            value = self.config.get(name)
            if isinstance(value, bool):
                return value
        return default

    def items(self, *names: str) -> tuple[object, ...]:
        """The first of these fields that is a list, or a text cut into characters; else nothing."""
        for name in names:
            value = self.config.get(name)
            if isinstance(value, list | str):
                return tuple(value)
        return ()

    def part(self, *names: str) -> "Fields | None":
        """The first of these fields that is a configuration of its own."""
        for name in names:
            value = self.config.get(name)
            if isinstance(value, Mapping):
                return Fields(value, {})
        return None


def _whole(name: str, value: object) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= LARGEST or value != int(value):  # type: ignore[operator,call-overload]
        raise ImpossibleValue(f"{name}={value!r}"[:80], allowed=f"a whole number from 0 to {LARGEST:,}")
    return int(value)  # type: ignore[call-overload,no-any-return]

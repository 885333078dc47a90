"""What a text may mean: one question, or several that the asker has to choose from."""

from dataclasses import dataclass
from typing import Literal

from engine.question import Question

About = Literal["", "gpu", "model", "workload", "size"]


@dataclass(frozen=True)
class LabelledQuestion:
    """One reading. `ask` is a text that reads to exactly this question; `label` tells it from the others."""

    label: str
    ask: str
    question: Question


@dataclass(frozen=True)
class Reading:
    """Every reading of a text.

    Attributes:
        options: the readings.
        about: what they differ in, empty where there is one.
        namesakes: the same question of other models that the name, which gives no size, is shared by.
    """

    options: tuple[LabelledQuestion, ...]
    about: About = ""
    namesakes: tuple[LabelledQuestion, ...] = ()

    @property
    def is_plain(self) -> bool:
        return len(self.options) == 1

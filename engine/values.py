"""The base of every value that crosses a border: frozen, strict about its fields."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, PlainSerializer

Workload = Literal["infer", "lora", "qlora", "full"]
WORKLOADS: tuple[Workload, ...] = ("infer", "lora", "qlora", "full")

Usd = Annotated[
    Decimal,
    PlainSerializer(lambda money: float(round(money, 2)), return_type=float, when_used="json"),
]
"""US dollars. Decimal inside; a JSON number with two decimals outside."""


class Value(BaseModel):
    """A frozen value; an unknown field is a mistake of the caller."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants", defer_build=True)

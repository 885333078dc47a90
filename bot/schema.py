"""The JSON Schema of the answer: `python -m bot.schema > docs/answer.schema.json` publishes it."""

import json
import sys
from typing import Any

from pydantic import TypeAdapter

from engine.answer import Outcome


def answer_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of what `--json` prints for a question and the log stores."""
    made = TypeAdapter(Outcome).json_schema(by_alias=True, mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a question to the VRAM bot comes to",
        **made,
    }


def schema_text() -> str:
    return json.dumps(answer_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())

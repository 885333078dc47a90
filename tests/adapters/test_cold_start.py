"""What a question waits for: nothing that its card does not need is imported before the card is printed."""

import re
import subprocess
import sys

from tests.conftest import environment

NEVER_BEFORE_THE_CARD = {
    "sqlalchemy",
    "alembic",
    "aiosqlite",
    "asyncpg",
    "asyncio",
    "slack_bolt",
    "slack_sdk",
    "discord",
    "aiohttp",
    "platformdirs",
    "prometheus_client",
    "rapidfuzz",
    "tqdm",
}
NEVER = {"slack_bolt", "slack_sdk", "discord", "aiohttp", "prometheus_client", "tqdm"}


def test_the_card_waits_for_no_database_and_no_chat(tmp_path):
    command = [sys.executable, "-X", "importtime", "-m", "adapters.app", "13b", "lora", "ctx=4k"]
    done = subprocess.run(
        command,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    before, card, after = done.stdout.partition("13B · LoRA")
    assert card
    assert "pydantic" in imported(before)
    assert imported(before) & NEVER_BEFORE_THE_CARD == set()
    assert "sqlalchemy" in imported(after)
    assert imported(after) & NEVER == set()


def imported(output):
    """The packages that Python reports to have imported."""
    return set(re.findall(r"^import time: +\d+ \| +\d+ \| +(\w+)", output, flags=re.MULTILINE))

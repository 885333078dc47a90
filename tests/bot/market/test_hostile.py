"""Whatever stands behind a command of the market: a reply, or a refusal in whole sentences; never a bug."""

import re

import pytest

from bot.refusals import problem
from engine.errors import EngineError
from tests.bot.market.asking import ask

TEXTS = (
    "",
    "x" * 500,
    "x" * 501,
    "a " * 240,
    "😀",
    "@everyone",
    "<!channel>",
    "<@U123> 13b",
    "-5",
    "-4090",
    "0",
    "1e99",
    "9" * 60,
    "NaN",
    "=",
    "$",
    "/mo",
    "\x00\x07",
    "\u202eabc",
    "{{ 7*7 }}",
    "`code`",
    "b999",
    "rtx 9999",
    "a100-80-pcie",
    "m5-ultra-256 tpu-v5e",
    "24gb 48gb",
    "-2x4090 l4",
    "99999x4090 l4",
    "hours=-5 4090",
    "hours=99999999999999999999 4090",
    "13b users=-5",
    "13b ctx=1e30",
    "999999999999999999999999M tokens 13b",
    "13b sdxl",
    "70b int4 m5-ultra-256",
)


@pytest.mark.parametrize("mention", [False, True], ids=["typed", "mention"])
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text)[:30])
@pytest.mark.parametrize("command", ["cost", "gpus", "compare", "advise", "plan"])
def test_a_reply_or_a_plain_refusal(command, text, mention):
    try:
        reply = ask(f"{command} {text}", mention=mention)
    except EngineError as error:
        said = problem(error).text
        assert said[0].isupper() or said[0] == '"'
        assert said.endswith((".", "?"))
        assert not re.search(r"(?<!\.)[.?] [a-z]", re.sub(r'"[^"]*"', '""', said))
    else:
        assert reply.kind in {"list", "choice"}
        assert max(map(len, reply.text.splitlines())) <= 80

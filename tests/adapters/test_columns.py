"""No line of any card passes the 80 columns of a terminal."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cards import AnswerCard, Bar
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from bot.terminal_text import COLUMNS, width
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog
from tests.templates.cards import CARDS

SERVICE = Service(
    catalog=packaged_catalog(),
    clock=FixedClock(),
    new_id=CountedIds(),
    renderer=Renderer("terminal"),
    log=MemoryLog(),
    surface="terminal",
)
MODELS = ("7b", "13b", "70b", "405b", "llama-3.1-8b", "deepseek-v3", "qwen3-30b-a3b", "gpt-oss-120b", "mixtral-8x7b")
WORKS = ("", "lora", "qlora", "full", "full fsdp", "full zero3", "full torchtune", "lora unsloth", "qlora hf")
ENGINES = ("", "vllm", "llama.cpp", "hf", "ollama", "int4", "fp8 kv=fp8", "q4_k_m")
LOADS = ("", "ctx=4k", "ctx=128k", "users=200 ctx=32k", "batch=64", "ctx=1m users=1000")
SETS = ("", "3090", "2x3090", "8xa100-80-sxm", "64xh100-sxm 4x4090", "24gb", "a100", "budget=500/mo", "g5.12xlarge")


@settings(max_examples=200)
@given(st.tuples(*map(st.sampled_from, (MODELS, WORKS, ENGINES, LOADS, SETS))))
def test_of_a_question(words):
    text = " ".join(filter(None, words))
    request = Request(text=text, platform="terminal", team="", user="", user_name="", event_key=text, arithmetic=True)
    lines = SERVICE.answer(request).text.splitlines()
    assert max(map(width, lines)) <= COLUMNS, text


def needs(need, capacity="48\u00a0GB"):
    known = {name: getattr(CARDS["answer"], name) for name in AnswerCard.__dataclass_fields__}
    card = AnswerCard(**known | {"need": need, "bar": Bar((11, 3, 1), 5, capacity)})
    lines = Renderer("terminal").parts(card)["need"].splitlines()
    return lines[: next(at for at, line in enumerate(lines) if "█" in line) + 1]


@pytest.mark.parametrize("length", range(1, 200, 3))
def test_the_bar_stands_beside_the_need_or_below_it(length):
    *texts, drawn = needs("1 " * (length // 2) + "G")
    assert max(map(width, (*texts, drawn))) <= COLUMNS
    # label 10, need, two spaces, bar 20, " of 48 GB" 9: together at most 80
    is_beside = 10 + 2 * (length // 2) + 1 + 2 + 20 + 9 <= 80
    assert drawn.startswith("Needs     ") is is_beside
    assert re.fullmatch(r"(Needs)? {5,}(1 )*G?( {2}| *)█{15}░{5} of 48 GB", drawn)

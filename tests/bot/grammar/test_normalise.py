"""Every mangled form parses like the plain one (reports of Slack and Discord bots, collected as pitfalls of chat)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.grammar import normalise, read

PLAIN = "qwen2.5-7b lora ctx=4k 2x3090 budget=500/mo"


@pytest.mark.parametrize(
    ("mangled", "plain"),
    [
        ("<http://qwen2.5-7b|qwen2.5-7b> lora", "qwen2.5-7b lora"),
        ("13b <mailto:a@b.c|lora>", "13b lora"),
        ("13b ctx=4k &amp; lora", "13b ctx=4k & lora"),
        ("13b gpus&lt;=2", "13b gpus<=2"),
        ("13b ctx＝4k", "13b ctx=4k"),
        ("１３ｂ ｌｏｒａ", "13b lora"),
        ("13b\u00a0lora\u2003ctx=4k", "13b lora ctx=4k"),
        ("13b\u200b lora\u200d\ufeff", "13b lora"),
        ("\u202e13b\u202c lora", "13b lora"),
        ("13b —ctx=8k", "13b --ctx=8k"),
        ("13b –ctx=8k", "13b --ctx=8k"),
        ("13b ctx −4k", "13b ctx -4k"),
        ("llama‑3.1‑8b", "llama-3.1-8b"),
        ("“13b” ‘lora’", "\"13b\" 'lora'"),
        ("`13b lora`", "13b lora"),
        ("*13b* _lora_ ~ctx=4k~", "13b lora ctx=4k"),
        ("```13b lora```", "13b lora"),
        ("13b\nlora\tctx=4k", "13b lora ctx=4k"),
        ("70b 2×3090", "70b 2x3090"),
        ("13b\x00 lora\x1b", "13b lora"),
    ],
)
def test_each_kind_of_mangling_is_undone(mangled, plain):
    assert normalise(mangled) == plain


def test_people_and_channels_keep_what_a_reader_sees_of_them():
    assert normalise("<@U123|bob> <#C1|general> <!channel> <@U9>") == "@bob #general @channel @U9"
    assert normalise("<@!123456> <#42> <:ok:77> </vram:99>") == "@123456 #42 :ok: vram"


def test_a_token_that_somebody_typed_is_no_token():
    assert normalise("&lt;!channel&gt; 13b") == "<!channel> 13b"


def test_underscores_and_stars_inside_words_stay():
    assert normalise("70b q4_k_m 8*4090") == "70b q4_k_m 8*4090"


MANGLINGS = {
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "full width": lambda text: text.replace("=", "＝").replace("4k", "４ｋ"),
    "zero width": lambda text: text.replace("lora", "lo\u200b\u2060ra").strip() + "\ufeff",
    "bidi": lambda text: f"\u2067{text.strip()}\u2069",
    "bold": lambda text: f"*{text.strip()}*",
    "code": lambda text: f"`{text.strip()}`",
    "fence": lambda text: f"```\n{text}\n```",
    "curly quotes": lambda text: f"“{text.strip()}”",
    "link": lambda text: text.replace("qwen2.5-7b", "<http://qwen2.5-7b|qwen2.5-7b>"),
    "hyphens": lambda text: text.replace("-", "\u2011"),
    "times sign": lambda text: text.replace("2x3", "2×3"),
    "flags": lambda text: text.replace("ctx=", "—ctx="),
    "capitals": str.upper,
    "spaces": lambda text: f"  {text.replace(' ', '   ')}  ",
    "line ends": lambda text: text.replace(" ", "\r\n"),
    "commas": lambda text: text.replace(" lora", ", lora,"),
    "soft hyphen": lambda text: text.replace("lora", "lo\u00adra"),
}


def without_text(reading):
    return [option.question.model_copy(update={"text": ""}) for option in reading.options]


@given(st.lists(st.sampled_from(sorted(MANGLINGS)), max_size=6, unique=True))
@settings(max_examples=300, deadline=None)
def test_any_manglings_together_read_like_the_plain_text(names):
    text = PLAIN
    for name in names:
        text = MANGLINGS[name](text)
    assert without_text(read(text)) == without_text(read(PLAIN)), text

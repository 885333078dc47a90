"""`models`: figures of published configurations, worked out by hand."""

import pytest

from bot.commands import called
from bot.model_list import models
from bot.rendering import Renderer
from bot.tools import Tools
from engine import packaged_catalog
from engine.errors import UnknownModel
from tests.fakes import CountedIds, FixedClock, MemoryLog


def reply(text):
    tools = Tools(packaged_catalog(), FixedClock(), CountedIds(), Renderer("terminal"), MemoryLog(), "terminal", 5)
    return models(tools, called(text, "terminal"), None)


def test_one_model_with_its_shape():
    text = reply("models llama-3.1-8b").text
    assert "8,030,261,248 parameters" in text
    assert "32 layers × 4,096 hidden, 32 heads, 8 KV heads × 128" in text
    assert "131,072 B a token at fp16" in text  # 2 x 32 x 8 x 128 x 2
    assert "bf16 16.1 GB" in text  # 8,030,261,248 x 2


def test_a_list_of_models_by_words():
    listed = reply("models llama 70b")
    assert [row["id"] for row in listed.rows] == ["llama-2-70b", "llama-3-70b", "llama-3.1-70b", "llama-3.3-70b"]
    assert "70.6B" in listed.text


def test_a_long_list_is_counted_not_cut_in_json():
    listed = reply("models")
    assert len(listed.rows) == 249
    assert "229 more" in listed.text


def test_a_mixture_says_what_a_token_reads():
    text = reply("models mixtral").text
    assert "46,702,792,704 parameters, 12,879,925,248 read a token" in text
    assert "8, 2 a token" in text


def test_unknown_words_are_refused_with_near_models():
    with pytest.raises(UnknownModel) as refused:
        reply("models lamma-3.1-8b")
    assert "llama-3.1-8b" in refused.value.near

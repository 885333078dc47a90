"""What a sentence takes away, what it limits, and whose memory it speaks of."""

import pytest

from bot.grammar import read
from engine.errors import ConflictingWords, ImpossibleValue
from tests.bot.grammar.reading_lines import line


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("7b without lora on 3090", "without lora"),
        ("I don't want to use 2x3090 but 7b on 4090", "don't want to use 2x3090"),
        ("7b minus 3090", "minus 3090"),
        ("13b everything except 3090", "except 3090"),
        ("13b anything but a 3090", "anything but a 3090"),
        ("4090 instead of 3090 for 7b", "instead of 3090"),
        ("is 24gb enough for 13b? no lora please", "no lora"),
        ("13b int4 on 24gb, not 8bit", "not 8bit"),
        ("do not use lora for 7b", "do not use lora"),
        ("13b never on a 3090", "never on a 3090"),
        ("7b without vllm", "without vllm"),
    ],
)
def test_what_is_excluded_is_refused_and_never_answered(text, given):
    with pytest.raises(ConflictingWords) as caught:
        read(text, mention=True)
    assert caught.value.given == given
    assert caught.value.allowed


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("why can't I run 7b on a 3090?", "7b workload=infer 1xrtx-3090"),
        ("not sure if 13b lora fits on 3090", "13b workload=lora 1xrtx-3090"),
        ("7b lora no checkpointing", "7b workload=lora checkpointing=off"),
        ("7b without checkpointing lora", "7b workload=lora checkpointing=off"),
        ("7b no rocm", "7b cuda=True"),
        ("7b no more than 2/hr", "7b usd_hour=2"),
        ("7b on no more than 2 gpus", "7b max_gpus=2"),
        ("never mind, 7b", "7b"),
    ],
)
def test_what_only_sounds_like_it_is_read(text, reads):
    assert line(text, mention=True) == reads


@pytest.mark.parametrize("text", ["7b on 2 gpus", "I have two gpus, can I run 70b?"])
def test_a_count_of_no_known_gpu_is_not_dropped(text):
    with pytest.raises(ImpossibleValue) as caught:
        read(text, mention=True)
    assert "max-gpus=2" in caught.value.allowed


@pytest.mark.parametrize("mention", [False, True])
def test_a_limit_in_memory_is_a_gpu_of_that_size(mention):
    assert line("13b under 24gb", mention=mention) == "13b 1x24gb"
    assert line("13b at most 24 gb", mention=mention) == "13b 1x24gb"


def test_in_a_sentence_it_gives_way_to_a_gpu_that_is_named():
    assert line("7b uses less than 10gb on my 3090", mention=True) == "7b 1xrtx-3090"


@pytest.mark.parametrize(
    "text",
    [
        "7b 64gb ram",
        "7b with 16 GB of RAM",
        "7b with 64gb system memory",
        "7b 32gb of ddr5",
        "7b 64 gb host memory",
        "7b 64gb of ram",
    ],
)
@pytest.mark.parametrize("mention", [False, True])
def test_the_hosts_memory_is_no_gpu(text, mention):
    with pytest.raises(ImpossibleValue) as caught:
        read(text, mention=mention)
    assert "GPU" in caught.value.allowed


@pytest.mark.parametrize("text", ["7b 24GB VRAM 16GB RAM", "7b 24gb 64 GB of system memory", "7b 64gb ram 24gb"])
@pytest.mark.parametrize("mention", [False, True])
def test_beside_a_gpu_the_hosts_memory_decides_nothing(text, mention):
    assert line(text, mention=mention) == "7b 1x24gb"


def test_a_size_behind_another_gpu_can_be_asked_again():
    for option in read("7b train 3090 under 92gb").options:
        assert read(option.ask).options[0].question == option.question

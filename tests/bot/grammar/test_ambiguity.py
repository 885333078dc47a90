"""What is not plain is asked back, and each answer to it is plain."""

import pytest

from bot.grammar import read
from engine import gpus, models
from engine.errors import EngineError

CHOICES = {
    "a100 70b int4": ("gpu", ["A100 PCIe 40 GB", "A100 PCIe 80 GB"]),
    "70b h100": ("gpu", ["H100 PCIe 80 GB", "H100 SXM 80 GB", "H100 NVL 94 GB"]),
    "13b 3080": ("gpu", ["RTX 3080 10 GB", "RTX 3080 12 GB"]),
    "13b 4060 ti": ("gpu", ["RTX 4060 Ti 16 GB", "RTX 4060 Ti 8 GB"]),
    "13b train": ("workload", ["LoRA", "QLoRA", "full tuning"]),
    "llama3.1": ("size", ["Llama-3.1-8B", "Llama-3.1-70B", "Llama-3.1-405B"]),
}


@pytest.mark.parametrize("text", sorted(CHOICES))
def test_a_name_of_several_things_is_asked_back(text):
    reading = read(text)
    about, labels = CHOICES[text]
    assert reading.about == about
    assert [one.label.lower() for one in reading.options] == [label.lower() for label in labels]


def test_a_count_stays_with_every_reading():
    reading = read("70b 2xa100 x2")
    assert [(one.question.sets[0].gpu, one.question.sets[0].count) for one in reading.options] == [
        ("a100-40-pcie", 2),
        ("a100-80-pcie", 2),
    ]


def test_a_size_elsewhere_settles_a_family():
    assert read("llama3.1 int4 8b").options[0].question.model == "llama-3.1-8b"


def test_two_open_parts_are_asked_together():
    assert len(read("7b train a100").options) == 3 * 2


TEXTS = [
    *CHOICES,
    "7b train a100 ctx=4k rank=8",
    "llama 70b q4 2x a100",
    "llama 4 int4 h100",
    "peft 7b a100",
    "layers=80 kv=8 hd=128 params=70b h100 ft",
    "mistral large awq 8xh100 users=4 budget=900/mo",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("mention", [False, True])
def test_each_option_reads_to_exactly_itself(text, mention):
    for option in read(text, mention=mention).options:
        again = read(option.ask)
        assert again.is_plain, option.ask
        assert again.options[0].question == option.question


def test_every_written_name_of_a_model_reads_to_that_model():
    for name in models.names():
        try:
            reading = read(name)
        except EngineError as error:
            raise AssertionError(name) from error
        assert {one.question.model for one in reading.options} == {shape.id for shape in models.find(name).shapes}, name
        for option in reading.options:
            assert read(option.ask).options[0].question == option.question, name


def test_every_written_name_of_a_gpu_reads_with_a_count_on_either_side():
    for name in gpus.names():
        expected = {one.id for one in gpus.find(name)}
        for text in (f"13b 3x{name}", f"13b {name} x3", f"13b 3x {name}"):
            sets = [option.question.sets[0] for option in read(text).options]
            assert {one.count for one in sets} == {3}, text
            assert {one.gpu for one in sets} <= expected, text


def test_the_id_of_a_gpu_is_that_gpu():
    for gpu in gpus.all_gpus():
        reading = read(f"13b {gpu.id}")
        assert [one.question.sets[0].gpu for one in reading.options] == [gpu.id]


def test_every_cloud_machine_is_its_gpus():
    for name in gpus.machine_names():
        assert read(f"13b {name}").options[0].question.sets == (gpus.machine(name),)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("70b int4 2xh100-80", ("h100-pcie-80",)),
        ("70b int4 a100 80gb", ("a100-80-pcie",)),
        ("70b int4 a100-80 x4", ("a100-80-pcie",)),
        ("70b int4 h100-sxm", ()),
        ("70b int4 a100-80-pcie", ()),
        ("70b int4 3090", ()),
    ],
)
def test_a_gpu_taken_as_the_slower_of_several_is_said(text, taken):
    assert read(text).options[0].question.slower_taken == taken

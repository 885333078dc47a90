"""Adapters of named models: counts that training logs print, and what a mixture of experts trains."""

import pytest

from engine.adapters import adapter_params
from engine.models import shape
from tests.engine.asking import ask, bare, named


@pytest.mark.parametrize(
    ("model", "rank", "targets", "trainable"),
    [
        # "trainable params" as PEFT prints them: tloen/alpaca-lora, LLaMA-7B, r=8 on q and v
        ("llama-1-7b", 8, "qv", 4_194_304),
        # unslothai/unsloth notebooks: r=16 on all linear layers
        ("llama-3-8b", 16, "all", 41_943_040),
        ("mistral-7b", 16, "all", 41_943_040),
        # 16 x (2 x 8,192 + 2 x 5,120) x 32 layers
        ("mixtral-8x7b", 16, "attn", 13_631_488),
    ],
)
def test_parameters_as_training_logs_print_them(model, rank, targets, trainable):
    assert adapter_params(shape(model), rank, targets) == trainable


def terms(question):
    return {term.name: (term.gb, term.basis) for term in ask(question).need.terms}


def test_a_named_model_has_its_own_adapter():
    """Rank 16 on q, k, v and o at 16 bytes each; the guide's share of the parameters would be 3.7 GB."""
    gb, basis = terms(named("mixtral-8x7b", "qlora"))["adapter"]
    assert gb == pytest.approx(13_631_488 * 16 / 1e9)
    assert basis == "exact"


def test_targets_change_it():
    everything = named("llama-3-8b", "lora", tuning={"targets": "all"})
    assert terms(everything)["adapter"][0] == pytest.approx(41_943_040 * 16 / 1e9)


def test_a_bare_size_keeps_the_guides_share():
    assert terms(bare(13, "lora"))["adapter"] == (pytest.approx(0.005 * 13 * 16), "guide")


def test_activations_of_a_mixture_go_by_the_active_parameters():
    """12.9 billion of Mixtral's 46.7 are active: the guide's 4 GB up to 13B."""
    assert terms(named("mixtral-8x7b", "qlora"))["activations"][0] == pytest.approx(4)


def test_the_guides_figure_beside_it_goes_by_all():
    """34B 6 GB, 70B 8 GB: 6 + 2 x (46.7 - 34) / 36."""
    beside = ask(named("mixtral-8x7b", "qlora")).guide_need
    found = {term.name: term.gb for term in beside.terms}
    assert found["activations"] == pytest.approx(6 + 2 * (46.702792704 - 34) / 36)
    assert found["adapter"] == pytest.approx(0.005 * 46.702792704 * 16)

"""Full tuning in shards, with optimizer states in host memory: arithmetic on the guide's 2 + 2 + 12 bytes."""

import pytest

from engine.errors import NotModelled
from engine.gpus import gpu
from engine.offload import host_link_gb_s
from tests.engine.asking import ask, bare, named, warning

OFFLOAD = {"offload_cpu": True, "zero_stage": 3}


def terms(answer):
    return {term.name: term.gb for term in answer.need.terms}


def test_what_stays_on_the_gpus_and_what_goes_to_the_host():
    """70B: 140 GB of weights and 140 of gradients stay, 840 go; activations stay 15% of all 1,120."""
    answer = ask(bare(70, "full", None, (8, "h100-sxm-80"), tuning=OFFLOAD))
    assert terms(answer) == pytest.approx({"weights": 140, "gradients": 140, "activations": 168})
    assert answer.host.gb == pytest.approx(840)
    assert answer.host.of_gb == 2000
    assert answer.verdicts[0].per_gpu_gb == pytest.approx((448 - 2) / 8 + 2)


def test_together_they_are_the_need_without_offload():
    kept, whole = ask(bare(70, "full", tuning=OFFLOAD)), ask(bare(70, "full"))
    assert kept.need.total_gb + kept.host.gb == pytest.approx(whole.need.total_gb)
    assert whole.host is None


def test_what_it_costs_in_bandwidth():
    """280 GB a step over eight links of PCIe 5: 280 / 8 / (0.8 x 63) = 0.69 s."""
    answer = ask(bare(70, "full", None, (8, "h100-sxm-80"), tuning=OFFLOAD))
    assert answer.host.each_step_gb == pytest.approx(280)
    assert answer.host.seconds_a_step == pytest.approx(280 / 8 / 50.4)
    said = warning(answer, "host-memory")
    assert "840 GB of optimizer states in host memory, of the 2,000 that a node of eight has" in said
    assert "0.7 s on 8 × H100 SXM 80 GB" in said


def test_more_than_a_node_has_is_said():
    said = warning(ask(bare(405, "full", None, (8, "mi300x-192"), tuning=OFFLOAD)), "host-memory")
    assert "4,860 GB of optimizer states in host memory, more than the 2,000" in said


def test_a_smaller_recipe_keeps_less_in_the_host():
    """8-bit Adam: 2 bytes of 6; 26 GB at 13B."""
    answer = ask(bare(13, "full", tuning={"offload_cpu": True, "optimizer": "adam8bit"}))
    assert answer.host.gb == pytest.approx(26)


def test_zero_3_alone_is_the_shared_need():
    assert ask(bare(13, "full", tuning={"zero_stage": 3})).need.total_gb == ask(bare(13, "full")).need.total_gb


@pytest.mark.parametrize(
    ("gpu_id", "rate"), [("a100-80-sxm", 25.2), ("t4", 12.64), ("rtx-5090", 50.4), ("h200-sxm-141", 50.4)]
)
def test_effective_rates_of_the_link_to_the_host(gpu_id, rate):
    """Effective about 12, 25 and 50 to 55 GB/s of PCIe 3, 4 and 5."""
    assert host_link_gb_s(gpu(gpu_id)) == pytest.approx(rate)
    assert host_link_gb_s(gpu("24gb")) is None


@pytest.mark.parametrize(
    "question",
    [
        bare(13, "lora", tuning={"offload_cpu": True}),
        bare(13, "infer", tuning={"offload_cpu": True}),
        bare(13, "full", tuning={"offload_cpu": True}, engine="fsdp"),
        bare(13, "full", tuning={"zero_stage": 2}),
        bare(13, "full", tuning={"zero_stage": 0}),
    ],
    ids=str,
)
def test_what_is_not_reckoned_is_refused(question):
    with pytest.raises(NotModelled):
        ask(question)


@pytest.mark.parametrize("engine", ["vllm", "llama.cpp", "transformers"])
def test_a_diffusion_model_under_an_engine_is_refused(engine):
    with pytest.raises(NotModelled):
        ask(named("sdxl", engine=engine))

"""Limits, alternatives and warnings. Figures in the comments are the guide's prices and arithmetic on them."""

from datetime import date
from decimal import Decimal

import pytest

from engine import Catalog, packaged_catalog, size
from engine.errors import ConflictingWords, ImpossibleValue, NotModelled, UnknownGpu
from engine.offers import Offer
from engine.question import EngineOptions
from tests.engine.asking import ask, bare, codes, named, warning


def alternative(answer, code):
    return next((one for one in answer.alternatives if one.code == code), None)


def test_budget_leaves_the_nearest_thing_above():
    """34.7 GB: the A40 at 240 is the cheapest; with 200 a month 40 are missing."""
    answer = ask(bare(13, "infer", "bf16", limits={"usd_month": Decimal(200)}))
    assert answer.pick is None
    assert answer.cluster is None
    above = alternative(answer, "change")
    assert (above.what, above.pick.name, above.usd_month_difference) == ("budget=240/mo", "A40", 40)


def test_budget_an_hour():
    """144.7 GB under 2 an hour: MI300X is 1590 / 720 = 2.21, four A40 are 883.20 / 720 = 1.23."""
    answer = ask(bare(70, "infer", "bf16", limits={"usd_hour": Decimal(2)}))
    assert (answer.pick.count, answer.pick.name) == (4, "A40")


def test_budget_below_everything_names_the_hour_price():
    """Four A40 at 883.20 a month are 1.2267 an hour: 1.23 lets them in."""
    answer = ask(bare(70, "infer", "bf16", limits={"usd_hour": Decimal(1)}))
    above = alternative(answer, "change")
    assert (above.what, above.pick.count, above.pick.name) == ("budget=1.23/hr", 4, "A40")
    assert ask(bare(70, "infer", "bf16", limits={"usd_hour": Decimal("1.23")})).pick.name == "A40"


def test_cuda_leaves_rocm_out():
    answer = ask(bare(70, "infer", "bf16", limits={"cuda": True}))
    assert (answer.pick.count, answer.pick.name, answer.pick.usd_month) == (4, "A40", Decimal("883.20"))


def test_max_gpus():
    """13B full: four A100 SXM; with two at most only two B200 (360 GB) hold 239 GB."""
    assert ask(bare(13, "full", limits={"max_gpus": 2})).pick.name == "B200"
    single = ask(bare(13, "full", limits={"max_gpus": 1}))
    assert (single.pick, alternative(single, "change").what) == (None, "max-gpus=4")


def test_full_tuning_is_refused_across_slow_links():
    """239 GB: eight L40S (384 GB, 3744) would be dearer, four RTX A6000 (192 GB) too small; NVLink it must be."""
    answer = ask(bare(13, "full", None, (8, "l40s")))
    assert answer.pick.name == "A100 SXM"
    assert answer.verdicts[0].verdict == "fits"
    assert "full tuning needs a link between all of them" in warning(answer, "slow-link")


def test_fp8_needs_the_hardware():
    """21.7 GB: RTX A5000 at 190 holds it and has no FP8, the L4 at 250 has."""
    answer = ask(bare(13, "infer", "fp8"))
    assert answer.pick.name == "L4"
    assert warning(answer, "no-fp8-hardware").startswith("RTX A5000 24 GB would hold it for less")


def test_fp8_on_a_named_set_without_it_is_said():
    answer = ask(bare(70, "infer", "fp8", (2, "a100-80-sxm")))
    assert answer.verdicts[0].verdict == "fits"
    assert "A100 SXM has no FP8 hardware" in warning(answer, "no-fp8-hardware")


def test_a_native_fp8_model_falls_back_to_bf16_where_it_does_not_run():
    """671 billion x 2 bytes and more."""
    answer = ask(named("deepseek-r1", "infer", None, (32, "a100-80-sxm")))
    assert answer.question.weight_format == "bf16"
    assert 1340 < answer.need.total_gb < 1500


def test_alternatives_of_70b_bf16():
    """MI300X 1590; four A40 883.20: 706.80 less, and CUDA."""
    answer = ask(bare(70, "infer", "bf16"))
    several = alternative(answer, "set")
    assert (several.what, several.usd_month_difference) == ("4xa40", Decimal("-706.80"))
    assert alternative(answer, "cuda").pick.name == "A40"


def test_faster_is_at_least_one_and_a_half_times_for_two_and_a_half_at_most():
    """13B fp8 on an L4 (300 GB/s, 250): the RTX 4090 has 1,010 GB/s at 390."""
    answer = ask(bare(13, "infer", "fp8"))
    faster = alternative(answer, "faster")
    assert (faster.pick.name, faster.usd_month_difference) == ("RTX 4090", 140)


def test_no_set_alternative_when_it_saves_less_than_a_tenth():
    assert alternative(ask(bare(13, "lora")), "set") is None


def test_changes_that_make_a_no_fit():
    """70B int4 at 32k on one RTX 3090: 35 + 10.7 + 2 GB. Two hold 48."""
    answer = ask(bare(70, "infer", "int4", (1, "rtx-3090"), context_tokens=32768))
    changes = {one.what: one for one in answer.alternatives if one.code == "change"}
    assert answer.verdicts[0].verdict == "no"
    assert changes["2xrtx-3090"].usd_month_difference == 437 - 230
    assert changes["a40"].usd_month_difference == 240 - 230


def test_a_smaller_format_or_cache_is_offered_where_it_is_enough():
    """34B bf16: 68 + 2 + 2 GB. On 40 GB int8 (38 GB) fits; a smaller cache alone does not."""
    answer = ask(bare(34, "infer", "bf16", (1, "a100-40-pcie")))
    offered = [one.what for one in answer.alternatives if one.code == "change"]
    assert offered[0] == "int8"
    assert "kv=fp8" not in offered


def test_shorter_context_is_offered():
    """7B bf16 on 24 GB: 14 + 2 leaves 8 GB, at 131,072 bytes a token 61,035 tokens: 59k."""
    answer = ask(bare(7, "infer", "bf16", (1, "rtx-3090"), context_tokens=131072))
    assert "ctx=59k" in [one.what for one in answer.alternatives]
    assert answer.verdicts[0].max_context_tokens == 61_035


def test_warnings_of_the_mi300x():
    found = codes(ask(bare(7, "full")))
    assert {"rocm", "few-in-stock"} <= set(found)


def test_smallest_order_is_said():
    """Six H200 do not come: 360 GB of two B200 are the cheapest for 250 to 320 GB without ROCm that are faster."""
    answer = ask(bare(13, "full", limits={"max_gpus": 2}))
    assert warning(answer, "min-order") == "B200: the smallest order is 2"


@pytest.mark.parametrize(("fields", "due"), [({}, False), ({"asked_hours": True}, True)])
def test_shortest_term_only_where_hours_are_asked(fields, due):
    assert ("min-term" in codes(ask(bare(7, "lora", **fields)))) == due


def test_oversized():
    """17.1 of 80 GB, at 1690 against 190 for an RTX A5000: 8.9 times."""
    answer = ask(bare(7, "infer", "bf16", (1, "h100-sxm-80")))
    assert "8.9 times the price of RTX A5000" in warning(answer, "oversized")
    assert "oversized" not in codes(ask(bare(7, "infer", "bf16", (1, "rtx-3090"))))


def test_heads_that_do_not_divide():
    """LLaMA-33B has 52 heads: 2 or 4, not 3."""
    answer = ask(named("llama-1-33b", "infer", "fp16", (3, "rtx-3090")))
    assert "52 heads do not divide by 3" in warning(answer, "heads-not-divisible")
    assert "2, 4 or 13" in warning(answer, "heads-not-divisible")


def test_consumer_rig():
    assert "consumer-rig" in codes(ask(bare(70, "infer", "bf16", (8, "rtx-3090"))))
    assert "consumer-rig" not in codes(ask(bare(70, "infer", "bf16", (4, "rtx-3090"))))


def test_replica_warning_for_4bit_training():
    answer = ask(named("llama-3-70b", "qlora", None, (4, "a10g")))
    assert "copies the model to every GPU unless it is sharded" in warning(answer, "replica-per-gpu")


def test_between_nominal_and_driver_is_tight():
    """70B int4 at 9,000 tokens: 35 + 2.95 + 2 = 39.95; at 12,000 it is 40.93 of 40, the driver has 42.9."""
    within = ask(bare(70, "infer", "int4", (1, "a100-40-pcie"), context_tokens=12_000)).verdicts[0]
    assert (within.verdict, within.spare_gb < 0) == ("tight", True)
    beyond = ask(bare(70, "infer", "int4", (1, "a100-40-pcie"), context_tokens=20_000)).verdicts[0]
    assert beyond.verdict == "no"


def test_old_prices_are_said_except_those_of_the_packaged_catalog():
    offer = Offer(gpu="a40", count=1, usd_month=Decimal(200), provider="there", priced_on=date(2026, 9, 1))
    catalog = Catalog("mine", date(2026, 9, 1), (offer,))
    question = bare(13, "lora")
    assert "price-old" in codes(size(question, catalog, today=date(2026, 10, 2)))
    assert "price-old" not in codes(size(question, catalog, today=date(2026, 10, 1)))
    assert "price-old" not in codes(size(question, packaged_catalog(), today=date(2027, 1, 1)))


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (bare(7, context_tokens=0), ImpossibleValue),
        (bare(7, batch=2, users=3), ConflictingWords),
        (bare(7, "full", "int4"), ConflictingWords),
        (bare(7, "lora", "q4_k_m"), ConflictingWords),
        (bare(7, "qlora", "bf16"), ConflictingWords),
        (named("sdxl", "lora"), NotModelled),
        (bare(7, "infer", None, (1, "nonesuch")), UnknownGpu),
    ],
)
def test_what_cannot_be_is_refused(question, error):
    with pytest.raises(error):
        ask(question)


def test_every_default_is_an_assumption():
    said = {one.name: one.value for one in ask(bare(13)).assumptions}
    assert said | {"shape": ""} == {
        "weight_format": "bf16",
        "shape": "",
        "context_tokens": "8,192",
        "batch": "1",
        "kv_format": "fp16",
    }


def test_a_split_is_rented_as_a_whole():
    """20 B x 7.6 billion / 8 + 2 on each of eight: eight RTX A5000 (24 GB), not one."""
    question = named("qwen2.5-7b", "full").model_copy(update={"engine": "zero3", "options": EngineOptions(shards=8)})
    answer = ask(question)
    assert answer.pick.count == 8
    assert answer.need.total_gb == pytest.approx(8 * answer.need.per_gpu_gb)


def test_one_gpu_named_beside_a_split_stands_for_its_kind():
    question = bare(7, "infer", "bf16", (1, "rtx-3090"), options=EngineOptions(tensor_parallel=4))
    verdict = ask(question).verdicts[0]
    assert (verdict.count, verdict.capacity_gb, verdict.layout) == (4, 96.0, "tensor-parallel")


def test_a_split_and_a_set_of_other_sizes_are_refused():
    with pytest.raises(ConflictingWords) as refused:
        ask(bare(7, "infer", "bf16", (2, "rtx-3090"), options=EngineOptions(tensor_parallel=8)))
    assert "8xrtx-3090" in refused.value.allowed


def test_a_cluster_has_more_than_one_node():
    """A node of eight MI300X holds 1,536 GB and can use 1,626 of it; vLLM takes 90%."""
    answer = ask(named("kimi-k3", "infer", "awq").model_copy(update={"engine": "vllm"}))
    assert answer.pick is None
    assert answer.cluster.nodes >= 2


def test_heads_without_a_divisor_are_said():
    """Falcon-7B has 71 heads."""
    assert "tensor parallel is not possible" in warning(
        ask(named("falcon-7b", "infer", "bf16", (2, "rtx-3090"))), "heads-not-divisible"
    )


def test_pick_and_named_set_have_one_verdict():
    """Llama-3.1-8B for 20 users: 16.1 + 21.5 + 2 GB on an A40 is tight where the dearest engine passes 48."""
    question = named("llama-3.1-8b", "infer", "bf16", users=20)
    picked = ask(question).pick
    on_it = ask(question.model_copy(update={"sets": named("x", "infer", None, (1, picked.gpu)).sets})).verdicts[0]
    assert picked.verdict == on_it.verdict == "tight"


def test_tight_by_the_leanest_engine_says_so():
    verdict = ask(named("qwen3-4b", "lora", None, (3, "rtx-3090"), context_tokens=131_072)).verdicts[0]
    assert (verdict.verdict, verdict.spare_gb < 0) == ("tight", True)
    assert "only the leanest engine stays within it" in verdict.why


def test_a_split_that_nobody_rents_is_answered_with_the_next():
    answer = ask(named("qwen2.5-7b", "infer", "bf16", options=EngineOptions(tensor_parallel=3)))
    assert (answer.pick, answer.cluster) == (None, None)
    other = alternative(answer, "change")
    assert (other.what, other.pick.count) == ("tp=4", 4)


def test_a_set_without_fp8_falls_back_alone():
    """DeepSeek-V3 was released in FP8: eight H200 hold its 679 GB, eight A100 see 1,342 GB of bf16."""
    answer = ask(named("deepseek-v3", "infer", None, (8, "a100-80-sxm"), (8, "h200-sxm-141")))
    assert [verdict.verdict for verdict in answer.verdicts] == ["no", "fits"]
    assert answer.need.total_gb == pytest.approx(679, abs=1)
    said = next(one for one in answer.assumptions if one.name == "fallback_format")
    assert (said.value, said.why) == ("bf16", "A100 SXM does not run fp8, as it was released")


def test_naming_the_released_format_changes_nothing():
    """Kimi-K2-Thinking holds its experts in int4 and the rest in 16 bit: 594 GB."""
    given, left_out = (ask(named("kimi-k2-thinking", "infer", fmt)).need.total_gb for fmt in ("int4", None))
    assert given == left_out


def test_nvfp4_needs_blackwell():
    answer = ask(named("qwen3-32b", "infer", "nvfp4", (1, "rtx-3090")))
    assert "no hardware for nvfp4" in warning(answer, "no-fp8-hardware")
    assert answer.pick.name in {"RTX 5090", "B200"}


@pytest.mark.parametrize(("hours", "due"), [(48, True), (167, True), (168, False), (720, False)])
def test_a_term_of_a_week_and_more_is_rented(hours, due):
    question = bare(13, "lora", limits={"term_hours": Decimal(hours)}, asked_hours=True)
    assert ("min-term" in codes(ask(question))) == due


def test_ollama_pulls_gpt_oss_as_it_was_released():
    question = named("gpt-oss-120b").model_copy(update={"ollama_tag": True})
    assert ask(question).question.weight_format == "mxfp4"
    assert ask(named("llama-3.1-8b").model_copy(update={"ollama_tag": True})).question.weight_format == "q4_k_m"


def test_a_pick_says_what_else_it_holds_where_no_set_is_named():
    """13B LoRA on an A40: 48 - 26 - 1.04 - 2 - 4 GB over 857,600 B a token past 2,048."""
    pick = ask(bare(13, "lora", context_tokens=4096)).pick
    assert pick.max_context_tokens == int(2048 + (48 - 26 - 1.04 - 2 - 4) * 1e9 / 857_600)
    assert ask(bare(13, "lora", None, (1, "a40"))).pick.max_context_tokens is None


def test_embeddings_that_are_trained_are_counted_without_an_engine_too():
    """16 B x 2 x 128,256 x 4,096 = 16.8 GB."""
    plain = ask(named("llama-3.1-8b", "qlora"))
    trained = ask(named("llama-3.1-8b", "qlora", tuning={"train_embeddings": True}))
    assert trained.need.total_gb - plain.need.total_gb == pytest.approx(16 * 2 * 128_256 * 4096 / 1e9)


def test_the_link_of_a_set_is_named():
    verdict = ask(bare(70, "infer", "int4", (2, "h100-sxm-80"))).verdicts[0]
    assert verdict.link == "NVLink, 900 GB/s"


def test_the_other_form_of_a_gpu_that_nobody_rents_is_named():
    """Sizing guide: the A100 of 80 GB is rented as SXM, at 990 a month; an H100 PCIe is rented itself."""
    verdict = ask(bare(13, "lora", None, (1, "a100-80-pcie"))).verdicts[0]
    assert (verdict.other_form.gpu, verdict.other_form.usd_month) == ("a100-80-sxm", 990)
    assert verdict.usd_month is None
    for rented_or_alone in ("h100-pcie-80", "rtx-3090", "a100-40-pcie"):
        assert ask(bare(13, "lora", None, (1, rented_or_alone))).verdicts[0].other_form is None


def test_a_context_of_less_than_an_eighth_is_no_way_out():
    """70B at int4 takes 37 GB before any cache: 40 GB leave some 9,000 tokens of 131,072."""
    changed = [one.what for one in ask(bare(70, "infer", "int4", (1, "40gb"), context_tokens=131_072)).alternatives]
    assert not [what for what in changed if what.startswith("ctx=")]
    changed = [one.what for one in ask(bare(70, "infer", "int4", (1, "40gb"), context_tokens=32_768)).alternatives]
    assert [what for what in changed if what.startswith("ctx=")] == ["ctx=8k"]


def test_a_part_that_no_gpu_holds_is_no_tight_fit():
    """DeepSeek-V3 in FP8 on 8 x H100: (678.8 - 2) / 8 + 2 = 86.6 GB each, and the driver reports 85.5."""
    verdict = ask(named("deepseek-v3", "infer", None, (8, "h100-sxm-80"))).verdicts[0]
    assert 640 < verdict.capacity_gb - verdict.spare_gb < verdict.driver_gb
    assert verdict.per_gpu_gb > verdict.driver_gb / 8
    assert verdict.verdict == "no"

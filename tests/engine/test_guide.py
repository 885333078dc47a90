"""Every figure of the sizing guide comes out, to the digit. Expected values are the guide's own cells."""

from decimal import ROUND_HALF_UP, Decimal

import pytest

from engine import packaged_catalog
from engine.ceiling import tokens_per_second
from engine.gpus import gpu
from engine.units import HOURS_A_MONTH
from tests.engine.asking import ask, bare, cell, codes, named


def shown(figure, digits="1"):
    """Half rounds up, by Decimal, as the guide rounds."""
    return str(Decimal(repr(float(figure))).quantize(Decimal(digits), ROUND_HALF_UP))


def test_lookup_need(lookup_row):
    answer = ask(cell(lookup_row["size"], lookup_row["workload"]))
    assert shown(answer.need.total_gb) == lookup_row["need_gb"]


def test_lookup_pick(lookup_row):
    answer = ask(cell(lookup_row["size"], lookup_row["workload"]))
    if lookup_row["price_month_usd"] == "on quote":
        assert answer.pick is None
        assert (answer.cluster.nodes, answer.cluster.per_node, answer.cluster.name) == (5, 8, "MI300X")
        return
    pick = answer.pick
    assert (str(pick.count), pick.name, shown(pick.usd_month)) == (
        lookup_row["count"],
        lookup_row["card"],
        lookup_row["price_month_usd"],
    )
    assert (pick.verdict == "tight") == (lookup_row["tight"] == "yes")
    assert ("tight-fit" in codes(answer)) == (lookup_row["tight"] == "yes")


def test_inference(inference_row):
    params_b = float(inference_row["size"][:-1])
    for fmt in ("bf16", "fp8", "int4"):
        question = bare(params_b, "infer", fmt, context_tokens=int(inference_row["ctx_tokens"]), batch=1)
        answer = ask(question)
        assert shown(answer.kv.gb, "0.1") == inference_row["kv_gb"]
        assert shown(answer.need.total_gb) == inference_row[f"{fmt}_gb"]


def test_kv(kv_row):
    params_b = float(kv_row["size"][:-1])
    for column, tokens in (("gb_8k", 8192), ("gb_32k", 32768), ("gb_128k", 131072)):
        answer = ask(bare(params_b, "infer", "bf16", context_tokens=tokens))
        assert shown(answer.kv.gb, "0.1") == kv_row[column]
        assert shown(answer.kv.bytes_per_token / 1e6, "0.01") == kv_row["mb_per_token"]


def test_tuning(tuning_row):
    params_b = float(tuning_row["size"][:-1])
    full = ask(bare(params_b, "full"))
    states = sum(term.gb for term in full.need.terms if term.name != "activations")
    assert shown(states) == tuning_row["full_states_gb"]
    assert shown(full.need.total_gb) == tuning_row["full_with_activations_gb"]
    assert shown(ask(bare(params_b, "lora")).need.total_gb) == tuning_row["lora_gb"]
    assert shown(ask(bare(params_b, "qlora")).need.total_gb) == tuning_row["qlora_gb"]


def test_ceilings(ceilings_row):
    params_b = float(ceilings_row["size"][:-1])
    gpu_id = {
        "A40": "a40",
        "RTX 5090": "rtx-5090",
        "RTX A5000": "rtx-a5000",
        "A100 SXM": "a100-80-sxm",
        "RTX 4090": "rtx-4090",
    }
    answer = ask(bare(params_b, "infer", ceilings_row["precision"], (1, gpu_id[ceilings_row["card"]])))
    assert shown(answer.verdicts[0].tokens_per_second) == ceilings_row["ceiling_tok_s"]
    bandwidth = float(ceilings_row["bandwidth_gb_s"])
    assert shown(tokens_per_second(bandwidth, float(ceilings_row["weights_gb"]))) == ceilings_row["ceiling_tok_s"]


def test_cards_are_the_guides(cards_row):
    kind = gpu(cards_row["gpu"])
    assert (kind.memory_gb, kind.bandwidth_gb_s) == (float(cards_row["memory_gb"]), float(cards_row["bandwidth_gb_s"]))
    assert kind.name == cards_row["card"]
    assert kind.fp8 == (cards_row["fp8"] == "yes")
    assert kind.link == cards_row["link"]
    if cards_row["link_gb_s"]:
        assert kind.link_gb_s == float(cards_row["link_gb_s"])


def test_cards_are_rented_as_the_guide_says(cards_row):
    offers = [offer for offer in packaged_catalog().offers if offer.gpu == cards_row["gpu"]]
    assert "|".join(str(offer.count) for offer in offers) == cards_row["rentable_counts"]
    assert {offer.smallest_order for offer in offers} == {int(cards_row["min_count"])}
    inferred = {"mi300x-192", "h200-sxm-141", "h100-pcie-80"}
    assert {offer.counts_inferred for offer in offers} == {cards_row["gpu"] in inferred}


def test_derived_columns_of_cards(cards_row):
    kind, price = gpu(cards_row["gpu"]), Decimal(cards_row["price_month_usd"])
    assert shown(price / Decimal(kind.memory_gb), "0.01") == cards_row["usd_per_gb_month"]
    assert shown(Decimal(kind.bandwidth_gb_s) / price, "0.01") == cards_row["gb_s_per_usd_month"]
    assert shown(price / HOURS_A_MONTH, "0.01") == cards_row["usd_per_gpu_hour"]


@pytest.mark.parametrize(
    ("gpu_id", "count", "topic"),
    [
        ("a100-80-sxm", 8, "node_price_8x_a100_sxm"),
        ("mi300x-192", 8, "node_price_8x_mi300x"),
        ("a40", 2, "two_a40"),
        ("rtx-5090", 2, "two_rtx_5090"),
    ],
)
def test_set_prices(gpu_id, count, topic, economics):
    assert packaged_catalog().price_usd_month(gpu_id, count) == Decimal(economics[topic])


@pytest.mark.parametrize(("count", "topic"), [(2, "discount_2"), (4, "discount_4"), (8, "discount_8")])
def test_quantity_discounts(count, topic, economics):
    each = Decimal(240)
    expected = count * each * (100 - Decimal(economics[topic])) / 100
    assert packaged_catalog().price_usd_month("a40", count) == expected


def test_smallest_order_of_b200():
    catalog = packaged_catalog()
    assert catalog.price_usd_month("b200-180", 1) is None
    assert catalog.price_usd_month("b200-180", 2) == Decimal(7391)


def test_the_sample_of_the_design():
    answer = ask(bare(13, "lora", None, (2, "rtx-3090"), context_tokens=4096))
    assert shown(answer.need.total_gb, "0.1") == "34.8"
    assert shown(answer.need.low_gb, "0.1") == "33.0"
    assert (answer.pick.name, answer.pick.usd_month) == ("A40", 240)
    assert shown(answer.pick.spare_gb, "0.1") == "13.2"
    assert shown(answer.pick.usd_hour, "0.01") == "0.33"
    assert shown(answer.ceiling.tokens_per_second, "0.1") == "26.8"
    assert (answer.kv.bytes_per_token, answer.kv.gb) == (819_200, 0.0)
    verdict = answer.verdicts[0]
    assert (shown(verdict.per_gpu_gb, "0.1"), shown(verdict.driver_gb, "0.1")) == ("18.4", "51.5")
    assert (verdict.max_context_tokens, verdict.max_users) == (19_492, None)
    assert (verdict.tokens_per_second, verdict.tokens_per_second_tensor_parallel) == (36.0, 72.0)
    assert {term.name: shown(term.gb, "0.1") for term in answer.need.terms} == {
        "weights": "26.0",
        "activations": "5.8",
        "overhead": "2.0",
        "adapter": "1.0",
    }


def test_batch_32_of_a_70b_as_conflicts_settles_it():
    """2 x 80 x 8 x 128 x 2 x 8,192 x 32 bytes."""
    answer = ask(bare(70, "infer", "bf16", batch=32))
    assert answer.kv.gb == 2 * 80 * 8 * 128 * 2 * 8192 * 32 / 1e9
    assert shown(answer.kv.gb, "0.1") == "85.9"
    halved = ask(bare(70, "infer", "bf16", batch=32, kv_format="fp8"))
    assert halved.kv.gb == answer.kv.gb / 2


def test_70b_int4_on_a_40_gb_gpu_is_tight():
    """39.7 of 40: 0.3 GB to spare."""
    answer = ask(bare(70, "infer", "int4", (1, "a100-40-pcie")))
    assert (answer.verdicts[0].verdict, shown(answer.verdicts[0].spare_gb, "0.1")) == ("tight", "0.3")
    assert {"tight-fit", "real-4bit-is-bigger"} <= set(codes(answer))


@pytest.mark.parametrize(
    ("optimizer", "bytes_each"), [("adam", 16), ("adam-bf16", 8), ("adam8bit", 6), ("adam4bit", 5.06)]
)
def test_full_tuning_recipes(optimizer, bytes_each):
    answer = ask(bare(7, "full", tuning={"optimizer": optimizer}))
    assert answer.need.total_gb == pytest.approx(7 * bytes_each * 1.15)


def test_rank_scales_the_adapter():
    """0.5% of 13 billion at 16 bytes is 1.04 GB at rank 16, four times that at 64."""
    adapter = {term.name: term.gb for term in ask(bare(13, "lora", tuning={"rank": 64})).need.terms}["adapter"]
    assert adapter == pytest.approx(4 * 1.04)


def test_without_checkpointing_34_bytes_more():
    """34 x 2,048 tokens x 40 layers x 5,120 wide = 14.26 GB."""
    kept = ask(bare(13, "lora")).need.total_gb
    without = ask(bare(13, "lora", tuning={"checkpointing": "off"})).need.total_gb
    assert without - kept == pytest.approx(34 * 2048 * 40 * 5120 / 1e9)


def test_fused_loss_takes_no_vocabulary():
    """14 x 32,000 x 4,096 bytes less than the plain loss."""
    plain = ask(bare(13, "lora", context_tokens=4096))
    fused = ask(bare(13, "lora", context_tokens=4096, tuning={"loss": "fused"}))
    assert plain.need.total_gb - fused.need.total_gb == pytest.approx(14 * 32_000 * 4096 / 1e9)
    assert (plain.need.low_gb, fused.need.low_gb) == pytest.approx((fused.need.total_gb, fused.need.total_gb))


def test_full_tuning_never_subtracts_for_fewer_tokens():
    assert ask(bare(7, "full", context_tokens=512)).need.total_gb == ask(bare(7, "full")).need.total_gb


def test_8bit_lora_keeps_one_byte():
    """13 GB of base in place of 26."""
    sixteen, eight = ask(bare(13, "lora")), ask(bare(13, "lora", "int8"))
    assert sixteen.need.total_gb - eight.need.total_gb == pytest.approx(13)


def test_per_gpu_need_of_a_named_set():
    """(34.7 - 2) / 2 + 2."""
    answer = ask(bare(13, "infer", "bf16", (2, "rtx-3090")))
    assert answer.need.per_gpu_gb == pytest.approx((answer.need.total_gb - 2) / 2 + 2)


def test_a_named_model_keeps_its_exact_parameters():
    """8,030,261,248 x 2 bytes; 2 x 32 x 8 x 128 x 2 x 8,192."""
    answer = ask(named("llama-3.1-8b", "infer", "bf16"))
    assert answer.need.total_gb == pytest.approx((8_030_261_248 * 2 + 2 * 32 * 8 * 128 * 2 * 8192) / 1e9 + 2)

"""What the card says, from answers written by hand."""

from decimal import Decimal

import pytest

from bot.answer_card import answer_card
from engine.answer import Alternative, Ceiling, Cluster, Need, SetVerdict, Term
from engine.answer import Warning as Warn
from engine.question import Limits
from tests.answers import A40, SAMPLE


def spoken(text):
    return text.replace("\u00a0", " ")


def with_need(total_gb, low_gb=None, high_gb=None, **changes):
    term = Term(name="weights", gb=total_gb, formula="", basis="guide")
    need = Need(
        total_gb=total_gb, per_gpu_gb=None, low_gb=low_gb or total_gb, high_gb=high_gb or total_gb, terms=(term,)
    )
    return SAMPLE.model_copy(update={"need": need, **changes})


def verdict(**changes):
    known = {
        "gpu": "rtx-3090",
        "name": "RTX 3090",
        "count": 2,
        "capacity_gb": 48.0,
        "driver_gb": 51.5,
        "per_gpu_gb": 18.42,
        "spare_gb": 13.16,
        "verdict": "fits",
        "why": "",
        "max_context_tokens": 19492,
        "max_users": None,
        "layout": "layer-split",
        "tokens_per_second": 36.0,
        "tokens_per_second_tensor_parallel": 72.0,
        "usd_month": None,
    }
    return SetVerdict(**(known | changes))


def test_cells_of_the_bar_are_rounded_up_and_add_up_to_20():
    bar = answer_card(SAMPLE).bar  # 20 x 34.84 / 48 = 14.5
    assert sum(bar.cells) == 15
    assert bar.free == 5
    assert bar.cells == (11, 3, 1, 0)  # ends at 26/34.84, 31.8/34.84, 33.8/34.84 of 15 cells


@pytest.mark.parametrize(("total_gb", "filled"), [(0.1, 1), (47.9, 20), (48.0, 20), (400.0, 20), (24.0, 10)])
def test_bar_from_empty_to_overfull(total_gb, filled):
    bar = answer_card(with_need(total_gb)).bar
    assert (sum(bar.cells), bar.free) == (filled, 20 - filled)


@pytest.mark.parametrize(
    ("low_gb", "high_gb", "shown"),
    [(36.0, 40.0, "40 GB"), (35.9, 40.0, "40 GB (36 to 40)"), (40.0, 40.0, "40 GB"), (40.0, 44.2, "40 GB (40 to 44)")],
)
def test_range_is_shown_where_it_is_wider_than_a_tenth(low_gb, high_gb, shown):
    assert spoken(answer_card(with_need(40.0, low_gb, high_gb)).need) == shown


def test_range_says_what_it_hangs_on():
    known = {"name": "range", "value": "engine", "why": "hf 49 GB, unsloth 37 GB"}
    engine = SAMPLE.assumptions[0].model_copy(update=known)
    card = answer_card(with_need(40.0, 37.0, 49.0, assumptions=(engine,)))
    assert spoken(card.need) == "40 GB (37 to 49 by engine)"
    assert card.assumed == "hf 49 GB, unsloth 37 GB"


def test_a_split_without_a_named_set_says_the_need_of_each_gpu():
    answer = with_need(40.0)
    need = answer.need.model_copy(update={"per_gpu_gb": 21.0})
    assert spoken(answer_card(answer.model_copy(update={"need": need})).need) == "40 GB, 21.0 GB a GPU"


def test_a_single_gpu_that_costs_more_than_a_set_is_called_one():
    def picks(difference):
        pair = A40.model_copy(update={"count": 2, "usd_month": A40.usd_month + difference})
        known = {"code": "set", "what": "2xa40", "need_gb": 34.84, "usd_month_difference": Decimal(difference)}
        other = Alternative(pick=pair, **known)
        return answer_card(SAMPLE.model_copy(update={"alternatives": (other,)})).picks

    assert spoken(picks(-100)[0].text).startswith("single GPU: A40")
    assert spoken(picks(100)[0].text).startswith("A40 48 GB, $240 a month")


def test_named_sets_come_with_their_verdict_before_the_pick():
    card = answer_card(SAMPLE.model_copy(update={"verdicts": (verdict(),)}))
    assert card.sets[0].label == "Fits"
    assert spoken(card.sets[0].text) == (
        "2 × RTX 3090 24 GB, 13 GB to spare · 18.4 GB each, layer split · up to 19,492 tokens · "
        "at most 36 tokens/s by layer split, 72 in parallel · not in gpu-rent-hub, no price"
    )
    assert spoken(card.bar.capacity) == "48 GB"


def test_a_set_that_is_too_small_says_what_is_missing_and_no_speed():
    small = verdict(name="RTX 4090", count=1, capacity_gb=24.0, spare_gb=-10.84, verdict="no", max_context_tokens=None)
    line = answer_card(SAMPLE.model_copy(update={"verdicts": (small,)})).sets[0]
    assert (line.label, spoken(line.text)) == (
        "Too big",
        "RTX 4090 24 GB, 11 GB short · not in gpu-rent-hub, no price",
    )


def test_a_need_between_nominal_memory_and_the_drivers_is_tight_and_says_so():
    over = verdict(count=1, capacity_gb=24.0, driver_gb=25.77, spare_gb=-0.5, verdict="tight", max_context_tokens=None)
    line = answer_card(SAMPLE.model_copy(update={"verdicts": (over,)})).sets[0]
    assert line.label == "Tight"
    assert "0.5 GB short · within the 25.8 GB that the driver reports" in spoken(line.text)


def test_users_and_singular():
    line = answer_card(SAMPLE.model_copy(update={"verdicts": (verdict(max_users=1),)})).sets[0]
    assert "up to 19,492 tokens or 1 user ·" in spoken(line.text)


def test_tight_warnings_come_first():
    warnings = (Warn(code="rocm", text="runs ROCm"), Warn(code="tight-fit", text="tight on A40"))
    card = answer_card(SAMPLE.model_copy(update={"warnings": warnings}))
    assert card.warnings == ("tight on A40", "runs ROCm")


def test_at_most_two_alternatives_each_with_or():
    pick = A40.model_copy(
        update={"gpu": "l40s", "name": "L40S", "usd_month": Decimal(520), "usd_hour": Decimal("0.72")}
    )
    others = tuple(
        Alternative(
            code=code,
            what=what,
            need_gb=34.84,
            pick=pick.model_copy(update={"count": n}),
            usd_month_difference=Decimal(280),
        )
        for n, (code, what) in enumerate((("set", "l40s"), ("cuda", "cuda"), ("faster", "l40s")), 1)
    )
    lines = answer_card(SAMPLE.model_copy(update={"alternatives": others})).picks
    assert [line.label for line in lines] == ["Cheapest", "Or", "Or"]
    assert spoken(lines[1].text) == "L40S 48 GB, $520 a month ($0.72 an hour), $280 more"
    assert spoken(lines[2].text).startswith("without ROCm: 2 × L40S")


def test_one_offer_for_two_reasons_is_one_line():
    pick = A40.model_copy(
        update={"count": 4, "capacity_gb": 192.0, "usd_month": Decimal("883.20"), "usd_hour": Decimal("1.2266")}
    )
    others = tuple(
        Alternative(code=code, what="4xa40", need_gb=180.0, pick=pick, usd_month_difference=Decimal("-706.80"))
        for code in ("set", "cuda")
    )
    lines = answer_card(SAMPLE.model_copy(update={"alternatives": others})).picks
    assert [spoken(line.text) for line in lines[1:]] == [
        "without ROCm: 4 × A40 48 GB, $883 a month ($1.23 an hour), $707 less"
    ]


def test_a_change_that_makes_it_fit():
    other = Alternative(code="change", what="kv=fp8", need_gb=22.3, pick=None, usd_month_difference=Decimal(0))
    lines = answer_card(SAMPLE.model_copy(update={"alternatives": (other,)})).picks
    assert spoken(lines[1].text) == "kv=fp8: needs 22 GB"


def test_limits_that_leave_nothing_are_named_with_the_nearest_above():
    above = Alternative(code="change", what="budget=240/mo", need_gb=34.84, pick=A40, usd_month_difference=Decimal(40))
    limits = Limits(usd_month=Decimal(200), cuda=True, max_gpus=1)
    asked = SAMPLE.question.model_copy(update={"limits": limits})
    card = answer_card(
        SAMPLE.model_copy(update={"pick": None, "ceiling": None, "question": asked, "alternatives": (above,)})
    )
    assert card.bar is None
    assert card.ceiling == ""
    assert [spoken(line.text) for line in card.picks] == [
        "nothing in gpu-rent-hub holds it within $200 a month, 1 GPU, CUDA alone",
        "budget=240/mo: A40 48 GB, $240 a month ($0.33 an hour), $40 more",
    ]


def test_cluster_has_nodes_and_no_price():
    cluster = Cluster(gpu="mi300x-192", name="MI300X", per_node=8, nodes=5)
    card = answer_card(with_need(7452.0, pick=None, ceiling=None, cluster=cluster))
    assert spoken(card.picks[0].text) == "a cluster: 5 nodes of 8 × MI300X, price on quote"
    assert spoken(card.need) == "7,452 GB"


def test_title_names_what_was_asked_and_the_footer_what_was_assumed():
    asked = SAMPLE.question.model_copy(
        update={"workload": "infer", "weight_format": "int4", "kv_format": "fp8", "users": 20, "model": "70b"}
    )
    card = answer_card(SAMPLE.model_copy(update={"question": asked, "assumptions": ()}))
    assert spoken(card.title) == "70B · inference · int4 · fp8 KV · 4,096 tokens · 20 users"
    assert card.assumed == ""


def test_shape_of_another_size_is_said():
    shape = SAMPLE.assumptions[1].model_copy(update={"value": "geometry of mistral-small-24b"})
    card = answer_card(SAMPLE.model_copy(update={"assumptions": (shape,)}))
    assert card.assumed == "geometry of mistral-small-24b"


def test_ceiling_of_a_set_names_its_layout_and_a_slower_full_context():
    ceiling = Ceiling(
        tokens_per_second=13.09, read_gb=405.0, bandwidth_gb_s=5300.0, at_full_context=9.96, layout="layer-split"
    )
    asked = SAMPLE.question.model_copy(update={"workload": "infer"})
    card = answer_card(SAMPLE.model_copy(update={"ceiling": ceiling, "question": asked}))
    assert spoken(card.ceiling) == (
        "13 tokens/s by layer split (5,300 GB/s ÷ 405 GB); 10.0 tokens/s at full context, a limit, no benchmark"
    )


def test_thousands_are_apart_wherever_a_number_stands():
    sets = (verdict(count=10_000, capacity_gb=240_000.0, spare_gb=218_509.0),)
    card = answer_card(SAMPLE.model_copy(update={"verdicts": sets}))
    assert spoken(card.sets[0].text).startswith("10,000 × RTX 3090 24 GB, 218,509 GB to spare")
    asked = SAMPLE.question.model_copy(update={"batch": 20_000})
    assert spoken(answer_card(SAMPLE.model_copy(update={"question": asked})).title).endswith("batch 20,000")


def test_a_named_set_has_its_price_and_passes_the_budget_or_not():
    """Sizing guide: two H100 SXM at 1,690 a month each, 5% less for two."""
    asked = SAMPLE.question.model_copy(update={"limits": Limits(usd_month=Decimal(500))})
    priced = verdict(usd_month=Decimal(3211))
    card = answer_card(SAMPLE.model_copy(update={"question": asked, "verdicts": (priced,)}))
    assert spoken(card.sets[0].text).endswith("$3,211 a month, over the budget")
    free = answer_card(SAMPLE.model_copy(update={"verdicts": (priced,)}))
    assert spoken(free.sets[0].text).endswith("$3,211 a month")


def test_what_saves_money_is_told_before_a_second_change():
    changes = [
        Alternative(code="change", what=what, need_gb=need_gb, pick=None, usd_month_difference=None)
        for what, need_gb in (("int8", 38.0), ("int4", 21.0))
    ]
    cheaper = Alternative(
        code="set",
        what="2xa40",
        need_gb=72.0,
        pick=A40.model_copy(update={"count": 2}),
        usd_month_difference=Decimal(-534),
    )
    card = answer_card(SAMPLE.model_copy(update={"alternatives": (*changes, cheaper)}))
    said = [spoken(line.text) for line in card.picks if line.label == "Or"]
    assert said[0] == "int8: needs 38 GB"
    assert said[1].endswith("$534 less")

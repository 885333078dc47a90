"""What holds for every question, whatever the figures."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import packaged_catalog
from engine.fit import fit_of
from engine.formats import weight_format
from engine.gpus import all_gpus, find, gpu
from engine.job import job_of
from engine.need import total_gb
from engine.offers import QUANTITY_DISCOUNTS
from engine.question import GpuSet
from engine.solve import largest, max_context_tokens, max_users
from tests.engine.asking import ask, bare

SIZES = st.floats(0.5, 700).map(lambda size: round(size, 1))
WORKLOADS = st.sampled_from(["infer", "lora", "qlora", "full"])
CAPACITIES = st.integers(10, 2000).map(float)
CONTEXTS = st.integers(1, 262_144)
SETS = st.builds(GpuSet, gpu=st.sampled_from([one.id for one in all_gpus()]), count=st.integers(1, 16))

questions = st.builds(
    lambda size, workload, context, batch, sets, rank: bare(
        size, workload, context_tokens=context, batch=batch, tuning={"rank": rank} if "lora" in workload else {}
    ).model_copy(update={"sets": tuple(sets)}),
    SIZES,
    WORKLOADS,
    CONTEXTS,
    st.integers(1, 64),
    st.lists(SETS, max_size=2),
    st.sampled_from([8, 16, 64]),
)


@given(questions)
def test_terms_sum_to_the_need(question):
    need = ask(question).need
    assert sum(term.gb for term in need.terms) == pytest.approx(need.total_gb)
    assert need.low_gb <= need.total_gb <= need.high_gb


@given(SIZES, CONTEXTS, st.integers(1, 64))
def test_twice_the_batch_doubles_the_cache_and_nothing_else_in_inference(size, context, batch):
    once, twice = (
        {term.name: term.gb for term in ask(bare(size, context_tokens=context, batch=count)).need.terms}
        for count in (batch, 2 * batch)
    )
    assert twice == pytest.approx(once | {"kv": 2 * once["kv"]})


@given(SIZES, WORKLOADS, CONTEXTS)
def test_more_context_never_lowers_the_need(size, workload, context):
    shorter, longer = (ask(bare(size, workload, context_tokens=tokens)) for tokens in (context, context + 1000))
    assert shorter.need.total_gb <= longer.need.total_gb


@given(SIZES)
def test_fewer_bits_never_need_more(size):
    needs = [ask(bare(size, "infer", fmt)).need.total_gb for fmt in ("fp32", "bf16", "fp8", "int4")]
    assert needs == sorted(needs, reverse=True)
    files = [
        ask(bare(size, "infer", fmt)).need.total_gb for fmt in ("q8_0", "q6_k", "q5_k_m", "q4_0", "q3_k_m", "q2_k")
    ]
    assert files == sorted(files, reverse=True)


@given(questions)
def test_no_cheaper_offer_of_the_same_kind_would_hold_it(question):
    answer = ask(question)
    if answer.pick is None:
        return
    for rentable in packaged_catalog().singles if answer.pick.count == 1 else packaged_catalog().sets:
        if rentable.usd_month < answer.pick.usd_month and rentable.capacity_gb >= answer.need.total_gb:
            assert answer.question.workload == "full"
            assert rentable.count > 1
            assert rentable.gpu.link in {"pcie4", "pcie5", "nvlink-bridge"}


@given(questions)
def test_the_pick_holds_the_need(question):
    answer = ask(question)
    if answer.pick is not None:
        assert answer.pick.capacity_gb >= answer.need.total_gb
        assert answer.pick.verdict in {"fits", "tight"}


@given(SIZES, WORKLOADS, CAPACITIES)
def test_the_largest_context_fits_and_one_more_does_not(size, workload, capacity_gb):
    job, _ = job_of(bare(size, workload))
    tokens = max_context_tokens(job, gpu(f"{capacity_gb:g}gb"), 1)
    if tokens is None:
        assert total_gb(job._replace(context_tokens=1)) > capacity_gb
    elif tokens < 2**27:
        assert total_gb(job._replace(context_tokens=tokens)) <= capacity_gb
        assert total_gb(job._replace(context_tokens=tokens + 1)) > capacity_gb


@given(SIZES, CAPACITIES)
def test_the_most_users_fit_and_one_more_does_not(size, capacity_gb):
    job, _ = job_of(bare(size, context_tokens=2048))
    users = max_users(job, gpu(f"{capacity_gb:g}gb"), 1)
    if users is not None and users < 2**16:
        assert total_gb(job._replace(sequences=users)) <= capacity_gb < total_gb(job._replace(sequences=users + 1))


@given(st.floats(0.1, 5), st.integers(1, 300), st.floats(0, 1), st.floats(0, 3), st.integers(1, 400), st.floats(0, 900))
def test_largest_agrees_with_counting(steep, bend, flat, start, most, limit):  # noqa: PLR0917 - hypothesis fills them in
    def value(number):
        return start + steep * min(number, bend) + flat * number

    counted = max((number for number in range(1, most + 1) if value(number) <= limit), default=None)
    assert largest(value, limit, most) == counted


@given(st.floats(0, 500), st.sampled_from([12.0, 24.0, 80.0]), st.sampled_from([1, 2, 8]))
def test_more_to_spare_is_never_a_worse_verdict(need_gb, memory_gb, count):
    order = {"no": 0, "tight": 1, "fits": 2}
    worse, better = fit_of(need_gb + 1, memory_gb, count), fit_of(need_gb, memory_gb, count)
    assert order[worse.verdict] <= order[better.verdict]


def test_every_gpu_is_sound():
    ids = [one.id for one in all_gpus()]
    assert len(ids) == len(set(ids))
    for one in all_gpus():
        assert one.memory_gb > 0
        assert one.bandwidth_gb_s > 0
        assert one.source
        assert 0.9 * one.memory_gb < one.driver_gb < 1.1 * one.memory_gb
        assert gpu(one.id) is one
        assert one in find(one.id)


@pytest.mark.parametrize("gpu_id", sorted({offer.gpu for offer in packaged_catalog().offers}))
def test_every_offer_is_sound(gpu_id):
    offers = [offer for offer in packaged_catalog().offers if offer.gpu == gpu_id]
    each = {offer.count: offer.usd_month / offer.count for offer in offers}
    assert list(each.values()) == sorted(each.values(), reverse=True), "more GPUs never cost more each"
    assert all(offer.usd_month > 0 and offer.usd_hour == offer.usd_month / Decimal(720) for offer in offers)
    assert set(each) <= set(QUANTITY_DISCOUNTS)


def test_every_format_is_sound():
    for name in ("bf16", "fp8", "int4", "awq", "q4_k_m", "nf4-dq"):
        fmt = weight_format(name)
        assert (fmt.bits_linear or fmt.whole_model_bits) > 0


@given(st.floats(0.1, 5), st.integers(1, 400), st.integers(1, 400), st.floats(0, 900))
def test_largest_from_a_known_value_is_the_same(slope, most, at, limit):
    def value(number):
        return 3 + slope * number

    at = min(at, most)
    assert largest(value, limit, most, (at, value(at))) == largest(value, limit, most)

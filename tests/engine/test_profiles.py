"""Engine profiles: known runs, known verdicts, and what holds whatever the figures.

Measured figures name the row of the table of measured runs they come from; the whole table is scored in
tests/bot/test_measured_runs.py.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.engines import SERVING, TUNING
from engine.errors import ConflictingWords
from engine.evidence import runs
from engine.gpus import gpu
from engine.profiles.constants import constants
from engine.question import EngineOptions, Tuning
from engine.usable import usable_gb
from tests.engine.asking import ask, codes, named, warning

MODELS = ("llama-3.1-8b", "qwen2.5-7b", "llama-3.2-1b", "mixtral-8x7b", "gemma-3-27b", "deepseek-v2-lite", "falcon-40b")


def run(engine, model, workload="infer", weight_format=None, *sets, options=None, **fields):
    question = named(model, workload, weight_format, *sets, **fields)
    return ask(question.model_copy(update={"engine": engine, "options": EngineOptions(**(options or {}))}))


def parts(answer):
    return {term.name: term.gb for term in answer.need.terms}


def test_vllm_qwen3_32b_on_one_h100():
    """K006 ran at 16k with 75.9 of 76.5 GB; 32k is refused at 80.1."""
    runs_at_16k = run("vllm", "qwen3-32b", "infer", "bf16", (1, "h100-sxm-80"), context_tokens=16384)
    assert runs_at_16k.need.total_gb == pytest.approx(75.9, abs=0.2)
    assert runs_at_16k.verdicts[0].verdict == "tight"
    refused = run("vllm", "qwen3-32b", "infer", "bf16", (1, "h100-sxm-80"), context_tokens=32768)
    assert refused.need.total_gb == pytest.approx(80.1, abs=0.3)
    assert refused.verdicts[0].verdict == "no"


def test_vllm_70b_fp8_on_one_h100():
    """O015: refused at 8k (81.0) and at 16k (83.5), where the guide says 75 of 80."""
    refused = run("vllm", "llama-3.1-70b", "infer", "fp8", (1, "h100-sxm-80"), context_tokens=8192)
    assert refused.need.total_gb == pytest.approx(81.0, abs=0.1)
    assert refused.verdicts[0].verdict == "no"
    assert [one.what for one in refused.alternatives if one.code == "change"]
    longer = run("vllm", "llama-3.1-70b", "infer", "fp8", (1, "h100-sxm-80"), context_tokens=16000)
    assert longer.need.total_gb == pytest.approx(83.5, abs=0.2)


def test_vllm_fewer_sequences_free_the_sampler():
    """S from 1,024 to 256 frees 3.8 GB at a vocabulary of 128,256: 38.3 B x 768 x 128,256."""
    asked = ("vllm", "llama-3.1-70b", "infer", "fp8", (1, "h100-sxm-80"))
    freed = run(*asked).need.total_gb - run(*asked, options={"seqs": 256}).need.total_gb
    assert freed == pytest.approx(38.3 * 768 * 128_256 / 1e9)
    assert freed == pytest.approx(3.8, abs=0.05)


def test_vllm_offers_its_flags_where_it_does_not_fit():
    refused = run("vllm", "qwen3-32b", "infer", "bf16", (1, "h100-sxm-80"), context_tokens=32768)
    offered = {one.what: one for one in refused.alternatives if one.code == "change"}
    assert {"seqs=256", "util=0.95", "kv=fp8"} <= set(offered)
    assert offered["seqs=256"].need_gb == pytest.approx(80.3 - 38.3 * 768 * 151_936 / 1e9, abs=0.1)


def test_a_share_that_leaves_no_room_beside_it_is_no_pick_either():
    """util=0.995 leaves 0.2 GB of an A40 beside vLLM's share; CUDA's context takes 0.5."""
    refused = run("vllm", "qwen3-14b", "infer", "bf16", (1, "a40"), options={"util": 0.995})
    assert refused.verdicts[0].verdict == "no"
    assert refused.pick is not None
    assert refused.pick.gpu != "a40"
    changed = [one.what for one in refused.alternatives if one.code == "change"]
    assert "util=0.95" in changed
    assert not [what for what in changed if what.startswith("ctx=")]
    assert run("vllm", "qwen3-14b", "infer", "bf16", (1, "a40"), options={"util": 0.95}).pick.gpu == "a40"


def test_hf_qlora_of_llama_3_1_8b_at_8k_and_what_changes_it():
    """32.6 GB; checkpointing off +71, fused loss -19, chunked -17, no preparation -4.5, rank 64 +2.0, q and v -0.6."""

    def need(**tuning):
        return run("hf", "llama-3.1-8b", "qlora", None, context_tokens=8192, tuning=tuning).need.total_gb

    plain = need()
    assert plain == pytest.approx(32.6, abs=0.1)
    for tuning, effect in (
        ({"checkpointing": "off"}, 71),
        ({"loss": "fused"}, -19),
        ({"loss": "chunked"}, -17),
        ({"kbit_preparation": False}, -4.5),
        ({"checkpointing": "offload"}, -2.3),
        ({"rank": 64}, 2.0),
        ({"targets": "qv"}, -0.6),
        ({"optimizer": "adam8bit"}, -0.3),
    ):
        assert need(**tuning) - plain == pytest.approx(effect, rel=0.06, abs=0.06), tuning


def test_unsloth_takes_far_less():
    hf = run("hf", "llama-3.1-8b", "qlora", None, context_tokens=8192)
    unsloth = run("unsloth", "llama-3.1-8b", "qlora", None, context_tokens=8192)
    assert unsloth.need.total_gb < hf.need.total_gb / 3
    assert "logits" in parts(hf)
    assert "logits" not in parts(unsloth)


def test_without_an_engine_the_range_spans_the_engines():
    answer = ask(named("llama-3.1-8b", "qlora", None, context_tokens=8192))
    low = run("unsloth", "llama-3.1-8b", "qlora", None, context_tokens=8192).need.low_gb
    high = run("hf", "llama-3.1-8b", "qlora", None, context_tokens=8192).need.high_gb
    assert (answer.need.low_gb, answer.need.high_gb) == pytest.approx((low, high))
    said = next(one for one in answer.assumptions if one.name == "range")
    assert (said.value, re.findall(r"\w+ \d+ GB", said.why)) == (
        "engine",
        ["hf 33 GB", "torchtune 21 GB", "unsloth 9 GB"],
    )


def test_torchtune_full_tuning_in_pure_bf16():
    """T254: Llama-2-7B takes about 54 GB."""
    answer = run("torchtune", "llama-2-7b", "full", None, tuning={"optimizer": "adam-bf16"})
    assert answer.need.total_gb == pytest.approx(54, rel=0.03)


def test_the_range_says_what_it_rests_on():
    answer = run("hf", "llama-3.1-8b", "qlora", None, context_tokens=8192)
    said = next(one for one in answer.assumptions if one.name == "range")
    assert (said.value, said.why) == ("loss kernel", "fitted on 94 runs")


@pytest.mark.parametrize(("rows", "count"), [("T062-T064; T161; O015", 5), ("I001-I134", 134), ("", 0)])
def test_runs_are_counted_from_the_rows(rows, count):
    assert runs(rows) == count


def test_replicas_are_judged_for_each_gpu():
    """Copies: four GPUs hold what one holds."""
    one, four = (run("hf", "llama-3-70b", "qlora", None, (count, "a10g")) for count in (1, 4))
    assert four.verdicts[0].layout == "replica"
    assert four.verdicts[0].per_gpu_gb == pytest.approx(one.need.total_gb)
    assert four.need.total_gb == pytest.approx(4 * one.need.total_gb)
    assert four.verdicts[0].verdict == "no"
    assert "shards=" in warning(four, "replica-per-gpu")


def test_shards_share_the_states():
    sharded = run("fsdp", "llama-3-70b", "qlora", None, (4, "rtx-3090"))
    assert sharded.verdicts[0].layout == "sharded"
    assert "replica-per-gpu" not in codes(sharded)
    assert sharded.need.per_gpu_gb < run("fsdp", "llama-3-70b", "qlora", None, (2, "rtx-3090")).need.per_gpu_gb


def test_usable_memory():
    """81,559 MiB x 0.994; 24,576 MiB x 0.986; 15,360 MiB x 0.971; a nameless GPU as it is called."""
    assert usable_gb(gpu("h100-sxm-80")) == pytest.approx(81_559 * 2**20 / 1e9 * 0.994)
    assert usable_gb(gpu("rtx-3090")) == pytest.approx(24_576 * 2**20 / 1e9 * 0.986)
    assert usable_gb(gpu("t4")) == pytest.approx(15_360 * 2**20 / 1e9 * 0.971)
    assert usable_gb(gpu("24gb")) == 24.0


def test_the_pick_of_an_engine_fits_what_a_process_can_use():
    """8.03 + KV and 2 GB would go in 24 GB by the guide; llama.cpp's own need decides here."""
    answer = run("llama.cpp", "gemma-3-27b", "infer", "q4_k_m", context_tokens=32768)
    assert answer.need.total_gb <= usable_gb(gpu(answer.pick.gpu))


@pytest.mark.parametrize(
    ("engine", "workload", "weight_format"),
    [("vllm", "lora", None), ("hf", "infer", None), ("unsloth", "full", None), ("vllm", "infer", "q4_k_m")],
)
def test_an_engine_that_does_not_do_it_is_refused(engine, workload, weight_format):
    with pytest.raises(ConflictingWords):
        run(engine, "llama-3.1-8b", workload, weight_format)


SERVED = st.tuples(st.sampled_from(SERVING), st.just("infer"))
TUNED = st.tuples(st.sampled_from(TUNING), st.sampled_from(["lora", "qlora", "full"])).filter(
    lambda pair: pair != ("unsloth", "full")
)


@given(st.one_of(SERVED, TUNED), st.sampled_from(MODELS), st.integers(1, 100_000), st.integers(1, 16))
def test_low_need_high_in_order_and_terms_sum_up(engine_and_workload, model, context_tokens, batch):
    engine, workload = engine_and_workload
    need = run(engine, model, workload, context_tokens=context_tokens, batch=batch).need
    assert 0 < need.low_gb <= need.total_gb <= need.high_gb
    assert sum(term.gb for term in need.terms) == pytest.approx(need.total_gb)


@given(TUNED, st.sampled_from(MODELS), st.integers(128, 32_768))
def test_fused_loss_never_above_plain_and_checkpointing_never_above_none(engine_and_workload, model, context_tokens):
    engine, workload = engine_and_workload

    def need(**tuning):
        return run(engine, model, workload, context_tokens=context_tokens, tuning=tuning).need.total_gb

    if engine != "unsloth":
        assert need(loss="fused") <= need(loss="plain")
    assert need(checkpointing="on") <= need(checkpointing="off")


@given(st.sampled_from(["fsdp", "zero3"]), st.sampled_from(["lora", "qlora", "full"]), st.sampled_from(MODELS))
def test_more_shards_never_more_on_each_gpu(engine, workload, model):
    needs = [run(engine, model, workload, options={"shards": count}).need.per_gpu_gb for count in (1, 2, 4, 8, 16)]
    assert needs == sorted(needs, reverse=True)


@given(st.sampled_from(MODELS), st.integers(1, 2000))
def test_more_sequences_never_less(model, seqs):
    fewer, more = (run("vllm", model, options={"seqs": count}).need.total_gb for count in (seqs, seqs + 1))
    assert fewer <= more


def test_every_constant_has_a_unit_a_meaning_and_what_it_rests_on():
    for one in constants().values():
        assert one.unit
        assert one.meaning
        assert one.rows
        assert one.value >= 0
        if one.basis == "measured":
            assert runs(one.rows) >= 3 or "measured.md" in one.rows, one.name


@given(st.builds(Tuning, rank=st.sampled_from([8, 16, 64]), train_embeddings=st.booleans(), compile=st.booleans()))
def test_trained_embeddings_add_16_bytes_each(tuning):
    """Embeddings and head of Llama-3.1-8B: 2 x 128,256 x 4,096 entries."""
    with_them, without = (
        ask(
            named("llama-3.1-8b", "lora").model_copy(
                update={"engine": "hf", "tuning": tuning.model_copy(update={"train_embeddings": trained})}
            )
        ).need.total_gb
        for trained in (True, False)
    )
    assert with_them - without == pytest.approx(16 * 2 * 128_256 * 4096 / 1e9)


def test_eager_attention_holds_the_scores():
    """8 B x 32 heads x 8,192^2 = 17.2 GB."""
    plain = run("hf", "llama-3.1-8b", "qlora", None, context_tokens=8192)
    eager = run("hf", "llama-3.1-8b", "qlora", None, context_tokens=8192, options={"eager_attention": True})
    assert eager.need.total_gb - plain.need.total_gb == pytest.approx(8 * 32 * 8192**2 / 1e9)


@pytest.mark.parametrize(("util", "verdict"), [(0.9, "fits"), (0.98, "tight"), (0.99, "no")])
def test_vllm_needs_room_outside_its_share(util, verdict):
    """RTX 4090: 25.4 GB usable. At 0.98 0.51 GB are left for context (0.5) and graphs (up to 1.1), at 0.99 0.25."""
    answer = run("vllm", "llama-3.2-1b", "infer", "bf16", (1, "rtx-4090"), options={"util": util})
    assert answer.verdicts[0].verdict == verdict


def test_vllm_refuses_heads_that_do_not_divide():
    """Qwen2.5-7B has 28 heads: not on 3 GPUs, and no pick of 8."""
    asked = run("vllm", "qwen2.5-7b", "infer", "bf16", (3, "rtx-4090"))
    assert asked.verdicts[0].verdict == "no"
    assert "28 heads do not divide by 3" in warning(asked, "heads-not-divisible")
    llama_cpp = run("llama.cpp", "qwen2.5-7b", "infer", "q4_k_m", (3, "rtx-4090"))
    assert "heads-not-divisible" not in codes(llama_cpp)


def test_vllm_runs_no_more_sequences_than_it_is_started_with():
    """4,000 users queue behind 256: the cache of 256 at 512 tokens and 32,768 B each is 4.3 GB."""
    options = {"seqs": 256}
    answer = run("vllm", "llama-3.2-1b", "infer", "bf16", context_tokens=512, users=4000, options=options)
    assert parts(answer)["kv"] == pytest.approx(256 * 512 * 32_768 / 1e9)
    assert answer.kv.gb == parts(answer)["kv"]


def test_vllm_has_no_q4_cache():
    with pytest.raises(ConflictingWords):
        run("vllm", "llama-3.1-8b", kv_format="q4_0")


@pytest.mark.parametrize("engine", ["unsloth", "vllm"])
def test_shards_of_an_engine_that_is_not_modelled_so_are_refused(engine):
    with pytest.raises(ConflictingWords):
        run(engine, "llama-3.1-8b", "infer" if engine == "vllm" else "lora", options={"shards": 4})


def test_tensor_parallel_reads_on_all_gpus_at_once():
    """Two A100 PCIe: 2 x 1,935 GB/s over 141.1 GB."""
    answer = run("vllm", "llama-3.1-70b", "infer", "bf16", limits={"max_gpus": 4}, options={"tensor_parallel": 4})
    assert answer.ceiling.layout == "tensor-parallel"
    each = answer.ceiling.bandwidth_gb_s / 4
    assert answer.ceiling.tokens_per_second == pytest.approx(4 * each / (70_553_706_496 * 2 / 1e9))


def test_what_an_engine_takes_by_itself_is_said():
    said = {one.name: one.value for one in run("vllm", "qwen3-32b", "infer", "bf16", (1, "h100-sxm-80")).assumptions}
    assert (said["util"], said["seqs"]) == ("0.9", "1,024")
    tuned = {one.name: one.value for one in run("hf", "llama-3.1-8b", "qlora").assumptions}
    assert (tuned["loss"], tuned["targets"], tuned["kbit_preparation"]) == ("plain", "all linear layers", "on")


def test_terms_name_the_runs_they_rest_on():
    terms = {term.name: term for term in run("vllm", "qwen3-32b", "infer", "bf16").need.terms}
    assert (terms["weights"].basis, terms["kv"].basis) == ("exact", "exact")
    assert "C001-C008" in terms["sampler"].rows
    assert terms["weights"].rows == ""


def test_the_guide_stands_beside_an_engine():
    """Llama-3.1-8B in bf16 at 8k by the guide: 8.03 x 2 + 1.07 + 2."""
    answer = run("vllm", "llama-3.1-8b", "infer", "bf16")
    assert answer.guide_need.total_gb == pytest.approx((8_030_261_248 * 2 + 131_072 * 8192) / 1e9 + 2)
    assert ask(named("llama-3.1-8b", "infer", "bf16")).guide_need is not None


def test_zero_and_shards_without_an_engine_mean_their_engine():
    by_zero = ask(named("llama-3.1-8b", "qlora", None, tuning={"zero_stage": 3}, options=EngineOptions(shards=8)))
    by_word = run("zero3", "llama-3.1-8b", "qlora", None, tuning={"zero_stage": 3}, options={"shards": 8})
    assert by_zero.need == by_word.need
    assert ask(named("llama-3.1-8b", "lora", None, options=EngineOptions(shards=8))).question.engine == "fsdp"


@pytest.mark.parametrize(
    ("engine", "model", "workload", "bytes_a_parameter"),
    [
        ("hf", "mixtral-8x7b", "lora", 2),
        ("transformers", "llama-3.1-70b", "infer", 2),
        ("hf", "llama-3.1-8b", "lora", 2),
    ],
)
def test_no_run_takes_less_than_its_weights(engine, model, workload, bytes_a_parameter):
    answer = run(engine, model, workload, "bf16")
    assert answer.need.low_gb >= answer.question.params_b * bytes_a_parameter


def test_weights_that_do_not_go_in_are_no_tight_fit():
    """Mixtral in bf16: 2 x 46.7 = 93.4 GB of weights on 84.7 usable."""
    assert run("hf", "mixtral-8x7b", "lora", "bf16", (1, "a100-80-sxm")).verdicts[0].verdict == "no"


def test_vllm_serves_all_that_are_asked_for_at_once():
    """300 sequences of 8,192 tokens x 131,072 B; vLLM's own limit would be 256."""
    asked = ("vllm", "llama-3.1-8b", "infer", "bf16", (1, "a100-80-sxm"))
    answer = run(*asked, users=300)
    assert parts(answer)["kv"] == pytest.approx(300 * 8192 * 131_072 / 1e9)
    assert ("seqs", "300") in [(one.name, one.value) for one in answer.assumptions]
    fewer = run(*asked, users=300, options={"seqs": 64})
    assert parts(fewer)["kv"] == pytest.approx(64 * 8192 * 131_072 / 1e9)
    assert ("waiting", "236") in [(one.name, one.value) for one in fewer.assumptions]


def test_what_the_engines_would_take_is_of_the_named_set():
    """The promise of the card is the figure that the engine's word then gives."""
    without = ask(named("deepseek-r1", "infer", None, (8, "h200-sxm-141")))
    (told,) = [one.why for one in without.assumptions if one.name == "range"]
    with_it = run("vllm", "deepseek-r1", "infer", None, (8, "h200-sxm-141"))
    assert f"vllm {with_it.need.total_gb:,.0f} GB" in told

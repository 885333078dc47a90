"""`plan`: the command that is typed, and what the four figures are held against."""

import pytest

from engine.errors import EmptyQuestion, NotModelled
from tests.bot.market.asking import ask, rows, shown


def flat(text):
    return " ".join(shown(text).split())


def test_a_named_model_on_one_gpu():
    """300 / 16.06 = 18.7 tokens/s; 0.6 of it 11.2."""
    row = rows("plan llama-3.1-8b ctx=8192 l4")[0]
    assert row["commands"][0] == (
        "vllm serve meta-llama/Llama-3.1-8B --max-model-len 8192 --gpu-memory-utilization 0.90 --dtype bfloat16"
    )
    assert "--random-input-len 7936 --random-output-len 256 --num-prompts 40 --max-concurrency 1" in row["commands"][1]
    assert row["tokens_per_second_limit"] == pytest.approx(300 / 16.0605, rel=1e-3)
    text = flat("plan llama-3.1-8b ctx=8192 l4")
    assert "memory bandwidth allows 19 tokens/s, about 11 tokens/s is usual" in text
    for figure in ("1 Speed", "2 Latency", "3 Memory", "4 Cost", "95th percentile", "measured N"):
        assert figure in text
    assert "starts with 90% of the memory" in text


def test_a_command_can_be_copied_line_by_line():
    text = shown("plan llama-3.1-8b ctx=8192 l4")
    assert "vllm serve meta-llama/Llama-3.1-8B \\\n    --max-model-len 8192" in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plan llama-3.1-8b fp8 l4", "--quantization fp8"),
        ("plan llama-3.1-8b kv=fp8 l4", "--kv-cache-dtype fp8"),
        ("plan llama-3.1-8b vllm util=0.8 l4", "--gpu-memory-utilization 0.80"),
        ("plan llama-3.1-8b users=12 h100-sxm", "--max-num-seqs 12"),
        ("plan llama-3.1-8b users=12 h100-sxm", "--num-prompts 120 --max-concurrency 12"),
        ("plan llama-3.1-70b 4xa100-80-sxm", "--tensor-parallel-size 4"),
        ("plan llama3.1:70b a40", "llama-server -m MODEL.Q4_K_M.gguf"),
        ("plan 13b a40", "vllm serve MODEL"),
    ],
)
def test_what_the_question_says_stands_in_the_command(text, words):
    assert any(words in command for command in rows(text)[0]["commands"])


def test_quantised_files_have_to_be_there():
    text = flat("plan llama-3.1-70b int4 a100-80-sxm")
    assert "MODEL stands for files of meta-llama/Llama-3.1-70B that are in awq already" in text
    assert "vllm serve MODEL" in text


def test_vllms_own_test_is_said():
    """70B at int4 for four on 48 GB: past the share that vLLM takes."""
    assert "will refuse to start" in flat("plan 70b int4 users=4 2x3090")


def test_the_estimate_says_whose_it_is_and_what_decides():
    """The guide: 35 + 4 x 2.68 + 2 = 47.7 of 48 GB; vLLM takes 90% of what the driver reports."""
    text = flat("plan 70b int4 users=4 2x3090")
    assert "47.7 GB of 48 GB: tight, by the sizing guide's sum, which does not decide here" in text
    assert "Decides vLLM's own test at start: it will refuse to start with 90% of the memory" in text
    assert "so the test cannot run: rather plan it on A100 SXM 80 GB, where it starts" in text
    assert "The two differ, and vLLM's counts" in text


def test_where_both_agree_nothing_is_said_of_a_difference():
    text = flat("plan llama-3.1-8b ctx=8192 l4")
    assert "by the sizing guide's sum, which does not decide here" in text
    assert "The two differ" not in text


def test_with_the_engine_there_is_one_verdict():
    text = flat("plan llama-3.1-8b vllm l4")
    assert "Estimate" not in text
    assert "Decides vLLM's own test" in text


def test_a_count_that_vllm_refuses_serves_nobody():
    """32 heads do not divide by 5."""
    text = flat("plan llama-3.1-8b 5x4090")
    assert "vLLM refuses 32 heads on 5 GPUs; so the test cannot run" in text
    assert "at most" not in text.split("1 Speed")[0]


def test_of_several_sets_the_others_are_said():
    assert "Ask for the others alone: rtx-4090." in flat("plan 13b a40 4090")


def test_of_a_set_without_a_price_the_form_that_is_rented_is_said():
    assert "it is rented as A100 SXM, $990 a month" in flat("plan 13b a100-80")


def test_a_tuning_question_runs_its_own_script():
    text = flat("plan 13b qlora 4090 hours=20")
    assert "Run your own script for 20 steps" in text
    assert "nvidia-smi" in text
    assert "$91.00 for 20" in text  # a week of it: 390 x 168 / 720


def test_without_a_gpu_it_is_planned_on_the_pick():
    assert rows("plan 13b lora")[0]["gpu"] == "a40"


def test_a_set_that_cannot_hold_it_is_not_worth_renting():
    # the guide: 34.8 GB of 24; the A40 holds it
    said = flat("plan 13b lora ctx=4k 4090")
    assert "34.8 GB of 24 GB: too big, so this test will run out of memory: rather plan it on A40 48 GB" in said


def test_an_open_question_is_asked_back():
    assert ask("plan 13b finetune").outcome.choices[0].ask == "plan 13b lora"
    assert ask("plan 13b finetune a40 hours=20").outcome.choices[0].ask == "plan hours=20 a40 13b lora"


@pytest.mark.parametrize("text", ["plan", "plan 4090", "plan 405b full"])
def test_what_cannot_be_planned_is_refused(text):
    with pytest.raises(EmptyQuestion):
        ask(text)


def test_a_diffusion_model_has_no_such_test():
    with pytest.raises(NotModelled):
        ask("plan sdxl")


def test_at_most_eighty_columns():
    for text in ("plan llama-3.1-8b ctx=8192 l4", "plan 13b qlora 4090 hours=20", "plan llama3.1:70b a40"):
        assert max(map(len, shown(text).splitlines())) <= 80

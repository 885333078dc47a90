import subprocess
import sys

from bot.grammar import known_words, nearest


def test_the_nearest_word_comes_first():
    assert nearest("lroa", ["full", "qlora", "lora"]) == ("lora", "qlora")
    assert nearest("qwen3-vl-235b", ["qwen3-32b", "qwen3-vl-235b-a22b"])[0] == "qwen3-vl-235b-a22b"


def test_nothing_near_is_no_suggestion():
    assert nearest("zzzzzz", ["lora", "full"]) == ()


def test_known_words_hold_every_kind_of_word():
    words = set(known_words())
    assert {"lora", "q4_k_m", "vllm", "ctx=", "llama-3.1-8b", "rtx 3090", "g5.12xlarge", "budget="} <= words


def test_a_question_that_is_understood_loads_nothing_for_suggestions():
    code = (
        "import sys; from bot.grammar import read;"
        "read('13b lora ctx=4k 2x3090'); read('can we run llama 3 70b on a 4090?', mention=True);"
        "print([name for name in sys.modules if 'rapidfuzz' in name])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"

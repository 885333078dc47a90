"""Questions without a model's name: asked back with models as they are described, or with typical sizes."""

import pytest

from bot.grammar import read
from engine.errors import ConflictingWords, UnknownModel
from engine.models import shape
from tests.bot.grammar.reading_lines import line, only


def models_of(text, *, mention=False):
    return [option.question.model for option in read(text, mention=mention).options]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("2x3090", ["7b 2xrtx-3090", "13b 2xrtx-3090", "34b 2xrtx-3090", "70b 2xrtx-3090"]),
        ("lora ctx=4k", ["7b lora ctx=4096", "13b lora ctx=4096", "34b lora ctx=4096", "70b lora ctx=4096"]),
    ],
)
def test_without_a_model_typical_sizes_are_offered(text, asks):
    options = read(text).options
    assert [option.ask for option in options] == asks
    assert all(read(option.ask).options[0].question.model == option.question.model for option in options)


def test_in_a_sentence_too():
    assert models_of("what is the biggest model I can run on a 4090?", mention=True) == ["7b", "13b", "34b", "70b"]


@pytest.mark.parametrize("text", ["can my 3080 run bloom", "is zephyrus good on a 4090"])
def test_a_word_that_nobody_knows_may_be_the_model(text):
    with pytest.raises(UnknownModel):
        read(text, mention=True)


def test_too_many_readings_ask_for_the_model():
    with pytest.raises(UnknownModel, match="names no model"):
        read("finetune a100")


@pytest.mark.parametrize(("text", "mention"), [("30b moe 4090", False), ("is a 30b MoE ok on a 4090?", True)])
def test_a_size_that_is_a_mixture_is_no_dense_one(text, mention):
    found = [shape(one) for one in models_of(text, mention=mention)]
    assert len(found) > 1
    assert all(one.is_mixture and abs(one.params_b / 30 - 1) <= 0.12 for one in found)


def test_a_number_of_experts_offers_the_newest_that_have_it():
    found = [shape(one) for one in models_of("256 experts 8xh200")]
    assert 1 < len(found) <= 6
    assert {one.num_experts for one in found} == {256}
    assert [one.release for one in found] == sorted((one.release for one in found), reverse=True)


def test_heads_and_experts_in_one_word():
    found = [shape(one) for one in models_of("moe with 64 heads/256 experts on 8 h200", mention=True)]
    assert found
    assert {(one.num_experts, one.num_attention_heads) for one in found} == {(256, 64)}


def test_what_is_true_of_a_named_model_changes_nothing():
    assert line("mixtral moe int4") == line("mixtral 8 experts int4") == line("mixtral int4")


@pytest.mark.parametrize("text", ["mixtral 256 experts", "llama-3-8b moe"])
def test_what_is_not_true_of_it_is_refused(text):
    with pytest.raises(ConflictingWords):
        read(text)


def test_a_description_of_no_model_names_none():
    with pytest.raises(UnknownModel) as caught:
        read("777 experts")
    assert caught.value.allowed == "the model by its name"


def test_several_models_of_a_sentence_are_a_choice():
    asked = read("full finetune of 7B and 13B, I have V100 32G", mention=True)
    assert [option.ask for option in asked.options] == ["full 7b v100-32", "full 13b v100-32"]


def test_typed_they_are_refused():
    with pytest.raises(ConflictingWords):
        read("7b 13b full")


def test_full_beside_a_shared_name_is_the_whole_model():
    question = read("deepseek r1 full on 8 h200, how many nodes?", mention=True).options[0].question
    assert question.workload == "infer"
    assert only("full fine tune of deepseek r1", mention=True).workload == "full"
    assert only("deepseek r1 full").workload == "full"
    assert only("13b full on an a40", mention=True).workload == "full"


@pytest.mark.parametrize(
    ("text", "words"),
    [("7b 128 frames", "128 frames"), ("qwen2.5-vl-7b 4 images ctx=8k", "4 images"), ("7b 24gb 64gb ram", "64gb ram")],
)
@pytest.mark.parametrize("mention", [False, True])
def test_what_is_not_counted_is_said(text, words, mention):
    ((given, why),) = only(text, mention=mention).noted
    assert given == words
    assert why.startswith("not counted")


def test_rag_is_inference_unless_it_is_tuned():
    assert only("mixtral 4bit rag").workload == "infer"
    assert only("13b qlora rag").workload == "qlora"


@pytest.mark.parametrize("text", ["70b int4 a40 enough?", "70b int4 a40 does it fit", "can a a40 do it 70b int4"])
def test_phrases_that_ask_for_the_verdict_change_nothing(text):
    assert line(text) == "70b weight_format=int4 1xa40"


@pytest.mark.parametrize("text", ["ollama run deepseek-r1 12gb", "deepseek-r1:latest 12gb"])
def test_ollamas_newest_of_a_shared_name_is_asked_back(text):
    """`ollama pull deepseek-r1` fetches a distill of 8B, not the 671B that the name means elsewhere."""
    options = read(text).options
    assert {"deepseek-r1", "r1-0528-qwen3-8b"} <= {option.question.model for option in options}
    assert all(read(option.ask).is_plain for option in options)


def test_a_model_of_its_own_name_is_not_asked_back():
    """Llama 4's two models share Ollama's tag and have names of their own."""
    assert only("llama-4-maverick ollama").model == "llama-4-maverick"
    assert read("deepseek-r1-distill-llama-70b 24gb").namesakes == ()


def test_an_int4_base_of_any_spelling_is_qloras():
    assert line("7b lora w4a16") == line("7b lora 4bit") == "7b workload=qlora"
    assert line("7b lora int4") == "7b workload=qlora weight_format=int4"

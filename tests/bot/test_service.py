"""The use cases end to end, with a log in memory: what people get, what the log gets."""

import json

import pytest

from bot.log.entry import Viewer
from bot.rendering import Renderer
from bot.reply import Request
from bot.service import Service
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog


def service(log=None, **changes):
    known = {
        "catalog": packaged_catalog(),
        "clock": FixedClock(),
        "new_id": CountedIds(),
        "renderer": Renderer("terminal"),
        "log": log or MemoryLog(),
        "surface": "terminal",
    }
    return Service(**(known | changes))


def request(text, **changes):
    known = {"platform": "terminal", "team": "local", "user": "ada", "user_name": "Ada", "event_key": text}
    return Request(text=text, **(known | changes))


def test_the_sample_question_gives_the_sample_card():
    reply = service().answer(request("13b lora ctx=4k"))
    assert (reply.kind, reply.audience, reply.exit_status) == ("answer", "channel", 0)
    assert reply.text.splitlines()[:2] == [
        "13B · LoRA · 4,096 tokens · batch 1",
        "Needs     35 GB  ███████████████░░░░░ of 48 GB",
    ]
    assert "A40 48 GB, $240 a month ($0.33 an hour), 13 GB to spare" in reply.parts["pick"]


def test_what_the_log_gets_of_an_answer():
    entry = service().answer(request("13b lora ctx=4k")).entry
    assert (entry.public_id, entry.event_key, entry.platform, entry.team) == (
        "id00000001",
        "13b lora ctx=4k",
        "terminal",
        "local",
    )
    assert (entry.user, entry.user_name, entry.visibility, entry.kind) == ("ada", "Ada", "public", "answer")
    assert (entry.model, entry.workload, entry.gpu, entry.count, entry.verdict) == ("13b", "lora", "a40", 1, "fits")
    assert entry.need_gb == pytest.approx(34.8, abs=0.05)
    assert entry.usd_month == 240
    assert entry.milliseconds == pytest.approx(2.0)
    assert json.loads(entry.outcome_json)["schema"] == 1
    assert json.loads(entry.question_json)["context_tokens"] == 4096


def test_a_wrong_word_is_refused_to_the_asker_and_logged():
    reply = service().answer(request("13b lroa"))
    assert (reply.kind, reply.audience, reply.exit_status) == ("refusal", "asker", 2)
    assert "lora" in reply.parts["problem"]
    assert reply.entry.kind == "refusal"
    assert reply.entry.text == "13b lroa"
    assert reply.entry.question_json is None


def test_finetune_alone_asks_back_with_the_need_of_each():
    reply = service().answer(request("13b finetune"))
    assert (reply.kind, reply.audience, reply.exit_status) == ("choice", "asker", 3)
    needs = {choice.label: round(choice.need_gb) for choice in reply.outcome.choices}
    assert sorted(needs.values()) == [14, 33, 239]  # sizing guide, look-up table: QLoRA, LoRA, full tuning of 13B
    assert [action.code for action in reply.actions] == ["choose"] * 3
    assert reply.entry.kind == "choice"


def test_each_reading_of_a_choice_can_be_asked_as_it_stands():
    asked = service()
    for choice in asked.answer(request("13b finetune")).outcome.choices:
        answer = asked.answer(request(choice.ask)).outcome
        assert answer.need.total_gb == pytest.approx(choice.need_gb)


def test_readings_that_agree_are_answered_together():
    reply = service().answer(request("13b int4 on a100"))
    assert reply.kind == "answer"
    assert [(v.capacity_gb, v.verdict) for v in reply.outcome.verdicts] == [(40.0, "fits"), (80.0, "fits")]


def test_readings_that_differ_are_asked_back():
    reply = service().answer(request("34b bf16 on a100"))  # 72 GB: on 80 GB, not on 40
    assert reply.kind == "choice"
    assert len(reply.outcome.choices) == 2


def test_where_a_shared_name_is_too_big_the_others_of_it_are_named():
    """DeepSeek-R1 takes 671 GB at FP8; of its distills 8 x 24 GB hold the one of 70B in bf16 (141 GB of weights)."""
    reply = service().answer(request("deepseek r1 8x4090"))
    assert [verdict.verdict for verdict in reply.outcome.verdicts] == ["no"]
    assert [choice.label for choice in reply.outcome.choices][:2] == ["r1-distill-llama-70b", "r1-distill-qwen-32b"]
    assert "Smaller   r1-distill-llama-70b 146 GB" in reply.text
    again = service().answer(request(reply.outcome.choices[0].ask)).outcome
    assert again.verdicts[0].verdict != "no"


@pytest.mark.parametrize("text", ["deepseek-r1:671b 8x4090", "deepseek r1 8xh200", "mixtral 8x4090"])
def test_nor_where_the_size_is_said_or_it_fits(text):
    assert service().answer(request(text)).outcome.choices == ()


def test_without_a_model_gpus_are_asked_back_with_what_they_hold():
    """Sizing guide: 7B 17 GB, 13B 35, 34B 72, 70B 145 at bf16."""
    reply = service().answer(request("2x3090"))
    assert reply.kind == "choice"
    assert [(round(one.need_gb), one.verdict) for one in reply.outcome.choices] == [
        (17, "fits"),
        (35, "fits"),
        (72, "no"),
        (145, "no"),
    ]


def test_private_questions_are_the_askers_alone():
    reply = service().answer(request("13b lora private"))
    assert reply.audience == "asker"
    assert reply.entry.visibility == "asker"
    assert "share" in [action.code for action in reply.actions]


def test_a_deployment_may_keep_every_answer_to_the_asker():
    reply = service(answers_to="asker").answer(request("13b lora"))
    assert reply.audience == "asker"
    assert reply.entry.visibility == "public"


def test_actions_of_an_answer():
    reply = service().answer(request("70b bf16 on 24gb"))
    assert reply.actions[0].code == "arithmetic"
    assert all(action.target == "id00000001" for action in reply.actions)
    assert 1 <= sum(action.code == "what-if" for action in reply.actions) <= 3


def test_arithmetic_shows_every_term_in_gb_and_gib():
    parts = service().answer(request("70b fp8 ctx=32k", arithmetic=True)).parts
    assert "70.00 GB     65.19 GiB" in parts["arithmetic"]  # 70e9 / 2**30


@pytest.mark.parametrize(
    "text", ["\x00", "\ud800 13b", "13b \x1b[31m", "💥" * 400, "=", "ctx=", "13b ctx=" + "9" * 400, "﷽"]
)
def test_odd_texts_are_answered_or_refused_and_can_be_stored(text):
    entry = service().answer(request(text)).entry
    entry.text.encode("utf-8")
    entry.outcome_json.encode("utf-8")
    assert "\x00" not in entry.text
    assert len(entry.text) <= 500


def test_config_stands_in_for_the_model():
    config = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "max_position_embeddings": 131072,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
    }
    reply = service().answer(request("bf16 ctx=8k", config=json.dumps(config), config_name="mine"))
    assert reply.kind == "answer", reply.text
    assert reply.outcome.question.params_b == pytest.approx(8.03, abs=0.005)  # Llama 3.1 8B, as published
    assert reply.outcome.kv.bytes_per_token == 131072  # 2 x 32 x 8 x 128 x 2 bytes


@pytest.mark.parametrize("config", ["", "[]", "{", '{"architectures": ["SomethingElse"]}', '{"model_type": 5}'])
def test_a_config_that_is_none_is_refused(config):
    reply = service().answer(request("lora", config=config, config_name="mine"))
    assert reply.kind == "refusal"


async def test_record_gives_the_number():
    log = MemoryLog()
    asked = service(log)
    recorded = await asked.record(asked.answer(request("13b lora")))
    assert (recorded.number, recorded.text) == (1, "Logged    #1")
    assert log.rows[0].text == "13b lora"


async def test_a_log_that_is_away_costs_no_answer():
    asked = service(MemoryLog(away="the database does not answer"))
    recorded = await asked.record(asked.answer(request("13b lora")))
    assert (recorded.number, recorded.text) == (None, "Logged    not yet: the database does not answer")


async def test_log_lists_and_show_prints_the_card_again():
    asked = service()
    for text in ("13b lora ctx=4k", "13b lroa", "13b finetune"):
        await asked.record(asked.answer(request(text)))
    listed = await asked.handle(request("log"))
    assert (listed.kind, listed.exit_status, listed.entry) == ("list", 0, None)
    assert [row["id"] for row in listed.rows] == [3, 2, 1]
    assert "35 GB · A40 $240" in listed.parts["rows"]
    assert "refused" in listed.parts["rows"]
    assert [action.target for action in listed.actions if action.code == "show"] == [
        "id00000003",
        "id00000002",
        "id00000001",
    ]
    shown = await asked.handle(request("show 1"))
    assert (shown.kind, shown.exit_status) == ("done", 0)
    assert shown.outcome.log.id == 1
    assert shown.parts["need"] == asked.answer(request("13b lora ctx=4k")).parts["need"]
    for number in (2, 3):
        assert (await asked.handle(request(f"show {number}"))).exit_status == 0


async def test_show_says_when_there_is_no_such_query_and_when_it_is_called_wrongly():
    asked = service()
    assert (await asked.handle(request("show 99"))).outcome.problem.code == "no-such-query"
    assert (await asked.handle(request("show 99 now"))).outcome.problem.code == "unknown-word"


async def test_pages_follow_each_other():
    asked = service(page_rows=2)
    for size in (7, 13, 34):
        await asked.record(asked.answer(request(f"{size}b")))
    first = await asked.handle(request("log"))
    older = first.actions[-1]
    assert older.code == "next"
    viewer = Viewer(team="local", user="ada")
    assert [row["id"] for row in (await asked.log(viewer, "", older.argument)).rows] == [1]


async def test_words_behind_log_are_filters():
    log = MemoryLog()
    await service(log).handle(request("log 13b lora"))
    assert log.filters[0].words == ("13b", "lora")


async def test_a_log_that_cannot_be_read_is_said():
    reply = await service(MemoryLog(away="the database does not answer")).handle(request("log"))
    assert (reply.kind, reply.exit_status) == ("failed", 1)
    assert "the database does not answer" in reply.text


async def test_help_needs_no_log_and_is_not_logged():
    asked = service()
    assert not asked.reads_log("help")
    assert asked.reads_log("show 17")
    assert not asked.reads_log("show 70b")
    reply = await asked.handle(request("help"))
    assert (reply.kind, reply.audience, reply.entry) == ("list", "asker", None)


@pytest.mark.parametrize(
    ("text", "do"),
    [
        ("show abc", "Allowed: show N, as in show 17."),
        ("help foo", "Allowed: help alone."),
        ("accuracy vllm", "Allowed: accuracy alone."),
    ],
)
def test_a_command_in_another_form_is_refused_with_its_form_and_not_logged(text, do):
    reply = service().answer(request(text))
    assert (reply.kind, reply.entry) == ("refusal", None)
    assert " ".join(reply.text.split()).endswith(do)


@pytest.mark.parametrize(
    ("text", "changes"),
    [("serve 70b", {}), ("show me what a 13b needs", {"mention": True}), ("help 13b", {"mention": 1})],
)
def test_a_question_may_begin_with_the_word_of_a_command(text, changes):
    assert service().answer(request(text, **changes)).entry is not None


CONFIG = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
}


def with_config(text, config=None, name="own"):
    held = config if isinstance(config, str) else json.dumps(CONFIG | (config or {}))
    return service().answer(request(text, config=held, config_name=name))


@pytest.mark.parametrize("text", ["ctx=4k", "finetune", "ctx=0", "lroa"])
def test_the_log_keeps_the_model_of_a_config(text):
    reply = with_config(text)
    assert reply.entry.text == f"own {text}"
    assert json.loads(reply.entry.outcome_json).get("text", reply.entry.text) == f"own {text}"


def test_the_question_of_a_config_carries_its_shape():
    asked = json.loads(with_config("ctx=4k").entry.question_json)
    assert (asked["model"], asked["text"]) == ("own", "own ctx=4k")
    # 32 layers x (4096 x (4096 + 2 x 1024 + 4096) + 3 x 4096 x 14336 + 2 x 4096) + 2 x 128256 x 4096 + 4096
    assert asked["shape"]["params_total"] == pytest.approx(8_030_261_248, rel=1e-4)


@pytest.mark.parametrize("text", ["mistral-7b", "7b", "llama-3.1-8b lora", "qwen2.5:7b"])
def test_another_model_beside_a_config_is_refused(text):
    reply = with_config(text)
    assert reply.kind == "refusal"
    assert '"own, ' in reply.text
    assert "different models" in reply.text


def test_a_config_of_a_trillion_weights_is_sized():
    # 1,000 layers x 3 x 16384 x 65536 = 3.2e12 weights of MLPs alone: 6,442 GB in 16 bit
    wide = {"num_hidden_layers": 1000, "hidden_size": 16384, "intermediate_size": 65536}
    reply = with_config("", wide)
    assert reply.kind == "answer"
    assert reply.outcome.need.total_gb > 6442


def test_a_config_of_a_toy_is_sized():
    tiny = dict.fromkeys(("hidden_size", "intermediate_size", "vocab_size"), 64) | {"num_hidden_layers": 1}
    assert with_config("", tiny).kind == "answer"


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("", "no JSON object"),
        ("[]", "no JSON object"),
        ("\x00\x01", "no JSON object"),
    ],
)
def test_what_is_no_config_is_refused(config, reason):
    reply = with_config("", config)
    assert reply.kind == "refusal"
    assert reason in " ".join(reply.text.split())


@pytest.mark.parametrize(
    ("name", "head"), [("13b", "config-13b ·"), ("8x7b", "config-8x7b ·"), ("", "model ·"), ("my model", "my-model ·")]
)
def test_a_config_is_called_by_its_folder_but_by_no_size(name, head):
    assert with_config("", name=name).text.startswith(head)

"""Every form that the language of questions lists."""

from decimal import Decimal

import pytest

from bot.grammar import read
from engine.question import GpuSet
from tests.bot.grammar.reading_lines import line


def only(text, *, mention=False):
    reading = read(text, mention=mention)
    assert reading.is_plain, [option.ask for option in reading.options]
    return reading.options[0].question


@pytest.mark.parametrize(
    ("text", "params_b"),
    [
        ("13b", 13),
        ("0.5b", 0.5),
        ("1.5B", 1.5),
        ("70B", 70),
        ("70 b", 70),
        ("13 billion", 13),
        ("7B-Instruct", 7),
        ("8b chat", 8),
        ("24b", 24),
        ("405b", 405),
    ],
)
def test_a_bare_size_is_as_typed(text, params_b):
    question = only(text)
    assert (question.params_b, question.model) == (params_b, f"{params_b:g}b")


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("8x7b", "mixtral-8x7b"),
        ("30b-a3b", "qwen3-30b-a3b"),
        ("671b", "deepseek-v3"),
        ("1t", "kimi-k2"),
        ("8x22b", "mixtral-8x22b"),
        ("235b-a22b", "qwen3-235b-a22b"),
        ("llama-3.1-8b", "llama-3.1-8b"),
        ("llama3.1:70b", "llama-3.1-70b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("mixtral", "mixtral-8x7b"),
        ("r1 32b", "r1-distill-qwen-32b"),
        ("llama 3 70b", "llama-3-70b"),
        ("qwen2.5 32B instruct", "qwen2.5-32b"),
        ("llama3.1:70b-instruct-q4_K_M", "llama-3.1-70b"),
        ("deepseek-v3 671b", "deepseek-v3"),
        ("phi4 14b", "phi-4"),
        ("e4b gemma 3n", "gemma-3n-e4b"),
        ("qwen1.5_7b", "qwen1.5-7b"),
        ("qwen1.5-moe-a2.7b", "qwen1.5-moe-a2.7b"),
        ("qwen2.5-vl-72b-awq", "qwen2.5-vl-72b"),
        ("qwen3-vl-235b", "qwen3-vl-235b-a22b"),
        ("scout 17b-16e", "llama-4-scout"),
        ("the 120b oss", "gpt-oss-120b"),
        ("v3 fp8", "deepseek-v3"),
        ("grok", "grok-1"),
        ("alpaca 7b", "llama-1-7b"),
        ("model=llama-3.1-8b", "llama-3.1-8b"),
    ],
)
def test_names_as_people_write_them(text, model):
    assert only(text).model == model


def test_an_ollama_tag_is_remembered_and_its_format_taken():
    tagged = only("llama3.1:70b-instruct-q4_K_M")
    assert (tagged.ollama_tag, tagged.weight_format) == (True, "q4_k_m")
    assert not only("llama 3.1 70b").ollama_tag


@pytest.mark.parametrize(
    ("words", "workload"),
    [
        *((word, "infer") for word in ("infer", "serve", "run", "host", "deploy", "inference")),
        *((word, "lora") for word in ("lora", "peft", "adapter", "lora finetune", "fine tune lora", "sft lora")),
        *((word, "qlora") for word in ("qlora", "4bit lora", "lora 4bit", "qlora fine-tune", "nf4 lora", "peft qlora")),
        *((f"full{tail}", "full") for tail in ("", " ft", " finetune", " fine-tune", " fine tune", "-ft")),
        ("fft", "full"),
        ("full param fine tuning", "full"),
        ("train full", "full"),
    ],
)
def test_words_of_a_workload(words, workload):
    assert only(f"13b {words}").workload == workload


@pytest.mark.parametrize("word", ["finetune", "fine tune", "fine-tune", "ft", "train", "sft", "微调"])
def test_tuning_alone_is_asked_back(word):
    reading = read(f"13b {word} ctx=4k")
    assert reading.about == "workload"
    assert [(one.label, one.ask) for one in reading.options] == [
        ("LoRA", "13b lora ctx=4096"),
        ("QLoRA", "13b qlora ctx=4096"),
        ("full tuning", "13b full ctx=4096"),
    ]


@pytest.mark.parametrize(
    ("words", "weight_format"),
    [
        ("bf16", "bf16"),
        ("fp16", "fp16"),
        ("half", "fp16"),
        ("16bit", "bf16"),
        ("fp32", "fp32"),
        ("fp8", "fp8"),
        ("int8", "int8"),
        ("8bit", "int8"),
        ("8-bit", "int8"),
        ("8 bit", "int8"),
        ("load_in_8bit", "int8"),
        ("int4", "int4"),
        ("4bit", "int4"),
        ("4-bit", "int4"),
        ("4 bit", "int4"),
        ("awq", "awq"),
        ("gptq", "gptq"),
        ("nf4", "nf4"),
        ("nf4-dq", "nf4-dq"),
        ("q4_K_M", "q4_k_m"),
        ("q4km", "q4_k_m"),
        ("q4", "q4_k_m"),
        ("q8", "q8_0"),
        ("iq4_xs", "iq4_xs"),
        ("mxfp4", "mxfp4"),
        ("gptq 4bit", "gptq"),
        ("4bit gptq", "gptq"),
        ("bnb 4bit", "nf4"),
        ("bnb 8bit", "int8"),
        ("int4 awq", "awq"),
        ("int4_awq", "awq"),
        ("gptq int8", "gptq-int8"),
        ("gguf q4_k_m", "q4_k_m"),
        ("q4 q4_0", "q4_0"),
        ("8bit fp8", "fp8"),
        ("16bit fp16", "fp16"),
        ("quantized awq", "awq"),
        ("quant=awq", "awq"),
    ],
)
def test_words_of_a_weight_format(words, weight_format):
    assert only(f"13b {words}").weight_format == weight_format


def test_lora_keeps_its_base_in_a_named_format():
    assert line("13b 8bit lora") == "13b workload=lora weight_format=int8"
    assert line("13b 4bit lora") == "13b workload=qlora"
    assert line("13b qlora 4bit") == "13b workload=qlora"
    assert line("13b qlora gptq") == "13b workload=qlora weight_format=gptq"


@pytest.mark.parametrize(
    ("words", "kv_format"),
    [
        ("kv=fp8", "fp8"),
        ("kv=q8_0", "q8_0"),
        ("kv q8", "q8_0"),
        ("kv=bf16", "fp16"),
        ("kv=8bit", "fp8"),
        ("q8 kv", "q8_0"),
        ("8bit cache", "fp8"),
        ("kv_cache_dtype=fp8", "fp8"),
        ("kv cache q4_0", "q4_0"),
        ("4bit kv cache", "q4_0"),
        ("cache-type-k=q8_0", "q8_0"),
    ],
)
def test_words_of_a_kv_format(words, kv_format):
    question = only(f"13b {words}")
    assert (question.kv_format, question.weight_format) == (kv_format, None)


@pytest.mark.parametrize(
    ("words", "context_tokens"),
    [
        ("ctx=4k", 4 * 1024),
        ("ctx=131072", 131_072),
        ("32k", 32 * 1024),
        ("128K", 128 * 1024),
        ("1M", 1024 * 1024),
        ("seq=2048", 2048),
        ("seq 512", 512),
        ("ctx 4096", 4096),
        ("in=2048 out=512", 2560),
        ("in 2048 out 512", 2560),
        ("ctx = 4k", 4096),
        ("ctx: 4k".replace(": ", ":"), 4096),
        ("--ctx=4k", 4096),
        ("4k ctx", 4096),
        ("128k context", 131_072),
        ("16k seq", 16_384),
        ("8192 tokens", 8192),
        ("4096", 4096),
        ("131,072 tokens", 131_072),
        ("max_model_len=8192", 8192),
        ("num_ctx 128K", 131_072),
        ("context of 8k", 8192),
        ("max len 20000", 20_000),
        ("10M ctx", 10 * 1024 * 1024),
        ("ctx=1.5k", 1536),
        ("ctx=1e5", 100_000),
        ("ctx8k", 8192),
        ("4k 4096", 4096),
    ],
)
def test_forms_of_a_context(words, context_tokens):
    assert only(f"7b {words}").context_tokens == context_tokens


def test_a_prompt_is_remembered():
    question = only("7b in=2048 out=512")
    assert (question.prompt_tokens, question.context_tokens) == (2048, 2560)
    assert only("7b ctx=8k in=4k").prompt_tokens == 4096


@pytest.mark.parametrize(
    ("words", "batch", "users"),
    [
        ("batch=32", 32, None),
        ("bs=4", 4, None),
        ("batch 4", 4, None),
        ("batch size 4", 4, None),
        ("batch of 16", 16, None),
        ("mbs=2", 2, None),
        ("bs32", 32, None),
        ("users=50", None, 50),
        ("concurrent=20", None, 20),
        ("1000 users", None, 1000),
        ("1,000 users", None, 1000),
        ("20 concurrent", None, 20),
        ("15 concurrent users", None, 15),
        ("100 requests", None, 100),
        ("100 users 2k ctx", None, 100),
        ("8k users 20", None, 20),
        ("8k batch 4", 4, None),
        ("4090 users 20", None, 20),
    ],
)
def test_forms_of_a_load(words, batch, users):
    question = only(f"7b {words}")
    assert (question.batch, question.users) == (batch, users)


@pytest.mark.parametrize(
    ("words", "gpu", "count"),
    [
        ("2x3090", "rtx-3090", 2),
        ("2 x 3090", "rtx-3090", 2),
        ("2× 3090", "rtx-3090", 2),
        ("2*3090", "rtx-3090", 2),
        ("3090x2", "rtx-3090", 2),
        ("3090 x2", "rtx-3090", 2),
        ("4 4090s", "rtx-4090", 4),
        ("4x RTX 4090", "rtx-4090", 4),
        ("two 4090s", "rtx-4090", 2),
        ("a100-40gb x4", "a100-40-pcie", 4),
        ("on h100 nvl", "h100-nvl-94", 1),
        ("8xA100-80", "a100-80-pcie", 8),
        ("8xA100 80g", "a100-80-pcie", 8),
        ("eight 80g a100s", "a100-80-pcie", 8),
        ("a100 80gb pcie", "a100-80-pcie", 1),
        ("24gb", "24gb", 1),
        ("24 gb", "24gb", 1),
        ("24 gigs", "24gb", 1),
        ("80g", "80gb", 1),
        ("2x24gb", "24gb", 2),
        ("2x24", "24gb", 2),
        ("two 24gb cards", "24gb", 2),
        ("rtx 4060 ti 16gb", "rtx-4060-ti-16", 1),
        ("8gb 4060 ti", "rtx-4060-ti-8", 1),
        ("24 gig 3090ti", "rtx-3090-ti", 1),
        ("dual 3090", "rtx-3090", 2),
        ("pair of 3090s", "rtx-3090", 2),
        ("a pair of 3090s", "rtx-3090", 2),
        ("a single 4090", "rtx-4090", 1),
        ("six T4s", "t4", 6),
        ("NVIDIA GeForce RTX 3090", "rtx-3090", 1),
        ("7900 xtx", "rx-7900-xtx", 1),
        ("7900xtx", "rx-7900-xtx", 1),
        ("8xmi300x", "mi300x-192", 8),
        ("rtx pro 5000", "rtx-pro-5000-48", 1),
        ("6000 ada", "rtx-6000-ada", 1),
        ("a6000", "rtx-a6000", 1),
        ("l40s", "l40s", 1),
        ("two sparks", "dgx-spark-128", 2),
        ("m3 max", "m3-max-128", 1),
        ("g5.12xlarge", "a10g", 4),
        ("p4d.24xlarge", "a100-40-sxm", 8),
        ("a2-highgpu-1g", "a100-40-sxm", 1),
        ("2x g5.12xlarge", "a10g", 8),
        ("t4 15gb", "t4", 1),
        ("gpu=3090", "rtx-3090", 1),
        ("@ 4090", "rtx-4090", 1),
        ("a100:80", "a100-80-pcie", 1),
        ("2 nodes of 8xh200", "h200-sxm-141", 16),
        ("two 8xh200 nodes", "h200-sxm-141", 16),
        ("8xh200 nodes", "h200-sxm-141", 8),
        ("two h200 nodes 16 gpus", "h200-sxm-141", 16),
        ("gpus=2x3090", "rtx-3090", 2),
        ("h100 mig 1g.20gb", "20gb", 1),
        ("3g.40gb", "40gb", 1),
    ],
)
def test_forms_of_a_set(words, gpu, count):
    assert only(f"13b {words}").sets == (GpuSet(gpu=gpu, count=count),)


def test_a_gpu_keeps_its_count_when_it_is_said_apart():
    assert only("13b t4 8 gpus").sets == (GpuSet(gpu="t4", count=8),)


def test_several_sets_are_alternatives_and_the_same_one_counts_once():
    sets = only("13b 2x3090 or 4090 vs 24gb 2x3090").sets
    assert [(one.gpu, one.count) for one in sets] == [("rtx-3090", 2), ("rtx-4090", 1), ("24gb", 1)]
    assert [one.gpu for one in only("7b a100 40 or 80").sets] == ["a100-40-pcie", "a100-80-pcie"]


def test_memory_of_the_host_is_no_gpu():
    assert [one.gpu for one in only("r1 32b 8x4090 256g ram").sets] == ["rtx-4090"]


@pytest.mark.parametrize(
    ("words", "usd_month", "usd_hour"),
    [
        ("budget=500/mo", "500", None),
        ("budget=$500/mo", "500", None),
        ("$500/mo", "500", None),
        ("under 2/hr", None, "2"),
        ("under $2/hr", None, "2"),
        ("under $2.50/h", None, "2.5"),
        ("budget 500/month", "500", None),
        ("less than 3 dollars an hour", None, "3"),
        ("under 500 bucks a month", "500", None),
        ("budget=1.5k/mo", "1500", None),
        ("at most 2 usd per hour", None, "2"),
    ],
)
def test_forms_of_a_budget(words, usd_month, usd_hour):
    limits = only(f"7b {words}").limits
    assert limits.usd_month == (Decimal(usd_month) if usd_month else None)
    assert limits.usd_hour == (Decimal(usd_hour) if usd_hour else None)


def test_other_limits_and_manners():
    assert only("7b cuda").limits.cuda
    assert only("7b max-gpus=2").limits.max_gpus == 2
    assert only("7b gpus<=2").limits.max_gpus == 2
    assert only("7b max 2 gpus").limits.max_gpus == 2
    assert only("7b provider=runpod").limits.provider == "runpod"
    assert only("7b private").private
    assert only("7b lora 16 hours").limits.term_hours == Decimal(16)
    assert only("7b lora term=3d").limits.term_hours == Decimal(72)
    assert only("7b lora 16 hours").asked_hours
    assert only("7b lora hours/cost").asked_hours
    assert not only("7b lora cost").asked_hours


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rank=64", "rank=64"),
        ("rank 64", "rank=64"),
        ("r=8", "rank=8"),
        ("ckpt=off", "checkpointing=off"),
        ("ckpt=selective", "checkpointing=selective"),
        ("ckpt=alternate", "checkpointing=alternate"),
        ("ckpt=offload", "checkpointing=offload"),
        ("nocheckpoint", "checkpointing=off"),
        *((f"optim={word}", f"optimizer={word}") for word in
          ("adam", "adam-fp32", "adam-bf16", "adam8bit", "adam4bit", "paged8bit", "inbackward", "inbackward8bit")),
        ("8bit adam", "optimizer=adam8bit"),
        *((f"loss={word}", f"loss={word}") for word in ("plain", "fused", "bf16", "chunked", "linear-chunked")),
        ("zero=3", "zero_stage=3"),
        ("offload=cpu", "offload_cpu=True"),
        ("targets=all", "targets=all"),
        ("targets=attn", "targets=attn"),
        ("targets=qv", "targets=qv"),
        ("targets=q,v", "targets=qv"),
        ("prep=off", "kbit_preparation=False"),
        ("compile=on", "compile=True"),
        ("embed=train", "train_embeddings=True"),
        ("engine=hf", "engine=hf"),
        ("shards=8", "shards=8"),
    ],
)  # fmt: skip
def test_words_of_tuning(words, said):
    assert line(f"7b lora {words}") == f"7b workload=lora {said}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *((word, f"engine={word}") for word in
          ("guide", "transformers", "vllm", "llama.cpp", "ollama", "hf", "torchtune", "fsdp", "zero3", "unsloth")),
        *((f"engine={word}", "engine=hf") for word in ("peft", "trl", "axolotl")),
        ("axolotl", "engine=hf"),
        ("util=0.9", "util=0.9"),
        ("util=90%", "util=0.9"),
        ("gpu_memory_utilization=0.9", "util=0.9"),
        ("seqs=256", "seqs=256"),
        ("slots=4", "slots=4"),
        ("ubatch=512", "ubatch=512"),
        ("fa=off", "flash_attention=False"),
        ("attn=eager", "eager_attention=True"),
        ("logits=full", "full_logits=True"),
        ("cache=growing", "growing_cache=True"),
        ("tp=2", "tensor_parallel=2"),
        ("tp8", "tensor_parallel=8"),
        ("tensor parallel over 8", "tensor_parallel=8"),
    ],
)  # fmt: skip
def test_words_of_an_engine(words, said):
    assert line(f"7b {words}").removeprefix("7b ") == said


def test_peft_beside_an_adapter_names_the_engine():
    assert line("7b peft") == "7b workload=lora"
    assert line("7b qlora peft") == "7b workload=qlora engine=hf"


ASKED_ANYWAY = (
    "min,vram,memory,mem,size,gpu,gpus,card,cards,count,nodes,load,speed,tok/s,ms/token,cost,how many,how much"
)


@pytest.mark.parametrize("words", ASKED_ANYWAY.split(","))
def test_what_the_card_shows_anyway_changes_nothing(words):
    assert line(f"70b int4 4090 {words}") == line(f"{words} 70b int4 4090") == line("70b int4 4090")


def test_pasted_fields_make_a_shape():
    question = only("layers=80 kv=8 hd=128 params=70b int4 kv=fp8")
    assert question.shape is not None
    # 2 (keys and values) x 80 layers x 8 KV heads x 128
    assert question.shape.kv_values_per_token == 163_840
    assert (question.shape.params_total, question.kv_format, question.weight_format) == (70 * 10**9, "fp8", "int4")
    assert only("70b layers=80 kv=8 hd=128").shape == only("layers=80 kv=8 hd=128 params=70b").shape


def test_order_and_case_do_not_matter():
    words = ["70b", "int4", "ctx=32k", "kv=fp8", "2x3090", "users=4"]
    forward, backward = only(" ".join(words)), only(" ".join(reversed(words)).upper())
    assert forward.model_copy(update={"text": ""}) == backward.model_copy(update={"text": ""})


def test_the_question_keeps_its_text_in_the_words_of_the_grammar():
    assert only("13b  LoRA\u00a0ctx=4k").text == "13b LoRA ctx=4k"
    assert only("could we run a 13b lora with 4k ctx, please?", mention=True).text == "13b lora ctx=4096"


@pytest.mark.parametrize(
    "text", ["llama-3.1-8b hf qlora ctx=8192", "llama-3.1-8b qlora ctx=8192 hf", "hf qlora llama 3.1 8b ctx=8192"]
)
def test_an_engine_behind_a_name_is_no_part_of_it(text):
    assert read(text).options[0].question.engine == "hf"


def test_a_repository_that_ends_in_hf_is_a_name():
    question = read("meta-llama/Llama-2-13b-hf").options[0].question
    assert (question.model, question.engine) == ("llama-2-13b", None)

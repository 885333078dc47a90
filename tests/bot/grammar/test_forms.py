"""Every form that the language of questions lists."""

import pytest

from bot.grammar import read
from tests.bot.grammar.reading_lines import line, only


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

"""What is done with the model, and in which weight format: the two are read together, for `4bit lora` is QLoRA."""

from typing import Final, cast

from bot.grammar.draft import Axis, Choice, Draft
from bot.grammar.format_words import QLORA_BASES, FormatWord, agreed
from bot.grammar.words import WORKLOAD_LABELS
from engine.errors import ConflictingWords
from engine.values import WORKLOADS, Workload

_NO_QLORA_BASE: Final = frozenset({"fp32", "bf16", "fp16", "fp8", "int8", "gptq-int8"})
_SIXTEEN_BIT_AND_MORE: Final = frozenset({"fp32", "bf16", "fp16"})
_ADAPTERS: Final[frozenset[Workload]] = frozenset({"lora", "qlora"})


def settle_workload(draft: Draft, *, or_whole_model: bool) -> Axis:
    """Every workload that the question may mean, none where it says nothing of it. Settles the weight format.

    Args:
        draft: the question.
        or_whole_model: `full` alone says which model of a shared name is meant: `the full deepseek r1`.

    Raises:
        ConflictingWords: words of different workloads, or of different formats.
        ImpossibleValue: words that leave the format open.
    """
    pieces = draft.of("workload")
    meant = frozenset(WORKLOADS) if pieces else frozenset[Workload]()
    for piece in pieces:
        meant &= cast("frozenset[Workload]", piece.value)
    if pieces and not meant:
        given = " ".join(dict.fromkeys(piece.given for piece in pieces))
        raise ConflictingWords(given, allowed="infer, lora, qlora or full", reason="these are different workloads")
    said_by = draft.of("workload", "run")
    if draft.of("peft"):
        meant = _with_peft(draft, meant)
        if "engine" not in draft.fixed:
            said_by = [*said_by, *draft.of("peft")]
    if not meant and draft.of("run"):
        meant = frozenset({"infer"})
    if or_whole_model and [piece.given.lower() for piece in pieces] == ["full"]:
        meant = frozenset({"infer"})
    meant = _with_base(draft, meant)
    return Axis("workload", said_by, [Choice(WORKLOAD_LABELS[one], one, one) for one in WORKLOADS if one in meant])


def _with_peft(draft: Draft, meant: frozenset[Workload]) -> frozenset[Workload]:
    """`peft` alone is a LoRA; beside the word of an adapter it names the engine."""
    if not meant or len(meant) > 1:
        return frozenset({"lora"})
    if not meant <= _ADAPTERS:
        raise ConflictingWords("peft", allowed="lora or qlora", reason="peft trains adapters")
    draft.fixed["engine"] = "hf"
    draft.write(draft.of("peft"), "engine=hf")
    return meant


def _with_base(draft: Draft, meant: frozenset[Workload]) -> frozenset[Workload]:
    """LoRA on a 4-bit base is QLoRA; the base of QLoRA is 4-bit anyway."""
    weights = draft.of("weight")
    if not weights:
        return meant
    words = [cast("FormatWord", piece.value).word for piece in weights]
    weight_format = agreed(weights)
    is_qlora_base = all(word in QLORA_BASES for word in words)
    if len(meant) > 1:
        meant = _that_go_with(meant, weight_format, is_qlora_base=is_qlora_base)
    if meant == {"lora"} and is_qlora_base:
        meant = frozenset({"qlora"})
    if meant == {"qlora"} and weight_format == "int4" and "int4" not in words:
        weight_format = None
    if meant == {"qlora"} and weight_format in _NO_QLORA_BASE:
        given = weights[0].given
        raise ConflictingWords(
            f"qlora {given}", allowed=f"qlora, or lora {given}", reason="QLoRA keeps its base in 4 bit"
        )
    if weight_format:
        draft.fixed["weight_format"] = weight_format
    draft.write(weights, weight_format or "")
    return meant


def _that_go_with(meant: frozenset[Workload], weight_format: str | None, *, is_qlora_base: bool) -> frozenset[Workload]:
    """Of several workloads those that a base in this format leaves open."""
    if is_qlora_base:
        return frozenset({"qlora"})
    if weight_format in _SIXTEEN_BIT_AND_MORE:
        return meant - {"qlora"}
    return frozenset({"lora"}) if weight_format in _NO_QLORA_BASE else meant & _ADAPTERS

"""`models [words]`: the models known, or one with its shape."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.cards import Card, Line
from bot.commands import Called
from bot.grammar import nearest
from bot.reply import Reply, Request
from bot.tools import Tools
from bot.wording import gb, rounded
from engine.errors import UnknownModel
from engine.formats import weight_format
from engine.job import OLLAMA_FORMAT
from engine.kv_cache import kv_bytes, kv_bytes_per_token
from engine.models import find, names, search
from engine.shape import Shape
from engine.units import GB
from engine.weights import weight_bytes

MOST_ROWS: Final = 20
CACHE_BITS: Final = 16
SHOWN_TOKENS: Final = 8192
SHOWN_FORMATS: Final = ("bf16", "fp8", "awq", OLLAMA_FORMAT)
ATTENTION_WORDS: Final = {
    "mha": "multi-head attention",
    "gqa": "grouped-query attention",
    "mqa": "multi-query attention",
    "mla": "latent attention",
    "hybrid": "attention in some layers, linear or state-space in the others",
    "none": "no attention",
}


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model in a list."""

    id: str
    params: str
    active: str
    kv: str
    context: str
    format: str


@dataclass(frozen=True, slots=True)
class ModelsCard(Card):
    """A list of models."""

    template = "models"

    title: str
    rows: tuple[ModelRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class ModelCard(Card):
    """One model with its shape."""

    template = "model"

    title: str
    lines: tuple[Line, ...]


def models(tools: Tools, call: Called, _request: Request) -> Reply:
    """The models whose names hold the words; one alone with its shape.

    Raises:
        UnknownModel: no model has these words.
    """
    exact = find(call.words).shapes if call.words else ()
    found = exact or search(call.words)
    if not found:
        raise UnknownModel(call.words, near=nearest(call.words, names()))
    card = model_card(found[0]) if len(found) == 1 else models_card(found, call.words)
    return Reply("list", "asker", tools.renderer.parts(card), rows=tuple(map(_json, found)))


def models_card(found: tuple[Shape, ...], words: str) -> ModelsCard:
    """The first of a list, with how many are left."""
    left = len(found) - MOST_ROWS
    return ModelsCard(
        title=f"{len(found)} models" + (f" with {words}" if words else ""),
        rows=tuple(map(_row, found[:MOST_ROWS])),
        more=f"{left} more: add a word, such as models llama 70b." if left > 0 else "",
    )


def _row(shape: Shape) -> ModelRow:
    return ModelRow(
        id=shape.id,
        params=_billions(shape.params_total),
        active=_billions(shape.params_active) if shape.is_mixture else "",
        kv=_kv_a_token(shape),
        context=_tokens_k(shape.max_position_embeddings),
        format=shape.native_format,
    )


def _billions(params: int) -> str:
    return f"{rounded(params / 1e9, 1)}B"


def _kv_a_token(shape: Shape) -> str:
    return f"{rounded(kv_bytes_per_token(shape, CACHE_BITS) / 1e3)} kB" if shape.kv_all_layers_values_per_token else ""


def _tokens_k(tokens: int | None) -> str:
    return f"{tokens // 1024}k" if tokens else ""


def model_card(shape: Shape) -> ModelCard:
    """Everything known of one model."""
    return ModelCard(title=f"{shape.name} ({shape.id})", lines=tuple(_lines(shape)))


def _lines(shape: Shape) -> Iterator[Line]:
    active = f", {shape.params_active:,} read a token" if shape.is_mixture else ""
    yield Line("Weights", f"{shape.params_total:,} parameters{active}")
    sizes = (f"{name} {gb(_stored_gb(shape, name), 1)}" for name in _formats(shape))
    yield Line("", " · ".join(sizes))
    if shape.components:
        parts = (f"{name.replace('_', ' ')} {_billions(count)}" for name, count in shape.components)
        yield Line("Parts", " · ".join(parts))
    else:
        yield from _geometry(shape)
    yield Line("Released", ", ".join(filter(None, (shape.release, shape.native_format, shape.license, shape.hf_repo))))
    yield Line("Source", ", ".join(filter(None, (shape.source, shape.confidence.replace("_", " ")))))
    if shape.notes:
        yield Line("Notes", shape.notes)


def _formats(shape: Shape) -> tuple[str, ...]:
    formats = SHOWN_FORMATS if not shape.components else SHOWN_FORMATS[:2]
    return tuple(dict.fromkeys((shape.native_format, *formats)))


def _stored_gb(shape: Shape, name: str) -> float:
    return weight_bytes(shape, weight_format("awq" if name == "int4" else name), guide=False) / GB


def _geometry(shape: Shape) -> Iterator[Line]:
    tied = "tied" if shape.tie_word_embeddings else "untied"
    yield Line(
        "Shape",
        f"{shape.num_hidden_layers} layers × {shape.hidden_size:,} hidden, {shape.num_attention_heads} heads, "
        f"{shape.num_key_value_heads} KV heads × {shape.head_dim}, vocabulary {shape.vocab_size:,} {tied}",
    )
    if shape.is_mixture:
        shared = f" + {shape.shared_experts} shared" if shape.shared_experts else ""
        yield Line("Experts", f"{shape.num_experts}, {shape.experts_per_token}{shared} a token")
    cache = f"{ATTENTION_WORDS[shape.attention]}, {kv_bytes_per_token(shape, CACHE_BITS):,} B a token at fp16"
    if shape.sliding_window:
        window = shape.kv_window_values_per_token * 2
        cache += (
            f" + {window:,} B for the last {shape.sliding_window:,} tokens ({shape.sliding_layers} windowed layers)"
        )
    if shape.recurrent_state_bytes_per_seq:
        cache += f" + {rounded(shape.recurrent_state_bytes_per_seq / 1e6, 1)} MB of state a sequence"
    tokens = min(SHOWN_TOKENS, shape.max_position_embeddings or SHOWN_TOKENS)
    yield Line("KV cache", f"{cache}; {gb(kv_bytes(shape, tokens, 1, CACHE_BITS) / GB, 1)} at {tokens:,} tokens")
    if shape.max_position_embeddings:
        yield Line("Context", f"{shape.max_position_embeddings:,} tokens")
    if shape.vision_params:
        yield Line("Towers", f"{_billions(shape.vision_params)} for images or sound, kept in 16 bit")


def _json(shape: Shape) -> Mapping[str, object]:
    return shape.model_dump(mode="json", exclude={"structure"}) | {
        "kv_bytes_per_token": kv_bytes_per_token(shape, CACHE_BITS)
    }

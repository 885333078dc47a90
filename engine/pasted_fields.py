"""Pasted fields of a model that is not in the registry (`layers=80 kv=8 hd=128 params=70b`) as a Shape."""

from collections.abc import Mapping
from typing import Final

from engine.bare_sizes import LEAST_B, MOST_B
from engine.config_fields import Fields
from engine.errors import ImpossibleValue
from engine.shape import Shape

KNOWN: Final = ("layers", "kv", "hd", "params", "hidden", "heads", "vocab", "inter", "experts", "active")
"""Fields that can be pasted; the first four are needed."""


def shape_from_fields(fields: Mapping[str, float], name: str = "pasted") -> Shape:
    """The shape of pasted fields: `layers=80 kv=8 hd=128 params=70b`.

    Args:
        fields: layers, kv (KV heads), hd (head width) and params (count, or billions below 10,000) are needed; hidden,
            heads, vocab, inter, experts, active are taken where given.
        name: what to call the model.

    Raises:
        ImpossibleValue: a needed field is missing or none is a sane number.

    >>> shape_from_fields({"layers": 80, "kv": 8, "hd": 128, "params": 70}).kv_values_per_token
    163840
    """
    for given in fields:
        if given not in KNOWN:
            raise ImpossibleValue(given, allowed=", ".join(KNOWN), reason="no field of a model")
    whole = Fields(dict(fields), {}).whole
    layers, kv_heads, head_dim = whole("layers"), whole("kv"), whole("hd")
    if not layers or not kv_heads or not head_dim:
        raise ImpossibleValue("layers, kv or hd = 0", allowed="whole numbers above 0")
    heads = whole("heads", default=0)
    total = _count(fields, "params")
    values = 2 * layers * kv_heads * head_dim
    return Shape(
        id=name,
        name=name,
        params_total=total,
        params_active=_count(fields, "active") if "active" in fields else total,
        num_hidden_layers=layers,
        hidden_size=whole("hidden", default=heads * head_dim),
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        intermediate_size=whole("inter", default=0),
        vocab_size=whole("vocab", default=0),
        attention="mha" if kv_heads == heads else "gqa",
        full_attention_layers=layers,
        kv_values_per_token=values,
        kv_all_layers_values_per_token=values,
        num_experts=whole("experts", default=0),
        source="pasted fields",
    )


def _count(fields: Mapping[str, float], key: str) -> int:
    """Parameters, given as a count or in billions."""
    given = fields.get(key)
    if given is None:
        raise ImpossibleValue(key, reason=f"the fields have no {key}=", allowed="a size such as 70b")
    billions = given if given < 10_000 else given / 1e9
    if not LEAST_B <= billions <= MOST_B:
        raise ImpossibleValue(f"{key}={given:g}", allowed=f"{LEAST_B:g}b to {MOST_B:g}b")
    return round(billions * 1e9)

"""How the weights of a configuration were released: 16 bit, or quantised, whole or the experts alone."""

from collections.abc import Mapping
from typing import Final

from engine.config_fields import Fields
from engine.errors import NotModelled

_METHODS: Final = {"fp8": "fp8", "mxfp4": "mxfp4", "awq": "awq", "gptq": "gptq", "bitsandbytes": "nf4"}
_ALGORITHMS: Final = {"NVFP4": "nvfp4", "FP8": "fp8"}
_DTYPES: Final = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
_MXFP4_BITS: Final = 4.25
_MXFP4_GROUP: Final = 32
_SCALE_BITS: Final = 16


def released_as(config: Mapping[str, object], text: Mapping[str, object], *, is_mixture: bool) -> dict[str, object]:
    """The fields `native_format` and, where only experts are quantised, `native_expert_bits`.

    Args:
        config: the content of config.json.
        text: its part for the text model, or itself.
        is_mixture: the model has experts.

    Raises:
        NotModelled: it is quantised in a way that is not known here.
    """
    quantised = Fields(config, {}).part("quantization_config") or Fields(text, {}).part("quantization_config")
    if quantised is None:
        dtypes = [str(part.get(key)) for part in (text, config) for key in ("torch_dtype", "dtype")]
        return {"native_format": next((_DTYPES[dtype] for dtype in dtypes if dtype in _DTYPES), "bf16")}
    method = str(quantised.config.get("quant_method"))
    if method == "compressed-tensors":
        return _packed(quantised, is_mixture=is_mixture)
    algorithm = str(quantised.config.get("quant_algo"))
    name = _METHODS.get(method) or _ALGORITHMS.get(algorithm)
    if name is None:
        raise NotModelled(
            f"quant_method={method}"[:80],
            reason="what its weights take is not known here",
            allowed=f"{', '.join(_METHODS)} or compressed-tensors, or none and the format in words",
        )
    return {"native_format": name, "native_expert_bits": _MXFP4_BITS if name == "mxfp4" and is_mixture else 0.0}


def _packed(quantised: Fields, *, is_mixture: bool) -> dict[str, object]:
    """Of the compressed-tensors layout: bits and group of the first group of layers."""
    groups = quantised.part("config_groups")
    group = groups.part(*groups.config) if groups else None
    weights = group.part("weights") if group else None
    if weights is None:
        return {"native_format": "bf16"}
    bits, size = weights.whole("num_bits"), weights.whole("group_size", default=0)
    is_float = weights.config.get("type") == "float"
    if bits == 8:
        return {"native_format": "fp8" if is_float else "int8"}
    if is_float:
        is_mxfp4 = size == _MXFP4_GROUP
        return {
            "native_format": "mxfp4" if is_mxfp4 else "nvfp4",
            "native_expert_bits": _MXFP4_BITS if is_mxfp4 and is_mixture else 0.0,
        }
    ignored = " ".join(str(layer) for layer in quantised.items("ignore"))
    experts_alone = is_mixture and "attn" in ignored and size > 0
    return {"native_format": "int4", "native_expert_bits": bits + _SCALE_BITS / size if experts_alone else 0.0}

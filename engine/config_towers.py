"""Weights of a vision tower, counted from its own configuration as a plain transformer over patches."""

from typing import Final

from engine.config_fields import Fields

_GATED: Final = frozenset({"pixtral", "qwen2_5_vl"})
"""Towers whose MLP has three matrices. Source: their code in transformers 5.24."""


def tower_params(tower: Fields, hidden_size: int) -> int:
    """Weights of the tower and of a projector of two matrices onto the text width; 0 where the widths are not given.

    Args:
        tower: the field `vision_config`.
        hidden_size: width of the text model.
    """
    layers = tower.whole("num_hidden_layers", "depth", "num_layers", default=0)
    layers += tower.whole("num_global_layers", default=0)
    width = tower.whole("hidden_size", "embed_dim", default=0)
    if tower.config.get("model_type") in {"qwen2_vl", "qwen2_vl_vision"}:
        width = tower.whole("embed_dim", default=1280)
    if not layers or not width:
        return 0
    inner = tower.whole("intermediate_size", default=4 * width)
    matrices = 3 if tower.config.get("model_type") in _GATED else 2
    patch = tower.whole("patch_size", default=14)
    joined = width * tower.whole("spatial_merge_size", default=1) ** 2
    projectors = 1 + len(tower.items("deepstack_visual_indexes"))
    projector = projectors * (joined * joined + joined * hidden_size) if joined > width else width * hidden_size
    return layers * (4 * width * width + matrices * width * inner) + 3 * patch * patch * width + projector

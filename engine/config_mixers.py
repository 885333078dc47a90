"""The linear or state-space layers of a configuration."""

from engine.config_fields import Fields
from engine.shape import LinearMixer


def mixer_of(fields: Fields, hidden_size: int) -> LinearMixer | None:
    """The linear layers that these fields describe; None where they describe none."""
    kda = fields.part("linear_attn_config")
    if kda:
        head_dim = kda.whole("head_dim")
        return LinearMixer(
            kind="kda",
            heads=kda.whole("num_heads"),
            head_dim=head_dim,
            state_dim=head_dim,
            kernel=kda.whole("short_conv_kernel_size"),
            rank=head_dim,
            full_rank_gate=kda.flag("use_full_rank_gate"),
        )
    if "linear_num_value_heads" in fields.config:
        return LinearMixer(
            kind="deltanet",
            heads=fields.whole("linear_num_value_heads"),
            head_dim=fields.whole("linear_value_head_dim"),
            key_heads=fields.whole("linear_num_key_heads"),
            state_dim=fields.whole("linear_key_head_dim"),
            kernel=fields.whole("linear_conv_kernel_dim"),
        )
    if fields.items("attn_type_list"):
        head_dim = fields.whole("head_dim")
        return LinearMixer(
            kind="lightning", heads=fields.whole("num_attention_heads"), head_dim=head_dim, state_dim=head_dim
        )
    return _mamba_of(fields, hidden_size)


def _mamba_of(fields: Fields, hidden_size: int) -> LinearMixer | None:
    expanded = fields.whole("mamba_expand", "expand", default=2) * hidden_size
    state_dim = fields.whole("mamba_d_state", "ssm_state_size", "state_size", default=0)
    if not state_dim:
        return None
    kernel = fields.whole("mamba_d_conv", "conv_kernel", default=4)
    heads = fields.whole("mamba_n_heads", "mamba_num_heads", default=0)
    if not heads and fields.config.get("model_type") == "mamba2":
        heads = fields.whole("num_heads")
    if not heads:
        rank = -(-hidden_size // 16)
        return LinearMixer(
            kind="mamba1",
            heads=1,
            head_dim=fields.whole("intermediate_size", default=expanded)
            if "time_step_rank" in fields.config
            else expanded,
            state_dim=state_dim,
            kernel=kernel,
            rank=fields.whole("mamba_dt_rank", "time_step_rank", default=rank),
        )
    return LinearMixer(
        kind="mamba2",
        heads=heads,
        head_dim=fields.whole("mamba_head_dim", "head_dim", default=expanded // heads)
        if fields.config.get("mamba_d_head") in {None, "auto"}
        else fields.whole("mamba_d_head"),
        key_heads=fields.whole("mamba_n_groups", "n_groups", default=1),
        state_dim=state_dim,
        kernel=kernel,
    )

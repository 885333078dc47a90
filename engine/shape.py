"""A model's geometry: what its memory follows from."""

from typing import Literal

from engine.values import Value

Attention = Literal["mha", "gqa", "mqa", "mla", "hybrid", "none"]
LinearKind = Literal["mamba1", "mamba2", "deltanet", "kda", "lightning"]


class LinearMixer(Value):
    """A linear or state-space layer: its state does not grow with context.

    Attributes:
        heads: value heads (Mamba-1: 1).
        head_dim: width of a value head (Mamba-1: the inner width).
        key_heads: key heads of Gated DeltaNet; groups of Mamba-2.
        state_dim: key width of a head; `d_state` of a state-space layer.
        kernel: taps of the causal convolution; 0 where there is none.
        rank: of Mamba-1's time step, of KDA's decay and gate.
        full_rank_gate: KDA's output gate is not factored.
    """

    kind: LinearKind
    heads: int
    head_dim: int
    key_heads: int = 0
    state_dim: int = 0
    kernel: int = 0
    rank: int = 0
    full_rank_gate: bool = False


class Structure(Value):
    """What the count of parameters needs beyond what memory at run time does. None: as most models have it.

    Attributes:
        mlp_matrices: matrices of a dense MLP: gate, up and down, or two.
        attention_layers: layers with attention weights; None: all but the linear ones.
        full_attention_weights: layers with the weights of full attention, where some borrow their cache; 0: as many as
            have one.
        kv_projection_layers: of these, layers with K and V weights of their own; None: all.
        dense_layers: layers with a dense MLP; None: those without experts.
        dense_width_total: sum of MLP widths over the layers, where they vary.
        shared_expert_width: width of all shared experts of a layer; 0: `shared_experts` x `moe_intermediate_size`.
        v_head_dim: width of a value head, where it is not that of a key head.
        window_kv_heads: KV heads of windowed layers, where they are others.
        global_head_dim: head width of full-attention layers, where it is another; so with `global_kv_heads`.
        keys_as_values: layers of that kind (all, without `global_head_dim`) have no V weights.
        output_gate: attention has a gate as wide as its output.
        q_lora_rank: rank of a factored query; so with `o_lora_rank` in `o_groups` for the output.
        indexer_heads: heads of the sparse-attention indexer, in `indexer_layers` layers, `indexer_head_dim` wide.
        per_layer_embedding: width of an embedding that each layer has of its own (Gemma 3n, 4).
        linear: the linear or state-space layers.
    """

    mlp_matrices: int = 3
    attention_layers: int | None = None
    full_attention_weights: int = 0
    kv_projection_layers: int | None = None
    dense_layers: int | None = None
    dense_width_total: int = 0
    shared_expert_width: int = 0
    v_head_dim: int = 0
    window_kv_heads: int = 0
    global_head_dim: int = 0
    global_kv_heads: int = 0
    keys_as_values: bool = False
    output_gate: bool = False
    q_lora_rank: int = 0
    o_lora_rank: int = 0
    o_groups: int = 0
    indexer_heads: int = 0
    indexer_head_dim: int = 0
    indexer_layers: int = 0
    per_layer_embedding: int = 0
    linear: LinearMixer | None = None


class Shape(Value):
    """Geometry of one model, in the words of model configurations. Counts, not bytes, unless a name says so.

    Attributes:
        params_total: weights that a server loads (every expert, every tower).
        params_active: weights read for one token; equal to `params_total` where dense.
        kv_values_per_token: cache values that each further token of a sequence adds, for ever.
        kv_window_values_per_token: values a token of the windowed layers, paid for `sliding_window` tokens at most.
        kv_all_layers_values_per_token: what an engine without window support pays a token.
        indexer_bytes_per_token: keys of a sparse-attention indexer, in its own 8-bit format whatever the cache's.
        recurrent_state_bytes_per_seq: fixed bytes per running sequence (linear or state-space layers).
        vision_params: weights of vision and audio towers, part of `params_total`, kept in 16 bit.
        components: of a diffusion model, weights by part.
        moe_layers: layers that hold routed experts.
        expert_matrices: matrices of one expert: gate, up and down, or two.
        expert_hidden_size: width that the experts work in, where it is not `hidden_size`.
        native_expert_bits: bits a weight of the routed experts as released, where only they are quantised; else 0.
        verify: how the parameter count was checked (`exact`: recounted from the shape).
    """

    id: str
    name: str
    kind: Literal["llm", "vlm", "diffusion"] = "llm"
    params_total: int
    params_active: int
    num_hidden_layers: int = 0
    hidden_size: int = 0
    num_attention_heads: int = 0
    num_key_value_heads: int = 0
    head_dim: int = 0
    intermediate_size: int = 0
    vocab_size: int = 0
    tie_word_embeddings: bool = False
    max_position_embeddings: int | None = None
    attention: Attention = "gqa"
    kv_lora_rank: int = 0
    qk_rope_head_dim: int = 0
    sliding_window: int = 0
    sliding_layers: int = 0
    full_attention_layers: int = 0
    linear_layers: int = 0
    kv_values_per_token: int = 0
    kv_window_values_per_token: int = 0
    kv_all_layers_values_per_token: int = 0
    indexer_bytes_per_token: int = 0
    recurrent_state_bytes_per_seq: int = 0
    num_experts: int = 0
    experts_per_token: int = 0
    shared_experts: int = 0
    moe_intermediate_size: int = 0
    first_dense_layers: int = 0
    moe_layers: int = 0
    expert_matrices: int = 3
    expert_hidden_size: int = 0
    native_format: str = "bf16"
    native_expert_bits: float = 0.0
    vision_params: int = 0
    components: tuple[tuple[str, int], ...] = ()
    structure: Structure = Structure()
    hf_repo: str = ""
    license: str = ""
    release: str = ""
    verify: str = ""
    confidence: str = ""
    source: str = ""
    notes: str = ""

    @property
    def embedding_params(self) -> int:
        """Weights of embeddings and head: once where tied, twice where not; embeddings of single layers too."""
        of_layers = self.num_hidden_layers * self.structure.per_layer_embedding
        return self.vocab_size * (self.hidden_size * (1 if self.tie_word_embeddings else 2) + of_layers)

    @property
    def expert_params(self) -> int:
        """Weights of all routed experts, part of `params_total`."""
        width = self.expert_hidden_size or self.hidden_size
        return self.moe_layers * self.num_experts * self.expert_matrices * width * self.moe_intermediate_size

    @property
    def params_b(self) -> float:
        """Billions of weights."""
        return self.params_total / 1e9

    @property
    def is_mixture(self) -> bool:
        return self.num_experts > 0

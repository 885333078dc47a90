"""Which engine does what."""

from engine.errors import ConflictingWords
from engine.formats import WeightFormat
from engine.question import Engine
from engine.values import Workload

SERVING: tuple[Engine, ...] = ("transformers", "vllm", "llama.cpp", "ollama")
TUNING: tuple[Engine, ...] = ("hf", "torchtune", "fsdp", "zero3", "unsloth")


def check_engine(engine: Engine, workload: Workload, fmt: WeightFormat) -> None:
    """Raises ConflictingWords where the engine does not do what is asked, or not in this format."""
    other = SERVING if workload == "infer" else TUNING
    if engine == "guide":
        return
    if engine not in other:
        doing = "tunes" if engine in TUNING else "serves"
        raise ConflictingWords(f"{workload} {engine}", reason=f"{engine} {doing} models", allowed=", ".join(other))
    if engine == "unsloth" and workload == "full":
        raise ConflictingWords(
            "full unsloth", reason="unsloth is modelled for LoRA and QLoRA", allowed="hf, fsdp, zero3"
        )
    if fmt.kind == "gguf" and engine not in {"llama.cpp", "ollama"}:
        raise ConflictingWords(
            f"{fmt.name} {engine}", reason=f"{engine} is not modelled with GGUF files", allowed="llama.cpp"
        )

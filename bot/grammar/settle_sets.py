"""Which GPUs a question names: several sets are alternatives, a mixed set is refused."""

import re
from typing import Final, cast

from bot.grammar.draft import Axis, Choice, Draft
from bot.grammar.gpu_names import is_id
from bot.grammar.gpu_sets import written_set
from bot.grammar.not_counted import HOST_MEMORY
from bot.grammar.pieces import Piece
from engine.errors import ConflictingWords, ImpossibleValue
from engine.gpus import Gpu, slower_taken
from engine.question import GpuSet

MOST_SETS: Final = 12

_COUNTED: Final = re.compile(r"^\d+\s*x\s*|\s*x\s*\d+$")


def settle_sets(draft: Draft, *, mention: bool) -> list[Axis]:
    """One axis for each set, with every reading of its GPU.

    Raises:
        ImpossibleValue: a mixed set, too many sets, or a count of nothing.
    """
    pieces = draft.of("gpu")
    _refuse_mixed(draft)
    _refuse_host_alone(draft)
    count = _count_apart(draft, mention=mention)
    if len({piece.written for piece in pieces}) > MOST_SETS:
        raise ImpossibleValue(
            pieces[0].given, allowed=f"at most {MOST_SETS} sets a question", reason=f"these are {len(pieces)} sets"
        )
    axes = []
    for piece in pieces:
        readings, own_count = cast("tuple[tuple[Gpu, ...], int | None]", piece.value)
        if not mention and count and own_count and count != own_count:
            raise ConflictingWords(
                f"{piece.given}, {count} gpus", allowed="one count for a set", reason="these are two counts for one GPU"
            )
        open_name = _name_of_several(piece) if len(readings) == 1 else ""
        if open_name:
            draft.fixed["slower_taken"] = (*draft.fixed.get("slower_taken", ()), readings[0].id)
        axes.append(Axis("gpu", [piece], [_choice(one, own_count or count, open_name) for one in readings]))
    return axes


def _name_of_several(piece: Piece) -> str:
    """The name where it leaves open which of several bandwidths is meant, as `2xh100-80` does; else nothing."""
    name = _COUNTED.sub("", piece.given)
    return name if not is_id(name) and slower_taken(name) else ""


def _choice(gpu: Gpu, count: int | None, open_name: str) -> Choice:
    """One reading of a set; what its name leaves open is left open as it is written, too."""
    name = gpu.full_name if count in {None, 1} else f"{count:,} × {gpu.full_name}"
    # a size alone, written behind the name of another GPU, would be read as its variant
    shown = (count or 1) if gpu.is_nameless else count
    return Choice(name, written_set(open_name or gpu.id, shown), GpuSet(gpu=gpu.id, count=count or 1))


def _refuse_mixed(draft: Draft) -> None:
    if not draft.of("and"):
        return
    told = [piece for piece in draft.pieces if piece.role != "nothing"]
    for before, sign, after in zip(told, told[1:], told[2:], strict=False):
        if sign.role == "and" and before.role == after.role == "gpu" and _differ(before, after):
            raise ImpossibleValue(
                f"{before.given} {sign.given} {after.given}",
                allowed=f"GPUs of one kind, such as 2x3090; for two alternatives: {before.given} or {after.given}",
                reason="a mixed set: its slower GPU and its links decide, and that is not modelled",
            )


def _refuse_host_alone(draft: Draft) -> None:
    """The host's memory is no GPU's: beside a GPU it decides nothing, alone it is not what is reckoned."""
    host = [piece for piece in draft.of("noted") if piece.value == HOST_MEMORY]
    if host and not draft.of("gpu"):
        raise ImpossibleValue(
            host[0].given,
            allowed="the GPU by its name, or its own memory, such as 24gb",
            reason="only the memory of GPUs is reckoned, not the host's",
        )


def _differ(before: Piece, after: Piece) -> bool:
    return before.value != after.value


def _count_apart(draft: Draft, *, mention: bool) -> int | None:
    """How many, said apart from the GPU: `8 gpus`.

    Raises:
        ImpossibleValue: outside a sentence, where no GPU is named.
    """
    counts = {cast("int", piece.value) for piece in draft.of("count")}
    has_gpu = bool(draft.of("gpu"))
    nodes = draft.of("nodes")
    if nodes and len(counts) != 1:
        raise ImpossibleValue(
            nodes[0].given,
            allowed="all the GPUs together, such as 16xh100",
            reason="it does not say how many GPUs a node has",
        )
    if not counts or (mention and has_gpu and len(counts) > 1):
        return None
    if not has_gpu and {piece.value for piece in draft.of("options.tensor_parallel", "options.shards")} == counts:
        return None
    if len(counts) > 1 or not has_gpu:
        raise ImpossibleValue(
            draft.of("count")[0].given,
            allowed="the GPU with its count, such as 2x3090, or max-gpus=2",
            reason="it does not say which GPUs these are",
        )
    return counts.pop()

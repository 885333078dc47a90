"""Names of GPUs in a text: of several words, with a memory size before or after, or a memory size alone.

    rtx 4060 ti 16gb   a100-40gb   80g a100s   24gb   g5.12xlarge   h100 mig 1g.20gb

A MIG slice is a nameless GPU of the slice's size, never the whole GPU. A size that the named GPU is not sold with,
but for what the driver keeps (`a40 46gb`), is refused.
"""

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from bot.grammar.host_memory import host_words
from bot.grammar.pieces import MOST_CACHED
from bot.grammar.values import SIZE, plain
from bot.grammar.words import word_set
from engine import gpus
from engine.errors import ImpossibleValue, UnknownGpu
from engine.gpus import Gpu
from engine.units import GB, GIB

LARGEST_GB: Final = 2_000.0
_PORTABLE: Final = frozenset({"laptop", "laptops", "notebook", "mobile", "max-q"})
LONGEST_NAME: Final = 6
NEAR_SIZE: Final = 0.12
"""A size this near to a GPU's memory means that GPU: drivers report up to 8% less than is sold."""

SOLD_SIZES: Final = word_set("4 6 8 10 11 12 16 20 22 24 32 40 48 64 80 94 96 128 141 180 192 256 288")
"""GB that GPUs are sold with: `2x24` means GPUs of this size, `2x7` nothing."""

_VENDORS: Final = word_set("nvidia geforce tesla amd instinct radeon intel apple google quadro")
_SLICE: Final = re.compile(r"(\d)g\.(\d+)gb(?:\+\w+)?")
_RACK: Final = re.compile(r"nvl\d+")
_HEAD: Final = re.compile(r"(?:rtx|gtx|rx)?[a-z]*\d+|[a-z]+")


@dataclass(frozen=True)
class Named:
    """A GPU's name as found in a text.

    Attributes:
        readings: every GPU that it may mean.
        words: how many words it took.
        name: the name itself.
        machine_count: GPUs of the cloud machine that was named.
    """

    readings: tuple[Gpu, ...]
    words: int
    name: str
    machine_count: int = 1


@cache
def _heads() -> frozenset[str]:
    first = (name.replace("-", " ").split()[0].lower() for name in gpus.names())
    return frozenset(head[0] for word in first if (head := _HEAD.match(word)))


@lru_cache(maxsize=MOST_CACHED)
def may_begin_name(text: str) -> bool:
    """Whether a GPU's name may begin with this word."""
    head = _HEAD.match(text)
    if not head:
        return False
    return text in _VENDORS or bool(
        {head[0], head[0].removesuffix("s"), head[0].removeprefix("rtx").removeprefix("gtx")} & _heads()
    )


@cache
def _ids() -> frozenset[str]:
    return frozenset(one.id for one in gpus.all_gpus())


def is_id(name: str) -> bool:
    """Whether a name is the id of one GPU, which leaves nothing open."""
    return name in _ids()


@lru_cache(maxsize=MOST_CACHED)
def find(name: str) -> tuple[Gpu, ...]:
    """Every reading of a name, in the plural too. An id is read as that GPU alone."""
    if is_id(name):
        return (gpus.gpu(name),)
    return gpus.find(name) or (gpus.find(name.removesuffix("s")) if name.endswith("s") else ())


def nameless(size: str, shown: str) -> Gpu:
    """A GPU of which only the memory is known.

    Raises:
        ImpossibleValue: no GPU has that much or that little.
    """
    memory_gb = float(size)
    if not 1 <= memory_gb <= LARGEST_GB:
        raise ImpossibleValue(shown, allowed=f"a GPU memory from 1 to {LARGEST_GB:g} GB, such as 24gb")
    return gpus.gpu(f"{memory_gb:g}gb")


def size_at(texts: list[str]) -> tuple[int, str] | None:
    """Words and figure in GB of a memory size: `24gb`, `24 gb`, `80g`, `24GiB`."""
    if not texts:
        return None
    if found := SIZE.fullmatch(texts[0]):
        return 1, _in_gb(found[1], texts[0])
    if len(texts) > 1 and texts[1] in {"gb", "gig", "gigs", "gib", "gbs"} and texts[0].replace(".", "", 1).isdecimal():
        return 2, _in_gb(texts[0], texts[1])
    return None


def _in_gb(figure: str, unit: str) -> str:
    """The figure in GB of 10**9 bytes; a GiB is 2**30."""
    return plain(round(float(figure) * GIB / GB, 3)) if unit.endswith("gib") else figure


def named_at(texts: list[str]) -> Named | None:
    """The longest name of a GPU that the words begin with, with its variant.

    Raises:
        UnknownGpu: the name is followed by a memory size that this GPU is not sold with.
    """
    if not texts or not may_begin_name(texts[0]):
        return None
    for length in range(min(LONGEST_NAME, len(texts)), 0, -1):
        name = " ".join(texts[:length]).replace(":", "-")
        if readings := find(name) or _of_plural(texts[:length]):
            return _with_size(Named(readings, length, name), texts)
    return _glued_size(texts)


def _of_plural(texts: list[str]) -> tuple[Gpu, ...]:
    """`a100s 80gb`: the plural inside a name."""
    return find(" ".join([texts[0].removesuffix("s"), *texts[1:]])) if texts[0].endswith("s") and len(texts) > 1 else ()


def _with_size(named: Named, texts: list[str]) -> Named:
    if texts[named.words : named.words + 1] and texts[named.words] in _PORTABLE:
        return _of_a_laptop(named, texts)
    if texts[named.words : named.words + 1] and _RACK.fullmatch(texts[named.words]):
        named = replace(named, words=named.words + 1)
    joining = 1 if texts[named.words : named.words + 1] == ["with"] else 0
    rest = texts[named.words + joining :]
    size = size_at(rest)
    if not size or host_words(rest[size[0] : size[0] + 3]):
        return named
    words, memory = size
    if near := _of_memory(named.readings, memory):
        return Named(near, named.words + joining + words, named.name)
    if joining:
        return named
    raise _no_such_variant(" ".join(texts[: named.words + words]), named.readings, memory)


def _of_a_laptop(named: Named, texts: list[str]) -> Named:
    """`4090 laptop 16gb`: another chip than the desktop's of this name, known by its memory alone.

    Raises:
        UnknownGpu: its memory is not said.
    """
    rest = texts[named.words + 1 :]
    joining = 1 if rest[:1] == ["with"] else 0
    size = size_at(rest[joining:])
    if not size or host_words(rest[joining + size[0] : joining + size[0] + 3]):
        raise UnknownGpu(
            " ".join(texts[: named.words + 1]),
            allowed="its memory, such as 16gb",
            reason="the GPU of a laptop has another memory than the desktop's of this name",
        )
    taken = named.words + 1 + joining + size[0]
    return Named((nameless(size[1], " ".join(texts[:taken])),), taken, named.name)


def _of_memory(readings: tuple[Gpu, ...], memory: str) -> tuple[Gpu, ...]:
    return tuple(one for one in readings if abs(one.memory_gb - float(memory)) <= NEAR_SIZE * one.memory_gb)


def _glued_size(texts: list[str]) -> Named | None:
    base, dash, size = texts[0].rpartition("-")
    if dash and (found := SIZE.fullmatch(size) or re.fullmatch(r"(\d+)", size)) and (readings := find(base)):
        raise _no_such_variant(texts[0], readings, found[1])
    return None


def _no_such_variant(name: str, readings: tuple[Gpu, ...], memory: str) -> UnknownGpu:
    sold = tuple(one.id for one in readings)
    return UnknownGpu(
        name,
        near=sold,
        allowed=f"{' or '.join(sold)}, or {plain(float(memory))}gb for any GPU of that size",
        reason="it is not known with this much memory",
    )


def set_name_at(texts: list[str], *, has_count: bool) -> Named | None:
    """What a set is of: a machine, a name, a slice, or a memory size; after a count a size may stand without `gb`.

    Raises:
        UnknownGpu: a variant that is not sold.
        ImpossibleValue: a memory that no GPU has, or a slice without its name.
    """
    named = _machine(texts) or _size_then_name(texts) or named_at(texts)
    if named:
        return _slice_of(named, texts)
    return _slice(texts) or _bare_size(texts, has_count=has_count)


def may_begin_set(texts: list[str]) -> bool:
    """Whether a GPU may be named where these words begin."""
    text = texts[0]
    is_name = may_begin_name(text) or text in SOLD_SIZES or bool(_SLICE.fullmatch(text))
    return is_name or size_at(texts) is not None or gpus.machine(text) is not None


def _machine(texts: list[str]) -> Named | None:
    machine = gpus.machine(texts[0])
    return Named((gpus.gpu(machine.gpu),), 1, texts[0], machine.count) if machine else None


def _size_then_name(texts: list[str]) -> Named | None:
    """`80g a100s`, `24 gig 3090ti`."""
    size = size_at(texts)
    if not size or len(texts) <= size[0] or not may_begin_name(texts[size[0]]):
        return None
    words, memory = size
    named = named_at(texts[words:])
    near = _of_memory(named.readings, memory) if named else ()
    return Named(near, words + named.words, named.name) if named and near else None


def _slice_of(named: Named, texts: list[str]) -> Named:
    """A MIG slice after the GPU's name."""
    rest = texts[named.words :]
    found = _slice(rest)
    if not found and rest[:1] == ["mig"]:
        raise ImpossibleValue(
            f"{named.name} mig", allowed="the slice by its name, such as 1g.20gb", reason="it does not say which slice"
        )
    return Named(found.readings, named.words + found.words, found.name) if found else named


def _slice(texts: list[str]) -> Named | None:
    skipped = 1 if texts[:1] == ["mig"] else 0
    found = _SLICE.fullmatch(texts[skipped]) if len(texts) > skipped else None
    return Named((nameless(found[2], found[0]),), skipped + 1, found[0]) if found else None


def _bare_size(texts: list[str], *, has_count: bool) -> Named | None:
    size = size_at(texts)
    if size:
        return Named((nameless(size[1], " ".join(texts[: size[0]])),), size[0], size[1])
    return Named((nameless(texts[0], texts[0]),), 1, texts[0]) if has_count and texts[0] in SOLD_SIZES else None


def other_variant(named: Named, text: str) -> tuple[Gpu, ...]:
    """The same GPU with another memory: after `a100 40`, what `80` means."""
    size = SIZE.fullmatch(text)
    memory = size[1] if size else text
    base = re.sub(r"[ -]?\d+ ?(?:gb|g)?$", "", named.name)
    return find(f"{base} {memory}") if memory in SOLD_SIZES else ()

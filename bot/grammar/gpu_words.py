"""GPUs in a text: names of several words, a memory size before or after the name, counts on either side.

    2x3090   4 4090s   a100-40gb x4   8xA100-80   eight 80g a100s   dual 3090   2x24gb   g5.12xlarge

A MIG slice (`h100 mig 1g.20gb`) is a nameless GPU of the slice's size, never the whole GPU. A size that the named GPU
is not sold with, but for what the driver keeps (`a40 46gb`), is refused.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import NUMBER_WORDS, SIZE, plain
from bot.grammar.words import COUNT_WORDS, OR_WORDS, word_set
from engine import gpus
from engine.errors import ConflictingWords, ImpossibleValue, UnknownGpu
from engine.gpus import Gpu

MOST_GPUS: Final = 10_000
LARGEST_GB: Final = 2_000.0
LONGEST_NAME: Final = 6
NEAR_SIZE: Final = 0.12
"""A size this near to a GPU's memory means that GPU: drivers report up to 8% less than is sold."""

SOLD_SIZES: Final = frozenset(
    {
        "4",
        "6",
        "8",
        "10",
        "11",
        "12",
        "16",
        "20",
        "22",
        "24",
        "32",
        "40",
        "48",
        "64",
        "80",
        "94",
        "96",
        "128",
        "141",
        "180",
        "192",
        "256",
        "288",
    }
)
"""GB that GPUs are sold with: `2x24` means GPUs of this size, `2x7` nothing."""

_VENDORS: Final = word_set("nvidia geforce tesla amd instinct radeon intel apple google quadro")
_GLUED_COUNT: Final = re.compile(r"(\d+)[x*](.+)")
_LONE_COUNT: Final = re.compile(r"(\d+)[x*]")
_COUNT_AFTER: Final = re.compile(r"[x*](\d+)")
_GLUED_AFTER: Final = re.compile(r"(.+?)-?[x*](\d+)")
_SLICE: Final = re.compile(r"(\d)g\.(\d+)gb(?:\+\w+)?")
_HEAD: Final = re.compile(r"(?:rtx|gtx|rx)?[a-z]*\d+|[a-z]+")


@dataclass(frozen=True)
class Named:
    """A GPU's name as found in a text: its readings and the words that it took."""

    readings: tuple[Gpu, ...]
    words: int
    name: str
    count: int | None = None


@cache
def _heads() -> frozenset[str]:
    first = (name.replace("-", " ").split()[0].lower() for name in gpus.names())
    return frozenset(head[0] for word in first if (head := _HEAD.match(word)))


@cache
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


@cache
def find(name: str) -> tuple[Gpu, ...]:
    """Every reading of a name, in the plural too. An id is read as that GPU alone."""
    if name in _ids():
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
    """Words and figure of a memory size: `24gb`, `24 gb`, `80g`."""
    if not texts:
        return None
    if found := SIZE.fullmatch(texts[0]):
        return 1, found[1]
    if len(texts) > 1 and texts[1] in {"gb", "gig", "gigs", "gib", "gbs"} and texts[0].replace(".", "", 1).isdecimal():
        return 2, texts[0]
    return None


def named_at(texts: list[str]) -> Named | None:
    """The longest name of a GPU that the words begin with, with its variant.

    Raises:
        UnknownGpu: the name is followed by a memory size that this GPU is not sold with.
    """
    if not texts or not may_begin_name(texts[0]):
        return None
    for length in range(min(LONGEST_NAME, len(texts)), 0, -1):
        name = " ".join(texts[:length])
        if readings := find(name) or _of_plural(texts[:length]):
            return _with_size(Named(readings, length, name), texts)
    return _glued_size(texts)


def _of_plural(texts: list[str]) -> tuple[Gpu, ...]:
    """`a100s 80gb`: the plural inside a name."""
    return find(" ".join([texts[0].removesuffix("s"), *texts[1:]])) if texts[0].endswith("s") and len(texts) > 1 else ()


def _with_size(named: Named, texts: list[str]) -> Named:
    rest = texts[named.words :]
    size = size_at(rest)
    if not size or rest[size[0] : size[0] + 1] == ["ram"]:
        return named
    words, memory = size
    if near := _of_memory(named.readings, memory):
        return Named(near, named.words + words, named.name)
    raise _no_such_variant(" ".join(texts[: named.words + words]), named.readings, memory)


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
        reason="it is not sold with this much memory",
    )


def gpu_at(words: list[Word], start: int) -> Hit | None:
    """The set that the words from `start` name.

    Raises:
        ImpossibleValue: a count or a memory that no set has.
        UnknownGpu: a variant that is not sold.
        ConflictingWords: two counts for one GPU.
    """
    texts = [word.text for word in words[start : start + 12]]
    before, count, texts = _count_before(texts)
    if not texts:
        return None
    named = _machine(texts) or _size_then_name(texts) or named_at(texts) or _counted(texts)
    named = _slice_of(named, texts) if named else _slice(texts, 0, texts[0]) or _bare_size(texts, count)
    if not named:
        return None
    after, second = (0, named.count) if named.count is not None else _count_after(texts[named.words :])
    length = before + named.words + after
    shown = given(words, start, length)
    if count is not None and second is not None and count != second:
        raise ConflictingWords(shown, reason="two counts for one GPU")
    how_many = _checked(count if count is not None else second, shown)
    if machine := gpus.machine(texts[0]):
        how_many = machine.count * (how_many or 1)
    pieces = (gpu_piece(named.readings, how_many, shown), *_or_size(named, how_many, texts[named.words :], shown))
    return Hit(length + (_or_words(named, texts[named.words :]) if len(pieces) > 1 else 0), pieces)


def gpu_piece(readings: tuple[Gpu, ...], count: int | None, shown: str, *, weak: bool = False) -> Piece:
    written = written_set(readings[0].id, count) if len(readings) == 1 else shown
    return Piece("gpu", (readings, count), shown, written, weak)


def written_set(gpu_id: str, count: int | None) -> str:
    return gpu_id if count is None else f"{count}x{gpu_id}"


def _checked(count: int | None, shown: str) -> int | None:
    if count is not None and not 1 <= count <= MOST_GPUS:
        raise ImpossibleValue(shown, allowed=f"1 to {MOST_GPUS:,} GPUs, such as 2x3090", reason=f"{count:,} GPUs")
    return count


def _count_before(texts: list[str]) -> tuple[int, int | None, list[str]]:
    """Words that the count took whole, the count, and the words of the name."""
    glued = _GLUED_COUNT.fullmatch(texts[0])
    if glued and not find(texts[0]) and _may_begin_set([glued[2], *texts[1:]]):
        return 0, int(glued[1]), [glued[2], *texts[1:]]
    if lone := _LONE_COUNT.fullmatch(texts[0]):
        return 1, int(lone[1]), texts[1:]
    for length in (3, 2, 1):
        if (phrase := " ".join(texts[:length])) in COUNT_WORDS:
            return length, COUNT_WORDS[phrase], texts[length:]
    is_count = (texts[0].isdecimal() and not find(texts[0])) or texts[0] in NUMBER_WORDS
    if len(texts) > 1 and is_count and not find(" ".join(texts[:2])):
        skipped = 2 if texts[1] in {"x", "*"} else 1
        rest = texts[skipped:]
        if rest and _may_begin_set(rest) and not _is_other_unit(texts):
            return skipped, int(NUMBER_WORDS.get(texts[0]) or texts[0]), rest
    return 0, None, texts


def _may_begin_set(texts: list[str]) -> bool:
    text = texts[0]
    is_name = may_begin_name(text) or text in SOLD_SIZES or bool(_SLICE.fullmatch(text))
    return is_name or size_at(texts) is not None or gpus.machine(text) is not None


def _is_other_unit(texts: list[str]) -> bool:
    """`24 gb`: the number belongs to the unit after it."""
    return texts[1] in {"gb", "gig", "gigs", "gib", "g", "gbs", "b"}


def _count_after(texts: list[str]) -> tuple[int, int | None]:
    if not texts:
        return 0, None
    if found := _COUNT_AFTER.fullmatch(texts[0]):
        return 1, int(found[1])
    if texts[0] in {"x", "*"} and len(texts) > 1 and texts[1].isdecimal():
        return 2, int(texts[1])
    return 0, None


def _machine(texts: list[str]) -> Named | None:
    machine = gpus.machine(texts[0])
    return Named((gpus.gpu(machine.gpu),), 1, texts[0]) if machine else None


def _size_then_name(texts: list[str]) -> Named | None:
    """`80g a100s`, `24 gig 3090ti`."""
    size = size_at(texts)
    if not size or len(texts) <= size[0] or not may_begin_name(texts[size[0]]):
        return None
    words, memory = size
    named = named_at(texts[words:])
    if not named:
        return None
    near = _of_memory(named.readings, memory)
    return Named(near, words + named.words, named.name) if near else None


def _counted(texts: list[str]) -> Named | None:
    """`3090x2`: the count grown onto the name."""
    found = _GLUED_AFTER.fullmatch(texts[0])
    readings = find(found[1]) if found else ()
    return Named(readings, 1, found[1], int(found[2])) if found and readings else None


def _slice_of(named: Named, texts: list[str]) -> Named:
    """A MIG slice after the GPU's name."""
    rest = texts[named.words :]
    if rest and rest[0] == "mig":
        if found := _slice(rest, 1, named.name):
            return Named(found.readings, named.words + found.words, found.name)
        raise ImpossibleValue(
            f"{named.name} mig", allowed="the slice by its name, such as 1g.20gb", reason="which slice it is"
        )
    found = _slice(rest, 0, named.name)
    return Named(found.readings, named.words + found.words, found.name) if found else named


def _slice(texts: list[str], skipped: int, shown: str) -> Named | None:
    texts = texts[skipped:]
    if texts and texts[0] == "mig" and not skipped:
        texts, skipped = texts[1:], 1
    found = _SLICE.fullmatch(texts[0]) if texts else None
    return Named((nameless(found[2], shown),), skipped + 1, found[0]) if found else None


def _bare_size(texts: list[str], count: int | None) -> Named | None:
    if count is not None and texts[0] in SOLD_SIZES and not size_at(texts):
        return Named((nameless(texts[0], texts[0]),), 1, texts[0])
    size = size_at(texts)
    return Named((nameless(size[1], " ".join(texts[: size[0]])),), size[0], size[1]) if size else None


def _or_words(named: Named, rest: list[str]) -> int:
    return 2 if len(rest) > 1 and rest[0] in OR_WORDS and _other_variant(named, rest[1]) else 0


def _other_variant(named: Named, text: str) -> tuple[Gpu, ...]:
    size = SIZE.fullmatch(text)
    memory = size[1] if size else text
    if memory not in SOLD_SIZES:
        return ()
    base = re.sub(r"[ -]?\d+ ?(?:gb|g)?$", "", named.name)
    return find(f"{base} {memory}")


def _or_size(named: Named, count: int | None, rest: list[str], shown: str) -> tuple[Piece, ...]:
    """`a100 40 or 80`: the other variant."""
    if not _or_words(named, rest):
        return ()
    return (gpu_piece(_other_variant(named, rest[1]), count, f"{shown} or {rest[1]}"),)

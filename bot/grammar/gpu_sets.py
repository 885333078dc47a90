"""Sets in a text: a GPU with a count on either side, and nodes of several.

2x3090   4 4090s   a100-40gb x4   8xA100-80   eight 80g a100s   dual 3090   2x24gb   2 nodes of 8xh100
"""

import re
from typing import Final, cast

from bot.grammar import gpu_names
from bot.grammar.gpu_names import Named
from bot.grammar.pieces import Hit, Piece, Word, given
from bot.grammar.values import NUMBER_WORDS
from bot.grammar.words import COUNT_WORDS, OR_WORDS, word_set
from engine.errors import ConflictingWords, ImpossibleValue
from engine.gpus import Gpu

MOST_GPUS: Final = 10_000
LONGEST_SET: Final = 12
"""Words that the name of a set may take."""

_NODES: Final = word_set("node nodes box boxes server servers machine machines")
_STATES: Final = word_set(
    "used old new cheap spare second-hand secondhand refurbished nvlinked identical existing idle extra shared"
)
"""What may stand between a count and its GPUs."""

MOST_NODES: Final = MOST_GPUS // 8
_SIZE_UNITS: Final = word_set("gb gig gigs gib g gbs b")
_GLUED_COUNT: Final = re.compile(r"(\d+)[x*](.+)")
_LONE_COUNT: Final = re.compile(r"(\d+)[x*]")
_COUNT_AFTER: Final = re.compile(r"[x*](\d+)")
_GLUED_AFTER: Final = re.compile(r"(.+?)-?[x*](\d+)")


def nodes_at(words: list[Word], start: int) -> Hit | None:
    """Several nodes: `2 nodes of 8xh100`, `two 8xh100 nodes`.

    Raises:
        EngineError: as for one of these sets.
    """
    nodes = _count(words[start].text)
    # `2023 servers` are of a year
    if nodes is None or nodes > MOST_NODES or len(words) < start + 3:
        return None
    if words[start + 1].text in _NODES and words[start + 2].text in {"of", "with"}:
        return _times(nodes, words, start, 3, 0) if len(words) > start + 3 else None
    return _times(nodes, words, start, 1, 1) if _GLUED_COUNT.fullmatch(words[start + 1].text) else None


def _times(nodes: int, words: list[Word], start: int, before: int, after: int) -> Hit | None:
    """So many times the set after `before` words, with `after` words of nodes behind it."""
    hit = gpu_at(words, start + before)
    if not hit or len(hit.pieces) > 1 or nodes < 1:
        return None
    end = start + before + hit.taken
    if any(word.text not in _NODES for word in words[end : end + after]) or len(words) < end + after:
        return None
    readings, count = cast("tuple[tuple[Gpu, ...], int | None]", hit.pieces[0].value)
    shown = given(words, start, before + hit.taken + after)
    return Hit(before + hit.taken + after, (gpu_piece(readings, _checked(nodes * (count or 1), shown), shown),))


def gpu_at(words: list[Word], start: int) -> Hit | None:
    """The set that the words from `start` name.

    Raises:
        ImpossibleValue: a count or a memory that no set has.
        UnknownGpu: a variant that is not sold.
        ConflictingWords: two counts for one GPU.
    """
    texts = [word.text for word in words[start : start + LONGEST_SET]]
    if len(texts) > 1 and texts[0].isdecimal() and words[start + 1].after_pause and not gpu_names.find(texts[0]):
        return None  # `GPU 0; 15.90 GiB`: what stands behind a comma is not counted
    before, count, texts = _count_before(texts)
    texts, parted = _count_parted(texts)
    named = gpu_names.set_name_at(texts, has_count=count is not None) if texts else None
    if not named:
        return None
    after, second = _count_after(texts[named.words :])
    taken = before + named.words + after - parted
    shown = given(words, start, taken)
    if count is not None and second is not None and count != second:
        raise ConflictingWords(shown, reason="these are two counts for one GPU")
    how_many = _checked(second if count is None else count, shown)
    if named.machine_count > 1:
        how_many = _checked(named.machine_count * (how_many or 1), shown)
    behind = words[start + taken].text if len(words) > start + taken else ""
    if before and behind in _NODES and named.machine_count == 1 and not _LONE_COUNT.fullmatch(words[start].text):
        # so many nodes, and it is not said how many GPUs each holds
        shown = given(words, start, taken + 1)
        return Hit(taken + 1, (gpu_piece(named.readings, None, shown), Piece("nodes", how_many, shown, "")))
    piece = gpu_piece(named.readings, how_many, shown)
    other = _other_size(named, how_many, texts[named.words + after :], shown)
    return Hit(taken + 2, (piece, other)) if other else Hit(taken, (piece,))


def gpu_piece(readings: tuple[Gpu, ...], count: int | None, shown: str) -> Piece:
    written = written_set(readings[0].id, count) if len(readings) == 1 else shown
    return Piece("gpu", (readings, count), shown, written)


def written_set(name: str, count: int | None) -> str:
    """A set in the plainest words: `2xrtx-3090`."""
    return name if count is None else f"{count}x{name}"


def _checked(count: int | None, shown: str) -> int | None:
    if count is not None and not 1 <= count <= MOST_GPUS:
        raise ImpossibleValue(
            shown,
            allowed=f"1 to {MOST_GPUS:,} GPUs, such as 2x3090",
            reason="nobody has so many GPUs" if count else "that is no GPU",
        )
    return count


def _count(text: str) -> int | None:
    return NUMBER_WORDS.get(text) or (int(text) if text.isdecimal() and text.isascii() else None)


def _count_before(texts: list[str]) -> tuple[int, int | None, list[str]]:
    """Words that the count took whole, the count, and the words of the name."""
    glued = _GLUED_COUNT.fullmatch(texts[0])
    if glued and not gpu_names.find(texts[0]) and gpu_names.may_begin_set([glued[2], *texts[1:]]):
        return 0, int(glued[1]), [glued[2], *texts[1:]]
    if lone := _LONE_COUNT.fullmatch(texts[0]):
        return 1, int(lone[1]), texts[1:]
    for length in (3, 2, 1):
        if (phrase := " ".join(texts[:length])) in COUNT_WORDS:
            behind = length + _states(texts[length:])
            return behind, COUNT_WORDS[phrase], texts[behind:]
    skipped = 2 if texts[1:2] in (["x"], ["*"]) else 1
    skipped += _states(texts[skipped:])
    rest = texts[skipped:]
    # `24 gb` counts nothing, and `3090` is no number of GPUs
    if not rest or rest[0] in _SIZE_UNITS or gpu_names.find(texts[0]) or gpu_names.find(" ".join(texts[:2])):
        return 0, None, texts
    count = _count(texts[0])
    return (0, None, texts) if count is None or not gpu_names.may_begin_set(rest) else (skipped, count, rest)


def _states(texts: list[str]) -> int:
    """How many words say in which state the GPUs are."""
    return next((place for place, text in enumerate(texts) if text not in _STATES), len(texts))


def _count_parted(texts: list[str]) -> tuple[list[str], int]:
    """`3090x2` as two words, and how many words more there are then."""
    found = _GLUED_AFTER.fullmatch(texts[0]) if texts else None
    if not found or gpu_names.find(texts[0]) or not (gpu_names.find(found[1]) or gpu_names.size_at([found[1]])):
        return texts, 0
    return [found[1], f"x{found[2]}", *texts[1:]], 1


def _count_after(texts: list[str]) -> tuple[int, int | None]:
    """Words of a count behind the name, and the count."""
    if not texts:
        return 0, None
    if found := _COUNT_AFTER.fullmatch(texts[0]):
        return 1, int(found[1])
    if texts[0] in {"x", "*"} and len(texts) > 1 and texts[1].isdecimal():
        return 2, int(texts[1])
    return 0, None


def _other_size(named: Named, count: int | None, rest: list[str], shown: str) -> Piece | None:
    """`a100 40 or 80`: the other variant."""
    if len(rest) < 2 or rest[0] not in OR_WORDS:
        return None
    other = gpu_names.other_variant(named, rest[1])
    return gpu_piece(other, count, f"{shown} or {rest[1]}") if other else None

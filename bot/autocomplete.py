"""What a person may mean who has typed the beginning of a model, a GPU or a format: best first.

The tables are read once and ranked by plain comparisons, so that each keystroke is answered in a millisecond or two.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot import wording
from bot.grammar import nearest
from bot.wording import NO_BREAK, rounded
from engine import packaged_catalog
from engine.bare_sizes import LEAST_B, MOST_B, typical_sizes_b
from engine.formats import weight_format, weight_words
from engine.gpus import Gpu, all_gpus, gpu, normal_name
from engine.models import all_shapes, find
from engine.shape import Shape

MOST: Final = 25
"""Suggestions at once. Source: discord-api-docs, application commands, autocomplete."""

MOST_TYPED: Final = 100
"""Characters that are looked at: no name is longer."""

FAR: Final = 9
"""The rank of what does not match."""

_COUNT: Final = re.compile(r"\s*(\d{1,4})(?:\s*[x×*]\s*|\s+(?=\S))(.*)|(.*?)\s+[x×*]\s*(\d{1,4})\s*", re.IGNORECASE)
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)b?")
_SEPARATORS: Final = re.compile(r"[\s:_/-]+")
_FIGURES: Final = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`label` is for the reader, `value` a word of the grammar."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A suggestion with the lower-case keys that it is found by, and its place among equals."""

    suggestion: Suggestion
    keys: tuple[str, ...]
    place: int

    def rank(self, typed: str) -> int:
        return min((_rank(typed, key) for key in self.keys), default=FAR)


def models(typed: str) -> tuple[Suggestion, ...]:
    """Bare sizes and models of the registry; a number means that size first, then the models of that size.

    >>> [suggestion.value for suggestion in models("70")][:3]
    ['70b', 'llama-3.3-70b', 'llama-3.1-70b']
    """
    wanted = _plain(typed)
    known = tuple(Suggestion(shape.name, shape.id) for shape in find(typed).shapes) if wanted else ()
    sizes = _sizes(wanted)
    if known and not sizes:
        named = {suggestion.value for suggestion in known}
        first = tuple(c.suggestion for c in _models() if c.suggestion.value in named)
    else:
        first = sizes
    return _best(wanted, _models(), first)


def gpus(typed: str) -> tuple[Suggestion, ...]:
    """GPUs, those that can be rented first among equals; a count before or behind the name is kept.

    >>> [suggestion.value for suggestion in gpus("2x309")]
    ['2xrtx-3090', '2xrtx-3090-ti']
    """
    count, name = _counted(typed)
    found = _best(_plain(name), _gpus(), ())
    return found if count == 1 else tuple(_several(gpu(suggestion.value), count) for suggestion in found)


def formats(typed: str) -> tuple[Suggestion, ...]:
    """Weight formats.

    >>> formats("q4")[0].value
    'q4_k_m'
    """
    return _best(_plain(typed), _formats(), ())


def warm() -> None:
    """Reads the tables, so that the first keystroke is as quick as the others."""
    models("lama3")
    gpus("2x")
    formats("q")


def _best(wanted: str, candidates: tuple[_Candidate, ...], first: tuple[Suggestion, ...]) -> tuple[Suggestion, ...]:
    ranked = sorted(((c.rank(wanted), c.place, c) for c in candidates), key=lambda one: one[:2])
    found = [c.suggestion for rank, _, c in ranked if rank < FAR]
    if not found and not first:
        found = _nearly(wanted, candidates)
    return tuple(dict.fromkeys((*first, *found)))[:MOST]


def _nearly(wanted: str, candidates: Iterable[_Candidate]) -> list[Suggestion]:
    """What a slip of the finger may have meant."""
    by_key = {key: c.suggestion for c in candidates for key in c.keys}
    return [by_key[key] for key in nearest(wanted, by_key, MOST)]


def _rank(typed: str, key: str) -> int:
    """How well a key answers to what was typed: 0 is the word itself, FAR nothing."""
    words, wanted, squeezed = key.split(" "), typed.split(" "), key.replace(" ", "")
    answers = (
        not typed or key == typed,
        f"{typed}b" in words,
        key.startswith(typed),
        all(any(word in {part, f"{part}b"} for word in words) for part in wanted),
        all(any(word.startswith(part) for word in words) for part in wanted),
        squeezed.startswith(typed.replace(" ", "")),
        all(part in squeezed for part in wanted),
    )
    return next((rank for rank, fits in enumerate(answers) if fits), FAR)


def _plain(text: str) -> str:
    """Lower case, every separator a space, so that `llama3.1:70b` is `llama3.1 70b`."""
    return _SEPARATORS.sub(" ", text[:MOST_TYPED].casefold()).strip()


def _sizes(wanted: str) -> tuple[Suggestion, ...]:
    """Bare sizes: the one typed, then the typical ones that begin so."""
    typical = [f"{size:g}b" for size in typical_sizes_b()]
    if not wanted:
        return tuple(_size(size) for size in typical)
    typed = _SIZE.fullmatch(wanted)
    if typed is None:
        return ()
    exact = [f"{float(typed[1]):g}b"] if _sizeable(typed[1]) else []
    return tuple(_size(size) for size in dict.fromkeys((*exact, *(one for one in typical if one.startswith(wanted)))))


def _sizeable(figure: str) -> bool:
    return LEAST_B <= float(figure) <= MOST_B


def _size(size: str) -> Suggestion:
    return Suggestion(f"{size.upper()} · any model of this size", size)


@cache
def _models() -> tuple[_Candidate, ...]:
    shapes = all_shapes()
    places = {shape.id: place for place, shape in enumerate(_newest_first(shapes))}
    return tuple(
        _Candidate(Suggestion(_model_label(shape), shape.id), _model_keys(shape), places[shape.id]) for shape in shapes
    )


def _model_keys(shape: Shape) -> tuple[str, ...]:
    return tuple(dict.fromkeys((_plain(shape.id), _plain(shape.name))))


def _model_label(shape: Shape) -> str:
    total = f"{rounded(shape.params_b, 1)}B"
    if not shape.is_mixture:
        return f"{shape.name} · {total}"
    return f"{shape.name} · {total}, {rounded(shape.params_active / 1e9, 1)}B{NO_BREAK}active"


def _newest_first(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """Families as the registry has them, in each the latest version first, in that the smallest size first."""
    families: dict[str, dict[str, list[Shape]]] = {}
    for shape in shapes:
        version = re.split(r"-\d+(?:\.\d+)?(?:x\d+)?b", shape.id)[0]
        family = re.split(r"[\d-]", version)[0]
        families.setdefault(family, {}).setdefault(version, []).append(shape)
    for versions in families.values():
        for version in sorted(versions, key=_figures, reverse=True):
            yield from sorted(versions[version], key=lambda shape: shape.params_b)


def _figures(version: str) -> tuple[float, ...]:
    return tuple(float(figure) for figure in _FIGURES.findall(version))


def _counted(typed: str) -> tuple[int, str]:
    """The count and the name of `2x3090`, `4 4090s`, `a100 x4`; 1 where none is said."""
    found = _COUNT.fullmatch(typed)
    if found is None:
        return 1, typed
    count, before, after, behind = found.groups()
    return (int(count), before) if count else (int(behind), after)


@cache
def _gpus() -> tuple[_Candidate, ...]:
    rented = {offer.gpu: None for offer in packaged_catalog().offers}
    places = {gpu_id: place for place, gpu_id in enumerate(dict.fromkeys((*rented, *(one.id for one in all_gpus()))))}
    return tuple(_Candidate(_several(one, 1), _gpu_keys(one), places[one.id]) for one in all_gpus())


def _several(one: Gpu, count: int) -> Suggestion:
    label = wording.gpus(f"{one.name} {wording.capacity(one.memory_gb)}", count)
    return Suggestion(label, one.id if count == 1 else f"{count}x{one.id}")


def _gpu_keys(gpu: Gpu) -> tuple[str, ...]:
    written = (gpu.id, gpu.name, *gpu.aliases)
    plain = [_plain(name) for name in written] + [normal_name(name) for name in written]
    short = [key.removeprefix("rtx").removeprefix("gtx").strip() for key in plain]
    return tuple(dict.fromkeys((*plain, *short)))


@cache
def _formats() -> tuple[_Candidate, ...]:
    names = dict.fromkeys(weight_words().values())
    return tuple(
        _Candidate(Suggestion(_format_label(name), name), _format_keys(name), place) for place, name in enumerate(names)
    )


def _format_label(name: str) -> str:
    fmt = weight_format(name)
    bits = fmt.whole_model_bits or fmt.bits_linear
    return name if bits is None else f"{name} · {rounded(bits, 0 if bits == int(bits) else 2)}{NO_BREAK}bits a weight"


def _format_keys(name: str) -> tuple[str, ...]:
    words = (word for word, canonical in weight_words().items() if canonical == name)
    return tuple(dict.fromkeys(_plain(word) for word in (name, *words)))

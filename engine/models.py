"""The models that are known: the registry, written names, bare sizes.

Rows are in data/models.csv, read once; a row is validated when its model is asked for. A name that is not in it has no
shape: nothing is guessed from a name.
"""

import csv
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from engine.bare_sizes import shape_of_size
from engine.errors import CatalogError
from engine.formats import weight_words
from engine.model_names import is_tag, normal_form, split_format, spoken_keys, written_names
from engine.registry import shape_of_row, variant_of
from engine.shape import Shape
from engine.tables import DATA, packaged_rows

__all__ = ["Found", "all_shapes", "bare", "find", "names", "normal_form", "search", "shape"]

_MODELS: Final = "models.csv"
_VARIANTS: Final = "model_variants.csv"


@dataclass(frozen=True, slots=True)
class Found:
    """The readings of a written name.

    Attributes:
        shapes: one where the name is known, several where it is ambiguous, none where it is unknown.
        ollama_tag: the name is an Ollama tag (`llama3.1:70b`), which pulls q4_k_m unless it says otherwise.
        weight_format: the format that stood in the name.
    """

    shapes: tuple[Shape, ...] = ()
    ollama_tag: bool = False
    weight_format: str | None = None


@cache
def _rows(table: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Rows of a table by id, each with its place."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for place, row in packaged_rows(table):
        if row["id"] in found:
            raise CatalogError(place, reason=f"a second row for {row['id']}")
        found[row["id"]] = place, row
    return found


@cache
def _ids_by_key() -> dict[str, tuple[str, ...]]:
    """Ids by the key of a written name."""
    with (DATA / "model_names.csv").open(encoding="utf-8", newline="") as lines:
        return {key: tuple(ids.split()) for key, _, ids in csv.reader(lines)}


def _ids(name: str) -> tuple[str, ...]:
    return next((ids for key in spoken_keys(name) if (ids := _ids_by_key().get(key))), ())


def find(name: str) -> Found:
    """The readings of a written name: an alias, an Ollama tag, a repository id, in any spelling.

    >>> [shape.id for shape in find("meta-llama/Llama-3.1-8B-Instruct").shapes]
    ['llama-3.1-8b']
    >>> find("llama3.1 3b").shapes
    ()
    """
    written = name.strip().rpartition("/")[2]
    bare_name, weight_format = split_format(written, weight_words())
    ids = _ids(bare_name) or _ids(written)
    is_tagged = is_tag(name)
    if is_tagged and len(ids) > 1:
        # a tag that stands in the table is that model, whatever else its words may mean
        key = normal_form(bare_name)
        ids = tuple(one for one in ids if key in {normal_form(tag) for tag in _aliases(one) if ":" in tag}) or ids
    return Found(tuple(shape(identity) for identity in ids), is_tagged, weight_format) if ids else Found()


def _aliases(identity: str) -> tuple[str, ...]:
    _, row = _rows(_VARIANTS).get(identity) or _rows(_MODELS)[identity]
    return written_names(row)


@cache
def shape(identity: str) -> Shape:
    """The shape of a registry id, or of a variant that differs in its native context alone.

    Raises:
        KeyError: there is no such id.
        CatalogError: its row cannot be used.
    """
    variant = _rows(_VARIANTS).get(identity)
    if variant:
        place, row = variant
        return variant_of(shape(row["base"]), row, place)
    place, row = _rows(_MODELS)[identity]
    return shape_of_row(row, place)


@lru_cache(maxsize=256)
def bare(params_b: float) -> Shape:
    """The shape of a bare size: geometry of the nearest typical size, `params_total` as typed; `source` says whose.

    Args:
        params_b: billions of parameters as typed, 0.05 to 5,000.

    Raises:
        ImpossibleValue: no model is of such a size.

    Source: sizing guide, shapes and bare sizes.

    >>> bare(13).params_total, bare(13).kv_values_per_token
    (13000000000, 409600)
    """
    return shape_of_size(params_b, shape)


def all_shapes() -> tuple[Shape, ...]:
    """Every shape of the registry, in its order; variants in context are left out."""
    return tuple(shape(identity) for identity in _rows(_MODELS))


@cache
def names() -> tuple[str, ...]:
    """Written names for lists and suggestions, ids first."""
    rows = [row for table in (_MODELS, _VARIANTS) for _, row in _rows(table).values()]
    return tuple(dict.fromkeys([row["id"] for row in rows] + [name for row in rows for name in written_names(row)]))


def tag_names(identity: str) -> frozenset[str]:
    """The names, without a size, by which Ollama tags a model.

    >>> sorted(tag_names("deepseek-r1"))
    ['deepseek-r1']
    """
    return frozenset(tag.partition(":")[0] for tag in _aliases(identity) if ":" in tag)


def namesakes(identity: str) -> tuple[Shape, ...]:
    """Other models that Ollama tags with the same name and another size.

    >>> [shape.id for shape in namesakes("deepseek-r1")][-1]
    'r1-0528-qwen3-8b'
    """
    roots = tag_names(identity)
    return tuple(
        shape(other)
        for other, (_, row) in _rows(_MODELS).items()
        if other != identity and roots & {name.partition(":")[0] for name in written_names(row) if ":" in name}
    )


def search(words: str) -> tuple[Shape, ...]:
    """Shapes whose written names hold every one of the words; all where there is no word.

    >>> [shape.id for shape in search("llama 405b")]
    ['llama-3.1-405b']
    """
    wanted = words.lower().split()
    return tuple(
        shape(identity)
        for identity, (_, row) in _rows(_MODELS).items()
        if all(word in f"{row['id']} {row['aliases']} {row['hf_repo']}".lower() for word in wanted)
    )

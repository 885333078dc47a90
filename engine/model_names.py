"""Written names of models: one normal form for `llama 3 70b`, `Llama-3-70B` and `llama3:70b`.

A name is cut into whole tokens (words, versions, sizes) and never searched by substring, so that `qwen1.5_7b` is no
5.7B model and `xx7bzz` is no model at all. Adjacent words are joined (`code llama` is `codellama`); a size or a version
stays by itself, so that no digit moves from one to the other.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

_TOKEN: Final = re.compile(r"v\d+(?:\.\d+)*(?![a-z\d])|\d+(?:\.\d+)*(?:x\d+)?[a-z]*|[a-z]+?(?=v\d)|[a-z]+|\+")
_UNREADABLE: Final = re.compile(r"[^a-z\d\s+.:/_-]")
_SPACED_SIZE: Final = re.compile(r"(?<=\d) b\b")
_NUMBER_UNDERSCORE: Final = re.compile(r"(?<=\d)_(?=\d)")
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?(?:x\d+)?[bmt]")
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)*")
_DATE: Final = re.compile(r"(?:0[1-9]|1[0-2])\d\d|2[3-9](?:0[1-9]|1[0-2])|202\d")
_MADE_BY: Final = frozenset({("meta", "llama"), ("nvidia", "nemotron")})
_FILE_ENDING: Final = re.compile(r"[.-]gguf$", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"[:_./-]")

_GGUF: Final = frozenset({"gguf", "ggml"})

NOISE: Final = frozenset(
    [
        "instruct",
        "instruction",
        "it",
        "chat",
        "base",
        "hf",
        "pt",
        "gguf",
        "ggml",
        "latest",
        "preview",
        "thinking",
        "reasoning",
        "dynamic",
        "qat",
        "model",
    ]
)
"""Words of a name that say how a model was tuned or packed, not what shape it has."""

REPOSITORY_FORMATS: Final[Mapping[str, str]] = {
    "bnb-4bit": "nf4",
    "bnb-8bit": "int8",
    "gptq-int4": "gptq",
    "fp8-dynamic": "fp8",
}
"""Format suffixes of repository names that are no words of a question. Source: names on the Hugging Face hub."""


def tokens(name: str) -> tuple[str, ...]:
    """The tokens of a written name; none where it holds a character that no model name has.

    >>> tokens("Qwen2.5-7B-Instruct")
    ('qwen', '2.5', '7b', 'instruct')
    """
    lowered = name.lower()
    if _UNREADABLE.search(lowered):
        return ()
    found: list[str] = _TOKEN.findall(_SPACED_SIZE.sub("b", lowered))
    return tuple("plus" if token == "+" else token for token in found)  # noqa: S105 - a sign, no secret


def joined(parts: Iterable[str]) -> str:
    """One key of tokens: adjacent words written as one.

    >>> joined(("gpt", "oss", "120b"))
    'gptoss 120b'
    """
    key = ""
    words_before = False
    for part in parts:
        is_word = part.isalpha()
        key += part if is_word and words_before else f" {part}"
        words_before = is_word
    return key[1:]


def normal_form(name: str) -> str:
    """The normal form of a written name; two spellings of one name have the same.

    >>> normal_form("Llama-3_70B") == normal_form("llama3:70b") == normal_form("llama 3 70b")
    True
    """
    return joined(tokens(name))


def spoken_keys(name: str) -> tuple[str, ...]:
    """Keys to look a written name up by, from the whole of it to its core: without words of tuning, then without dates.

    An underscore parts words, or is the point of a number: both are tried.

    >>> spoken_keys("qwen3-4b-it-2507")
    ('qwen 3 4b it 2507', 'qwen 3 4b 2507', 'qwen 3 4b')
    """
    keys: list[str] = []
    for parts in dict.fromkeys((tokens(name), tokens(_NUMBER_UNDERSCORE.sub(".", name)))):
        undated = tuple(part for part in parts if not _DATE.fullmatch(part))
        keys += [joined(parts), quiet_key(parts), quiet_key(undated)]
    return tuple(dict.fromkeys(key for key in keys if key))


def _without_maker(parts: tuple[str, ...]) -> tuple[str, ...]:
    """A name without the maker that some repositories put before it (`Meta-Llama-3-8B`)."""
    return parts[1:] if parts[:2] in _MADE_BY else parts


def quiet_key(parts: tuple[str, ...]) -> str:
    """The key of a name without the words that say how a model was tuned or packed.

    >>> quiet_key(("meta", "llama", "3", "8b", "instruct"))
    'llama 3 8b'
    """
    core = _without_maker(parts)
    return joined(part for part in core if part not in NOISE)


def partial_keys(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Keys of what people leave out of a name: its version, its size, or both where two words remain.

    >>> partial_keys(("llama", "3.1", "70b"))
    ('llama 70b', 'llama 3.1')
    """
    core = _without_maker(parts)
    quiet = [part for part in core if part not in NOISE and not _DATE.fullmatch(part)]
    sizes = [place for place, part in enumerate(quiet) if _SIZE.fullmatch(part)]
    if not sizes or not quiet[0].isalpha() or len(quiet[0]) == 1:
        return ()
    before_size = quiet[: sizes[0]]
    without_version = joined(part for part in quiet if not _VERSION.fullmatch(part))
    return (without_version, joined(before_size)) if len(before_size) > 1 else (without_version,)


def undotted_key(key: str) -> str:
    """The key of a name whose versions are written without their point (`llama31 8b`).

    >>> undotted_key("llama 3.1 8b")
    'llama 31 8b'
    """
    return " ".join(part.replace(".", "") if _VERSION.fullmatch(part) else part for part in key.split())


def split_format(name: str, words: Mapping[str, str]) -> tuple[str, str | None]:
    """A name without the weight format glued to its end, and that format.

    >>> split_format("qwen2.5:7b-instruct-q4_K_M", {"q4_k_m": "q4_k_m"})
    ('qwen2.5:7b-instruct', 'q4_k_m')
    """
    spaced, _, glued = name.strip().rpartition(" ")
    glued = _FILE_ENDING.sub("", glued)
    for match in _SEPARATOR.finditer(glued):
        suffix = glued[match.end() :].lower()
        weight_format = REPOSITORY_FORMATS.get(suffix) or words.get(suffix)
        if weight_format and match.start():
            return f"{spaced} {glued[: match.start()]}".strip(), weight_format
    return name, None


def is_tag(name: str) -> bool:
    """Whether a written name is an Ollama tag: a colon inside its last part, behind the name of a model.

    The colon of a scheme (`https://`) or of a key (`model:`) makes no tag.

    >>> is_tag("llama3.1:8b"), is_tag("https://huggingface.co/meta-llama/Llama-3.1-8B"), is_tag("model:llama-3.1-8b")
    (True, False, False)
    """
    before, _, tag = name.rpartition("/")[2].partition(":")
    return bool(tag) and any(token not in NOISE for token in tokens(before))


def says_gguf(name: str) -> bool:
    """Whether a name says that its files are GGUF, which leaves open of which type they are.

    >>> says_gguf("TheBloke/Llama-2-7B-GGUF"), says_gguf("llama-2-7b")
    (True, False)
    """
    return not _GGUF.isdisjoint(tokens(name.rpartition("/")[2]))


def written_names(row: Mapping[str, str]) -> tuple[str, ...]:
    """Every name that a row of models.csv or model_variants.csv is written by."""
    aliases = [alias for part in row["aliases"].split(";") if (alias := part.strip())]
    repository = row.get("hf_repo", "").rpartition("/")[2]
    return tuple(dict.fromkeys(name for name in (row["id"], *aliases, repository) if name))

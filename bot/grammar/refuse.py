"""Words that are not known: which kind of word it seems to be, and the nearest known ones."""

import re
from typing import Final

from bot.grammar import gpu_names, model_words
from bot.grammar.misspelt import misspelt
from bot.grammar.model_parts import ids_with
from bot.grammar.near import near_gpus, near_models
from bot.grammar.options import option_keys, options
from bot.grammar.pieces import Word, given
from bot.grammar.sentence import filler
from bot.grammar.suggest import nearest
from bot.grammar.values import is_number
from bot.grammar.vocabulary import grammar_words
from bot.grammar.words import UNPUBLISHED
from engine.errors import EngineError, UnknownGpu, UnknownModel, UnknownWord

_SHORTEST_SPELLING: Final = 2
SLIP: Final = 66.0
"""So like a word of the grammar, a word is a slip of it."""

SAME_HEAD: Final = 75.0
"""So like the first word of a model's name, a word is a slip of it."""

_VERSION: Final = re.compile(r"v?\d(?:\.\d)?")
_GPU_BRAND: Final = re.compile(r"(?:rtx|gtx|rx\d|geforce|quadro|tesla|radeon|arc$|instinct|gaudi|mi\d|tpu)")
_GPU_LIKE: Final = re.compile(r"\d{4}(?:ti|xt|xtx|super)?|[a-z]{1,2}\d{1,4}[a-z]?")
_LONE_COUNT: Final = re.compile(r"\d+[x*]|[x*]\d*")
_COUNTED: Final = re.compile(r"\d+[x*](?=[a-z\d])")
_MODEL_LIKE: Final = re.compile(r".*[/:].*|[a-z][\w.]*-.*\d.*|[a-z]{3,}[\w.-]*\d+(?:\.\d+)?b(?:-.*)?")


def refuse_unpublished(word: Word) -> None:
    """Refuses a model that cannot be run by anybody but its maker.

    Raises:
        UnknownModel: the word names one.
    """
    if word.text.startswith(UNPUBLISHED):
        raise UnknownModel(
            word.typed,
            allowed="a model whose weights can be had, such as llama-3.1-8b",
            reason="its weights are not published, so nobody else can run it",
        )


def unknown(words: list[Word], place: int) -> EngineError:
    """The refusal of the word at a place."""
    word = words[place]
    refuse_unpublished(word)
    known = unknown_key(word) if "=" in word.text else misspelt(words, place) or _of_a_sentence(word)
    if known:
        return known
    if is_number(word.text) or _LONE_COUNT.fullmatch(word.text):
        return _lone_number(words, place)
    bare = _COUNTED.sub("", word.text)
    if _GPU_BRAND.match(bare) or gpu_names.may_begin_name(bare):
        return _unknown_gpu(words, place, bare)
    slips = _slips(word.text)
    if slips and not model_words.may_begin_name(word.text):
        return UnknownWord(word.typed, near=slips)
    if _GPU_LIKE.fullmatch(bare) and not ids_with(word.text):
        return _unknown_gpu(words, place, bare)
    return _unknown_model(words, place) or _misspelt_model(words, place) or UnknownWord(word.typed, near=slips)


def _misspelt_model(words: list[Word], place: int) -> UnknownModel | None:
    """The refusal of a word that is nearly the first of a model's name: `mixtrall`, `deepsek v3`."""
    if not words[place].text.isalpha() or not nearest(words[place].text, model_words.heads(), 1, least=SAME_HEAD):
        return None
    after = words[place + 1].text if len(words) > place + 1 else ""
    goes_on = model_words.is_size(after) or _VERSION.fullmatch(after)
    shown = given(words, place, 2 if goes_on else 1)
    return UnknownModel(shown, near=near_models(shown))


def _of_a_sentence(word: Word) -> UnknownWord | None:
    """The refusal of a word that a sentence may have and a question not; None where it is no such word."""
    if word.text not in filler() or not word.text.isalpha() or model_words.may_begin_name(word.text):
        return None
    return UnknownWord(
        word.typed,
        allowed="the question without it, or the whole sentence as a mention (in a terminal --mention)",
        reason="a word of sentences",
    )


def _slips(text: str) -> tuple[str, ...]:
    """Words of the grammar that a word is a slip of: of short ones one letter off, of longer ones a quarter."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - as in suggest

    most = max(1, len(text) // 4)
    near = nearest(text, grammar_words(), least=SLIP)
    return tuple(one for one in near if one.startswith(text) or OSA.distance(text, one.rstrip("=")) <= most)


def _lone_number(words: list[Word], place: int) -> UnknownWord:
    typed = words[place].typed
    if _LONE_COUNT.fullmatch(words[place].text):
        return UnknownWord(typed, allowed="the GPU beside it, such as 4x3090", reason="a count without its GPU")
    after = words[place + 1].typed if len(words) > place + 1 and words[place + 1].text.isalpha() else ""
    return UnknownWord(
        f"{typed} {after}".strip(),
        allowed="what it counts before it, such as ctx=, batch=, users= or rank=",
        reason="a number alone does not say what it counts",
    )


def _unknown_model(words: list[Word], place: int) -> UnknownModel | None:
    """The refusal of a word that looks like a model's name; None where it does not."""
    word = words[place]
    behind = [one.text for one in words[place + 1 : place + 3]]
    if len(behind) > 1 and _VERSION.fullmatch(behind[0]) and model_words.is_size(behind[1]):
        shown = given(words, place, 3)
        return UnknownModel(shown, near=near_models(shown))
    after = behind[0] if behind else ""
    if model_words.is_size(after) and word.text[0].isalnum() and word.text.isascii():
        shown = given(words, place, 2)
        return UnknownModel(shown, near=near_models(shown))
    if ids_with(word.text):
        return UnknownModel(word.typed, near=near_models(word.text), reason="only a part of a model's name")
    if model_words.may_begin_name(word.text) or _MODEL_LIKE.fullmatch(word.text):
        return UnknownModel(word.typed, near=near_models(word.text))
    return None


def _unknown_gpu(words: list[Word], place: int, bare: str) -> UnknownGpu:
    after = words[place + 1].text if len(words) > place + 1 else ""
    goes_on = after in {"ti", "super", "ada", "xt", "xtx", "pro", "max"} or (after.isdecimal() and len(after) == 4)
    shown = given(words, place, 2) if goes_on else words[place].typed
    return UnknownGpu(
        shown,
        near=near_gpus(f"{bare} {after}" if goes_on else bare),
        allowed="a GPU by its name, or its memory alone, such as 24gb",
    )


def unknown_key(word: Word) -> UnknownWord:
    """The refusal of `key=value` whose key is not known."""
    key, _, value = word.text.partition("=")
    near = tuple(f"{known}={value}" for known in nearest(key, option_keys()) if _takes(known, value))
    spellings = nearest(key, options(), 1) if not near and len(key) > _SHORTEST_SPELLING else ()
    close = tuple(f"{options()[one].key}={value}" for one in spellings if _takes(one, value))
    return UnknownWord(word.typed, near=near or close, allowed=", ".join(f"{known}=" for known in option_keys()))


def _takes(key: str, value: str) -> bool:
    """Whether an option takes this value: another is no suggestion."""
    try:
        options()[key].read(value, "")
    except EngineError:
        return False
    return True

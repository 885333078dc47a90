"""Any input gives a reading or a refusal, never anything else: 20,000 inputs in all, twenty an example."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.grammar import known_words, normalise, read
from bot.grammar.options import option_keys
from bot.grammar.vocabulary import grammar_words
from engine import gpus
from engine.errors import EngineError
from engine.question import Question

AN_EXAMPLE = 20
FUZZ = settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

GLUE = """
    2x 3x24gb x4 and or + vs dual pair of 4 8 32k 128k 24 gb 80g $ 500/mo 00/mo under 2/hr max a the on 0x3090
    layers=80 kv=8 hd=128 params=70b hidden=8192 13 billion 3g.40gb mig 16 hours 1000 users 50 req/s = <= ? , : — 显存
"""
WORDS = [
    *known_words(),
    *(f"{key}={value}" for key in option_keys() for value in ("4k", "0", "-1", "1e99", "on", "fp8", "", "x")),
    *GLUE.split(),
]
LETTERS = "0123456789abgkmxtqls=.-/+$%_ :"


def understood(text, *, mention):
    """Reads, or is refused with values that can be worded."""
    try:
        options = read(text, mention=mention).options
    except EngineError as error:
        said = (error.given, error.allowed, error.reason, *error.near)
        return all(isinstance(part, str) for part in said)
    return bool(options) and all(isinstance(option.question, Question) for option in options)


def pieces(whole):
    """Twenty parts of a text or list."""
    length = max(1, len(whole) // AN_EXAMPLE)
    return [whole[place * length : (place + 1) * length] for place in range(AN_EXAMPLE)]


@given(st.text(min_size=400, max_size=1600), st.booleans())
@FUZZ
def test_any_text(text, mention):
    assert all(understood(part, mention=mention) for part in pieces(text))


@given(st.binary(min_size=400, max_size=3000), st.booleans())
@FUZZ
def test_any_bytes(raw, mention):
    assert all(understood(part.decode("utf-8", errors="replace"), mention=mention) for part in pieces(raw))


@given(st.lists(st.sampled_from(WORDS), min_size=40, max_size=160), st.booleans(), st.sampled_from([" ", ", ", "\n"]))
@FUZZ
def test_any_sequence_of_known_words(words, mention, between):
    assert all(understood(between.join(part), mention=mention) for part in pieces(words))


@given(st.text(alphabet=LETTERS, min_size=200, max_size=1200), st.booleans())
@FUZZ
def test_any_word_of_the_grammars_own_letters(text, mention):
    assert all(understood(part, mention=mention) for part in pieces(text))


OF_ONE_MODEL = [*grammar_words(), *gpus.names(), *GLUE.split(), *(f"{one}4" for one in grammar_words() if "=" in one)]


@given(st.lists(st.sampled_from(OF_ONE_MODEL), min_size=40, max_size=80), st.booleans())
@settings(FUZZ, max_examples=150)
def test_whatever_reads_can_be_asked_again(words, mention):
    for part in pieces(words):
        try:
            options = read(" ".join(["7b", *part]), mention=mention).options
        except EngineError:
            continue
        for option in options:
            again = read(option.ask)
            assert again.is_plain, option.ask
            assert again.options[0].question == option.question


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_a_normalised_text_is_one_line_without_invisible_characters(text):
    plain = normalise(text)
    assert plain == " ".join(plain.split())
    assert not set(plain) & set("\u200b\u200e\u202e\u2066\ufeff\x00\x1b")

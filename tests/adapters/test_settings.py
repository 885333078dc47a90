import pytest

from adapters.settings import Settings, SettingsError, settings


def test_nothing_has_to_be_set():
    known = settings({})
    assert known.database_url is None
    assert known.visibility == "channel"


def test_an_empty_variable_counts_as_unset():
    assert settings({"VRAM_LOG_DAYS": "", "VRAM_TEAM": "  "}) == settings({})


def test_values_are_typed():
    known = settings({"VRAM_ADMINS": "U1, U2,,", "VRAM_LOG_DAYS": "30", "VRAM_HTTP_PORT": "9000", "HOME": "/x"})
    assert known.admins == ("U1", "U2")
    assert known.log_days == 30
    assert known.http_port == 9000


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("VRAM_LOG_DAYS", "soon", "'soon' was given; a whole number from 1 to 36500 is meant."),
        ("VRAM_LOG_DAYS", "0", "'0' was given; a whole number from 1 to 36500 is meant."),
        ("VRAM_LOG_DAYS", "9" * 5000, f"'{'9' * 30}…' was given; a whole number from 1 to 36500 is meant."),
        ("VRAM_HTTP_PORT", "abc", "'abc' was given; a whole number from 0 to 65535 is meant."),
        ("VRAM_HTTP_PORT", "80.5", "'80.5' was given; a whole number from 0 to 65535 is meant."),
        ("VRAM_HTTP_PORT", "70000", "'70000' was given; a whole number from 0 to 65535 is meant."),
        ("VRAM_VISIBILITY", "everybody", "'everybody' was given; channel or asker is meant."),
        ("VRAM_WEB", "maybe", "'maybe' was given; on or off is meant."),
        ("VRAM_LOG_LEVEL", "loud", "'loud' was given; debug, info, warning or error is meant."),
        (
            "VRAM_SLACK_API_URL",
            "localhost:1",
            "it must be an address that begins with http://, https://, ws:// or wss://.",
        ),
        ("VRAM_TEAM", "x" * 101, "a name of 101 characters was given; at most 100 are allowed."),
    ],
)
def test_a_wrong_value_is_one_sentence_that_says_what_is_meant(name, value, said):
    with pytest.raises(SettingsError) as refused:
        settings({name: value})
    assert str(refused.value) == f"{name} cannot be used: {said}"
    assert refused.value.__cause__ is None


def test_secrets_show_in_no_repr_and_no_error():
    hidden = "xoxb-nobody-reads-this"
    names = [str(field.alias) for field in Settings.model_fields.values() if "SecretStr" in str(field.annotation)]
    assert {"SLACK_BOT_TOKEN", "DISCORD_TOKEN", "VRAM_SECRET", "VRAM_DATABASE_URL"} <= set(names)
    assert hidden not in repr(settings(dict.fromkeys(names, hidden)))
    with pytest.raises(SettingsError) as refused:
        settings(dict.fromkeys(names, hidden) | {"VRAM_LOG_DAYS": "x"})
    assert hidden not in str(refused.value)

import logging
import sys

import pytest

from adapters.redaction import RedactingFormatter, redacted


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("token xoxb-123-456-abcDEF used", "xoxb-123-456-abcDEF"),
        ("xoxe.xoxp-1-Mi0yLTEyMzQ", "Mi0yLTEyMzQ"),
        ("app xapp-1-A1-2-abcdef", "xapp-1-A1-2-abcdef"),
        ("POST https://hooks.slack.com/commands/T1/22/abcdef?x=1 failed", "hooks.slack.com/commands/T1/22/abcdef"),
        ("wss://wss-primary.slack.com/link/?ticket=abc&app_id=1", "ticket=abc"),
        ("{'trigger_id': '13345224609.738474920.8088930838d88f008e0'}", "8088930838d88f008e0"),
        ("cannot connect to postgresql+asyncpg://me:pass@db/vram", "me:pass"),
        ("Authorization: Bearer abcdefgh12345678", "abcdefgh12345678"),
        ("v0=" + "0af1" * 16, "0af10af1"),
    ],
)
def test_what_looks_like_a_secret_is_hidden(line, secret):
    assert secret not in redacted(line)
    assert "[hidden]" in redacted(line)


def test_other_text_stays():
    line = "slack: reply kind=answer to=channel query=aB3dE6gH9j 2026-11-30 12:00:00,123 v0=1 1.2.3"
    assert redacted(line) == line


def test_a_traceback_is_read_too_and_so_are_known_secrets():
    try:
        int("password of https://a.b/c?secret=1 is hunter2hunter2")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "failed %s", ("hunter2hunter2",), sys.exc_info())
    shown = RedactingFormatter(["hunter2hunter2"]).format(record)
    assert "Traceback" in shown
    assert "hunter2" not in shown
    assert "secret=1" not in shown

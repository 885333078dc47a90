"""Log lines without secrets: tokens, trigger ids and addresses that somebody may post to never reach one.

Decision: the last step before a line is written replaces what looks like a secret, whoever wrote the line, because SDKs
put whole payloads into their messages and exceptions. Kept by tests/adapters/slack/test_secrets.py, which runs
everything at DEBUG.
"""

import logging
import re
from collections.abc import Iterable
from typing import Final

HIDDEN: Final = "[hidden]"
LINE: Final = "%(asctime)s %(levelname)s %(name)s %(message)s"

PATTERNS: Final = (
    (re.compile(r"\b(xox[a-z]|xapp|xoxe\.xox[a-z])-[\w-]+"), HIDDEN),
    (re.compile(r"\b((?:https?|wss?|postgres\w*(?:\+\w+)?)://)[^\s'\"<>\\)]+"), rf"\1{HIDDEN}"),
    (re.compile(r"\b\d{6,}\.\d{6,}\.[0-9a-f]{16,}\b"), HIDDEN),
    (re.compile(r"\bv0=[0-9a-f]{64}\b"), HIDDEN),
    (re.compile(r"(?i)(\bBearer\s+|\btoken['\"]?\s*[=:]\s*['\"]?)[\w.-]{8,}"), rf"\1{HIDDEN}"),
)
"""Slack's tokens, addresses (a response_url, a websocket's ticket), trigger ids, signatures, bearers."""


class RedactingFormatter(logging.Formatter):
    """Formats a record, traceback included, then hides what is secret.

    Args:
        secrets: values that are hidden wherever they stand.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__(LINE)
        self._secrets = tuple(sorted(filter(None, secrets), key=len, reverse=True))

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record), self._secrets)


def redacted(text: str, secrets: Iterable[str] = ()) -> str:
    """The text with secrets hidden.

    >>> redacted("POST https://hooks.slack.com/commands/T1/2/abc failed for xoxb-1-2-abc")
    'POST https://[hidden] failed for [hidden]'
    """
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    for pattern, shown in PATTERNS:
        text = pattern.sub(shown, text)
    return text

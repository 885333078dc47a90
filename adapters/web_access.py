"""Links to the web pages, by the settings: signed with VRAM_SECRET, else with a secret of a platform."""

from typing import Final

from adapters.settings import Settings
from bot.ports import Clock
from bot.review.web_links import WebLinks

ANY_ADDRESS: Final = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - recognised, not listened on
"""Listened on, but no address that a browser can go to."""


def web_links(settings: Settings, clock: Clock) -> WebLinks | None:
    """What makes and reads links; None where there are no pages, or nothing to sign with."""
    secret = _secret(settings)
    if settings.web != "on" or not secret:
        return None
    return WebLinks(secret, settings.web_url or _own_address(settings), clock)


def _secret(settings: Settings) -> str:
    candidates = (
        settings.secret,
        settings.slack_bot_token,
        settings.slack_client_secret,
        settings.slack_signing_secret,
        settings.discord_token,
    )
    return next((one.get_secret_value() for one in candidates if one is not None), "")


def _own_address(settings: Settings) -> str:
    host = "localhost" if settings.http_host in ANY_ADDRESS else settings.http_host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.http_port}"

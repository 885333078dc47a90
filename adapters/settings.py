"""Environment -> typed settings. The only place that reads the environment, once, at start."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError


class SettingsError(Exception):
    """A setting that cannot be used; its text is a plain sentence that names the variable, never a secret's value."""


def _names(value: object) -> object:
    return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value


def _no_address(value: object) -> object:
    text = str(value)
    if not text.startswith(("http://", "https://", "ws://", "wss://")):
        raise ValueError("must be an address that begins with http://, https://, ws:// or wss://")
    return text


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


Address = Annotated[str, BeforeValidator(_no_address)]


class Settings(BaseModel):
    """What the environment says. Every field is the variable of its alias; README lists them all.

    Attributes:
        database_url: may hold a password, so it is kept as a secret.
        web_url: where people reach the pages, where that is not the address listened on.
        team: one name for all that this deployment logs; each workspace and server is its own team without it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    database_url: SecretStr | None = Field(None, alias="VRAM_DATABASE_URL")
    spool: Path | None = Field(None, alias="VRAM_SPOOL")
    team: str | None = Field(None, alias="VRAM_TEAM", max_length=100)
    catalogs: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field((), alias="VRAM_CATALOG")
    visibility: Literal["channel", "asker"] = Field("channel", alias="VRAM_VISIBILITY")
    admins: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field((), alias="VRAM_ADMINS")
    log_days: int | None = Field(None, alias="VRAM_LOG_DAYS", ge=1)
    web: Literal["on", "off"] = Field("off", alias="VRAM_WEB")
    web_url: Address | None = Field(None, alias="VRAM_WEB_URL")
    secret: SecretStr | None = Field(None, alias="VRAM_SECRET")
    http_host: str = Field("127.0.0.1", alias="VRAM_HTTP_HOST")
    http_port: int = Field(8080, alias="VRAM_HTTP_PORT", ge=0, le=65535)
    slack_bot_token: SecretStr | None = Field(None, alias="SLACK_BOT_TOKEN")
    slack_app_token: SecretStr | None = Field(None, alias="SLACK_APP_TOKEN")
    slack_signing_secret: SecretStr | None = Field(None, alias="SLACK_SIGNING_SECRET")
    slack_client_id: str | None = Field(None, alias="SLACK_CLIENT_ID")
    slack_client_secret: SecretStr | None = Field(None, alias="SLACK_CLIENT_SECRET")
    slack_api_url: Address | None = Field(None, alias="VRAM_SLACK_API_URL")
    discord_token: SecretStr | None = Field(None, alias="DISCORD_TOKEN")
    discord_api_url: Address | None = Field(None, alias="VRAM_DISCORD_API_URL")
    discord_gateway_url: Address | None = Field(None, alias="VRAM_DISCORD_GATEWAY_URL")
    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_lower)] = Field(
        "info", alias="VRAM_LOG_LEVEL"
    )
    no_color: str = Field("", alias="NO_COLOR")


def settings(environment: Mapping[str, str]) -> Settings:
    """The settings of an environment. An empty variable counts as unset.

    Raises:
        SettingsError: the first variable that cannot be used, and why.
    """
    known = {str(field.alias) for field in Settings.model_fields.values()}
    given = {name: value.strip() for name, value in environment.items() if name in known and value.strip()}
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise SettingsError(f"{first['loc'][0]} cannot be used: {_reason(first['msg'])}.") from None


def _reason(message: str) -> str:
    said = message.removeprefix("Value error, ").rstrip(".")
    return said[:1].lower() + said[1:]

"""Environment -> typed settings. The only place that reads the environment, once, at start."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

LONGEST_TEAM: Final = 100
LONGEST_SHOWN: Final = 30
MOST_DAYS: Final = 36_500
"""A hundred years: the calendar has that many days before today, whatever today is."""


class SettingsError(Exception):
    """A setting that cannot be used; its text is a plain sentence that names the variable, never a secret's value."""


def _names(value: object) -> object:
    return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value


def _no_address(value: object) -> object:
    text = str(value)
    if not text.startswith(("http://", "https://", "ws://", "wss://")):
        raise ValueError("it must be an address that begins with http://, https://, ws:// or wss://")
    return text


def _whole(least: int, most: int) -> BeforeValidator:
    allowed = f"a whole number from {least} to {most}"

    def number(value: object) -> int:
        try:
            read = int(str(value))
        except ValueError:
            raise _refused(value, allowed) from None
        if not least <= read <= most:
            raise _refused(value, allowed)
        return read

    return BeforeValidator(number)


def _one_of(*names: str) -> BeforeValidator:
    *others, last = names

    def name(value: object) -> str:
        if str(value).lower() not in names:
            raise _refused(value, f"{', '.join(others)} or {last}")
        return str(value).lower()

    return BeforeValidator(name)


def _refused(value: object, allowed: str) -> ValueError:
    """Only for settings that hold no secret: it shows what was given."""
    text = str(value)
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return ValueError(f"{shown!r} was given; {allowed} is meant")


def _name(value: object) -> str:
    text = str(value)
    if len(text) > LONGEST_TEAM:
        raise ValueError(f"a name of {len(text)} characters was given; at most {LONGEST_TEAM} are allowed")
    return text


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
    team: Annotated[str | None, BeforeValidator(_name)] = Field(None, alias="VRAM_TEAM")
    catalogs: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field((), alias="VRAM_CATALOG")
    visibility: Annotated[Literal["channel", "asker"], _one_of("channel", "asker")] = Field(
        "channel", alias="VRAM_VISIBILITY"
    )
    admins: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field((), alias="VRAM_ADMINS")
    log_days: Annotated[int | None, _whole(1, MOST_DAYS)] = Field(None, alias="VRAM_LOG_DAYS")
    web: Annotated[Literal["on", "off"], _one_of("on", "off")] = Field("off", alias="VRAM_WEB")
    web_url: Address | None = Field(None, alias="VRAM_WEB_URL")
    secret: SecretStr | None = Field(None, alias="VRAM_SECRET")
    http_host: str = Field("127.0.0.1", alias="VRAM_HTTP_HOST")
    http_port: Annotated[int, _whole(0, 65_535)] = Field(8080, alias="VRAM_HTTP_PORT")
    slack_bot_token: SecretStr | None = Field(None, alias="SLACK_BOT_TOKEN")
    slack_app_token: SecretStr | None = Field(None, alias="SLACK_APP_TOKEN")
    slack_signing_secret: SecretStr | None = Field(None, alias="SLACK_SIGNING_SECRET")
    slack_client_id: str | None = Field(None, alias="SLACK_CLIENT_ID")
    slack_client_secret: SecretStr | None = Field(None, alias="SLACK_CLIENT_SECRET")
    slack_api_url: Address | None = Field(None, alias="VRAM_SLACK_API_URL")
    discord_token: SecretStr | None = Field(None, alias="DISCORD_TOKEN")
    discord_api_url: Address | None = Field(None, alias="VRAM_DISCORD_API_URL")
    discord_gateway_url: Address | None = Field(None, alias="VRAM_DISCORD_GATEWAY_URL")
    log_level: Annotated[Literal["debug", "info", "warning", "error"], _one_of("debug", "info", "warning", "error")] = (
        Field("info", alias="VRAM_LOG_LEVEL")
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
        said = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{first['loc'][0]} cannot be used: {said}.") from None

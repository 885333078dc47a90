"""Card -> rendered text in named parts, by the templates of one platform.

A part is a Jinja block of the card's template. Every expression is escaped for the platform on its way out, also
where a template forgets to; only `Safe` text, which filters make, passes as it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from bot.cards import Card, WebPage
from bot.chat_tables import DISCORD_TABLES, SLACK_TABLES
from bot.chat_text import CHAT_FILTERS, DISCORD_FILTERS
from bot.discord_text import CODE_FILTERS
from bot.escaping import ESCAPES, Safe
from bot.slack_text import SLACK_FILTERS
from bot.terminal_text import terminal_filters
from bot.wording import moment

PLATFORM_FILTERS: Final[Mapping[str, Mapping[str, Callable[..., Safe]]]] = {
    "slack": {**SLACK_FILTERS, **SLACK_TABLES},
    "discord": {**DISCORD_FILTERS, **CODE_FILTERS, **DISCORD_TABLES},
}
SUFFIXES: Final[Mapping[str, str]] = {"terminal": "txt", "slack": "mrkdwn", "discord": "md"}


class Renderer:
    """The templates of one platform; each is compiled when it is first needed.

    Args:
        platform: whose templates.
        colour: of the terminal: the reader wants colours; `blocks`: its output has the characters of the bar.
    """

    def __init__(self, platform: str, *, colour: bool = False, blocks: bool = True) -> None:
        self._platform = platform
        self.environment = environment(platform, colour=colour, blocks=blocks)

    def parts(self, card: Card) -> dict[str, str]:
        """The card's parts that have text, in reading order."""
        template = self._template(card)
        values = {field.name: getattr(card, field.name) for field in fields(card)}  # type: ignore[arg-type]
        context = template.new_context(values)
        rendered = {name: "".join(block(context)).rstrip("\n") for name, block in template.blocks.items()}
        return {name: text for name, text in rendered.items() if text}

    def _template(self, card: Card) -> Template:
        return self.environment.get_template(f"{self._platform}/{card.template}.{SUFFIXES[self._platform]}.j2")


class PageRenderer:
    """The web's templates: whole pages, escaped as HTML."""

    def __init__(self) -> None:
        self.environment = Environment(
            loader=PackageLoader("templates", package_path="web"),
            undefined=StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.environment.filters["when"] = moment

    def page(self, page: WebPage) -> str:
        values = {field.name: getattr(page, field.name) for field in fields(page)}  # type: ignore[arg-type]
        return self.environment.get_template(f"{page.template}.html.j2").render(values)


def environment(platform: str, *, colour: bool = False, blocks: bool = True) -> Environment:
    """Jinja set up for one platform."""
    escape = ESCAPES[platform]
    made = Environment(  # noqa: S701 - escaping is not HTML's: `finalize` does the platform's own
        loader=PackageLoader("templates", package_path=""),
        undefined=StrictUndefined,
        finalize=_finalizer(escape),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(terminal_filters(colour=colour, blocks=blocks) if platform == "terminal" else CHAT_FILTERS)
    made.filters.update(PLATFORM_FILTERS.get(platform, {}))
    return made


def _finalizer(escape: Callable[[str], str]) -> Callable[[object], str]:
    def finalize(value: object) -> str:
        return value if isinstance(value, Safe) else escape(str(value))

    return finalize

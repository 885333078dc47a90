"""The market's commands as a surface calls them, without log and service."""

from bot.commands import called
from bot.grammar import normalise
from bot.rendering import Renderer
from bot.reply import Request
from bot.tools import Tools
from bot.use_cases import calculated
from engine import packaged_catalog
from tests.fakes import CountedIds, FixedClock, MemoryLog


def ask(text, *, catalog=None, platform="terminal", mention=False, files=None):
    """The reply to a command."""
    tools = Tools(
        catalog=catalog or packaged_catalog(),
        clock=FixedClock(),
        new_id=CountedIds(),
        renderer=Renderer(platform),
        log=MemoryLog(),
        surface="terminal",
        page_rows=5,
        files=files,
    )
    request = Request(
        text=text, platform=platform, team="local", user="ada", user_name="Ada", event_key=text, mention=mention
    )
    call = called(normalise(text), "terminal")
    return calculated(call.command.word)(tools, call, request)


def shown(text, **how):
    """The rendered reply, spaces between figures and units as plain ones."""
    return ask(text, **how).text.replace("\u00a0", " ")


def rows(text, **how):
    return ask(text, **how).rows

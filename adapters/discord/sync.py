"""`vram discord-sync`: makes the commands that Discord has the commands that we have, on request only.

Decision: never at start. Discord allows 200 new commands a day and server, a start may happen every minute, and a
server that refuses must not keep the bot from the others. Each command is compared and only what differs is sent.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import app_commands

from adapters.discord.commands import Given, Interaction, commands

Payload = Mapping[str, Any]
Say = Callable[[str], None]

COMPARED: Final = frozenset(
    (
        *("name", "description", "type", "nsfw", "default_member_permissions", "contexts", "integration_types"),
        *("options", "required", "choices", "value", "autocomplete"),
        *("min_value", "max_value", "min_length", "max_length"),
    )
)
"""What we set. Discord adds ids, versions and translations, and leaves out what is at its default."""
GLOBAL_ONLY: Final = frozenset({"contexts", "integration_types", "dm_permission"})
REASONS: Final = {
    10004: "there is no such server",
    30034: "Discord allows 200 new commands a day, try again tomorrow",
    50001: "the bot may not make commands there, invite it again with the scope applications.commands",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """Names of commands by what has to be done with them."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    same: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where commands stand: in one server, or everywhere."""

    guild_id: int | None = None

    @property
    def name(self) -> str:
        return "everywhere" if self.guild_id is None else f"server {self.guild_id}"


EVERYWHERE: Final = Scope()


def wanted() -> list[dict[str, Any]]:
    """Our commands as Discord takes them."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents(guilds=True)))
    return [command.to_dict(tree) for command in commands(_nothing, lambda _: _nothing)]


def difference(ours: Iterable[Payload], theirs: Iterable[Payload]) -> Difference:
    """What has to be done so that theirs are ours."""
    there = {str(command["name"]): command for command in theirs}
    here = {str(command["name"]): command for command in ours}
    kept = [name for name in here if name in there]
    same = tuple(name for name in kept if compared(here[name]) == compared(there[name]))
    return Difference(
        new=tuple(name for name in here if name not in there),
        changed=tuple(name for name in kept if name not in same),
        gone=tuple(name for name in there if name not in here),
        same=same,
    )


def compared(value: Any) -> Any:  # noqa: ANN401 - JSON of any kind
    """A command without what does not count, so that equal ones compare equal."""
    if isinstance(value, Mapping):
        parts = {name: compared(part) for name, part in value.items() if name in COMPARED}
        return {name: part for name, part in parts.items() if part not in (None, False, [], {})}
    if isinstance(value, list):
        return [compared(part) for part in value]
    return value


async def sync(client: discord.Client, scopes: Iterable[Scope], *, clear: bool, say: Say) -> bool:
    """Brings each scope up to date, and empties the others where asked. Whether every scope worked.

    Args:
        client: logged in.
        scopes: where the commands shall stand.
        clear: take them away where they shall not: a command that stands twice is shown twice.
        say: prints a line.
    """
    ours, chosen = wanted(), list(scopes)
    worked = [await _sync_one(client, scope, ours, say) for scope in chosen]
    if clear:
        async for scope in _others(client, chosen):
            worked.append(await _sync_one(client, scope, [], say))  # noqa: PERF401 - one after the other
    return all(worked)


async def _others(client: discord.Client, chosen: list[Scope]) -> AsyncIterator[Scope]:
    """Everywhere, where servers were chosen; else every server that the bot is in."""
    if EVERYWHERE not in chosen:
        yield EVERYWHERE
        return
    async for guild in client.fetch_guilds(limit=None):
        if (scope := Scope(guild.id)) not in chosen:
            yield scope


async def _sync_one(client: discord.Client, scope: Scope, ours: list[dict[str, Any]], say: Say) -> bool:
    if scope.guild_id is not None:
        ours = [{name: part for name, part in one.items() if name not in GLOBAL_ONLY} for one in ours]
    try:
        theirs = await _fetch(client, scope)
        found = difference(ours, theirs)
        for line in lines(scope, found):
            say(line)
        await _apply(client, scope, found, ours, theirs)
    except discord.HTTPException as error:
        say(f"{scope.name}: not changed, {REASONS.get(error.code, f'Discord answered {error.status} {error.code}')}")
        return False
    return True


def lines(scope: Scope, found: Difference) -> Iterator[str]:
    """The difference for people to read."""
    marks = (("+", found.new), ("~", found.changed), ("-", found.gone), ("=", found.same))
    yield f"{scope.name}:"
    yield from (f"  {mark} /{name}" for mark, names in marks for name in names)
    if not (found.new or found.changed or found.gone):
        yield "  nothing to change"


async def _fetch(client: discord.Client, scope: Scope) -> list[Any]:
    application = _application(client)
    if scope.guild_id is None:
        return list(await client.http.get_global_commands(application))
    return list(await client.http.get_guild_commands(application, scope.guild_id))


async def _apply(
    client: discord.Client, scope: Scope, found: Difference, ours: list[dict[str, Any]], theirs: list[Any]
) -> None:
    application, http = _application(client), client.http
    for command in (one for one in ours if one["name"] in found.new + found.changed):
        if scope.guild_id is None:
            await http.upsert_global_command(application, command)  # type: ignore[arg-type]
        else:
            await http.upsert_guild_command(application, scope.guild_id, command)
    for command in (one for one in theirs if one["name"] in found.gone):
        if scope.guild_id is None:
            await http.delete_global_command(application, int(command["id"]))
        else:
            await http.delete_guild_command(application, scope.guild_id, int(command["id"]))


def _application(client: discord.Client) -> int:
    if client.application_id is None:
        raise RuntimeError("the client is not logged in")
    return client.application_id


async def _nothing(_interaction: Interaction, _given: Given) -> None:
    """Commands are compared here, not run."""

"""Keeping the words of stored rows: a decision's note is found as the text is."""

from collections.abc import Iterable

from sqlalchemy import bindparam
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.log.columns import plain
from bot.log.entry import StoredQuery
from bot.log.tables import query_words
from bot.log.wall import scope_of
from bot.log.words import row_words

KEY = ("team", "scope", "word", "asked_at", "number")


def words_of_row(row: StoredQuery, note: str | None) -> frozenset[str]:
    return frozenset(
        row_words(plain(row.text), row.model, plain(row.user_name), () if note is None else (plain(note),))
    )


async def change_note(connection: AsyncConnection, row: StoredQuery, note: str | None) -> None:
    """Lists the words of the new note in place of those of the row's present decision."""
    before = words_of_row(row, None if row.decision is None else row.decision.note)
    after = words_of_row(row, note)
    await delete_words(connection, [(row, before - after)])
    if new := after - before:
        await connection.execute(query_words.insert(), list(_keys(row, new)))


async def delete_words(connection: AsyncConnection, rows: Iterable[tuple[StoredQuery, Iterable[str]]]) -> None:
    """Takes words of rows out of the index by their whole keys: it has no other way to them."""
    keys = [{f"the_{name}": value for name, value in key.items()} for row, words in rows for key in _keys(row, words)]
    if keys:
        matching = [query_words.c[name] == bindparam(f"the_{name}") for name in KEY]
        await connection.execute(query_words.delete().where(*matching), keys)


def _keys(row: StoredQuery, words: Iterable[str]) -> Iterable[dict[str, object]]:
    place = {"team": row.team, "scope": scope_of(row), "asked_at": row.asked_at, "number": row.number}
    return ({**place, "word": word} for word in sorted(words))

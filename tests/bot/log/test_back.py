"""Paging back reads the same pages as paging on, and stays behind the wall."""

from bot.log.entry import Filters
from tests.bot.log.making import SARA, a_query


async def test_pages_forth_and_back_are_the_same(log):
    for n in range(12):
        await log.append(a_query(text=f"{'odd' if n % 2 else 'even'} lora", visibility="asker" if n == 5 else "public"))
    for filters, wanted in ((Filters(), 12), (Filters(words=("odd",)), 6)):
        pages = [await log.page(SARA, filters, None, 5)]
        assert pages[0].previous is None
        while pages[-1].next is not None:
            pages.append(await log.page(SARA, filters, pages[-1].next, 5))
        assert sum(len(page.rows) for page in pages) == wanted
        back = pages[-1]
        for page in reversed(pages[:-1]):
            back = await log.page(SARA, filters, back.previous, 5)
            assert back.rows == page.rows
        assert back.previous is None
        again = await log.page(SARA, filters, back.next, 5)
        assert again.rows == pages[1].rows


async def test_a_page_before_shows_what_came_in_meanwhile(log):
    for _ in range(6):
        await log.append(a_query())
    second = await log.page(SARA, Filters(), (await log.page(SARA, Filters(), None, 5)).next, 5)
    await log.append(a_query(user="bob", visibility="asker"))
    await log.append(a_query())
    first = await log.page(SARA, Filters(), second.previous, 5)
    assert [row.number for row in first.rows] == [6, 5, 4, 3, 2]
    assert [row.number for row in (await log.page(SARA, Filters(), first.previous, 5)).rows] == [8]

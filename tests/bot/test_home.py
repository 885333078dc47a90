from bot.home import home
from bot.log.entry import Viewer
from bot.log.query_log import QueryLog
from bot.rendering import Renderer
from tests.bot.log.making import NOON, SARA, a_query

RENDERER = Renderer("slack")


async def test_the_latest_decisions_then_how_to_ask(tmp_path):
    async with await QueryLog.open(f"sqlite:///{tmp_path}/log.db", tmp_path / "spool") as log:
        empty = await home(log, RENDERER, SARA)
        assert "No decisions yet" in empty.text
        assert "13b lora ctx=4k" in empty.text
        number = await log.append(a_query())
        secret = await log.append(a_query(visibility="asker"))
        for one in (number, secret):
            await log.pin(SARA, one, f"note of {one}", by_name="Sara", at=NOON)
        own = await home(log, RENDERER, SARA)
        shows = [action.label for action in own.actions if action.code == "show"]
        assert shows == [f"Show #{secret}", f"Show #{number}"]
        others = await home(log, RENDERER, Viewer(team="blue", user="bob"))
        assert f"note of {secret}" not in others.text
        assert f"note of {number}" in others.text
        assert "No decisions yet" in (await home(log, RENDERER, Viewer(team="red", user="sara"))).text


async def test_a_log_that_is_away_is_said_and_how_to_ask_still_stands(tmp_path):
    async with await QueryLog.open("postgresql://nobody@127.0.0.1:1/none", tmp_path / "spool") as log:
        page = await home(log, RENDERER, SARA)
    assert "cannot be read" in page.text
    assert "13b lora ctx=4k" in page.text

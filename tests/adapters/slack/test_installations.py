"""Many workspaces: installed by OAuth, answered with their own token, which is kept in the database of the log."""

import re
import sqlite3
from contextlib import closing
from urllib.parse import parse_qs, urlencode, urlsplit

import aiohttp
import pytest

from tests.adapters.slack.fake import APP_TOKEN, BOT, BOT_TOKEN, SIGNING_SECRET, signed
from tests.adapters.slack.process import Serve

pytestmark = pytest.mark.asyncio(loop_scope="module")
OAUTH = {
    "SLACK_CLIENT_ID": "111.222",
    "SLACK_CLIENT_SECRET": "clientsecretclientsecret",
    "SLACK_BOT_TOKEN": "",
    "SLACK_APP_TOKEN": APP_TOKEN,
    "SLACK_SIGNING_SECRET": SIGNING_SECRET,
}


async def test_a_workspace_installs_the_app_and_is_answered_also_after_a_restart(slack, tmp_path):
    async with Serve(tmp_path, slack, socket_mode=False, **OAUTH) as serve:
        await slack.send("events_api", slack.mention("70b"))
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
            async with browser.get(f"{serve.url}/slack/install") as page:
                assert page.status == 200
                address = re.search(r'href="(https://slack\.com/oauth[^"]+)"', await page.text())[1]
                cookie = page.cookies["slack-app-oauth-state"].value
            asked = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
            assert asked["client_id"] == ["111.222"]
            assert set(asked["scope"][0].split(",")) == {
                *("app_mentions:read", "channels:read", "chat:write", "commands", "groups:read", "im:history"),
                "users:read",
            }
            back = f"{serve.url}/slack/oauth_redirect?code=codecode&state={asked['state'][0]}"
            async with browser.get(back, headers={"Cookie": f"slack-app-oauth-state={cookie}"}) as done:
                assert done.status == 200, await done.text()
            async with browser.get(back.replace("state=", "state=x")) as forged:
                assert forged.status >= 400
        await slack.send("events_api", slack.mention("13b lora ctx=4k"))
        seen = await slack.next_seen(0)
        assert "35\u00a0GB" in seen.text
        body = urlencode(slack.command("70b int4"))
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        async with (
            aiohttp.ClientSession() as session,
            session.post(serve.events_url, data=body, headers=form | signed(body)) as answer,
        ):
            assert answer.status == 200
        await slack.next_seen(1)
        await serve.stop()
        assert BOT_TOKEN not in serve.log
        assert "clientsecret" not in serve.log
        assert "not installed in team" in serve.log
        with closing(sqlite3.connect(tmp_path / "data" / "vram-bot" / "vram.sqlite3")) as database:
            assert database.execute("SELECT team_id, bot_user_id FROM slack_bots").fetchall() == [(slack.team, BOT)]
            assert BOT_TOKEN not in "\n".join(database.iterdump())
    async with Serve(tmp_path, slack, socket_mode=False, **OAUTH):
        await slack.send("events_api", slack.mention("13b lora ctx=8k"))
        await slack.next_seen(2)

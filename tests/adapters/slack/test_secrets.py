"""The whole flow at DEBUG: no token, trigger id, response_url or question in any line."""

import re
from urllib.parse import urlencode

import aiohttp
import pytest

from tests.adapters.slack.fake import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, signed
from tests.adapters.slack.process import Serve

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_no_secret_and_no_question_reaches_a_line_of_the_log(slack, tmp_path):
    settings = {"VRAM_SECRET": "sharedsecretofbuttons", "VRAM_DATABASE_URL": f"sqlite:///{tmp_path}/log.db"}
    async with Serve(tmp_path, slack, http=True, **settings) as serve:
        await slack.send("slash_commands", slack.command("13b lora ctx=4k private"))
        card = await slack.next_seen(0)
        for button in card.buttons.values():
            await slack.send("interactive", slack.click(button))
        view = await slack.next_view(0)
        await slack.send("interactive", slack.submission(view, {"note": "a confidential note"}))
        await slack.wait_for(lambda: "decision" in slack.seen[-1].text)
        await slack.send("slash_commands", slack.command(""))
        form = await slack.next_view(1)
        await slack.send("interactive", slack.submission(form, {"model": "13b", "context": "0"}))
        await slack.send("events_api", slack.mention("secretproject 70b"))
        await slack.send("events_api", slack.direct("70b"))
        await slack.send("slash_commands", slack.command("log"))
        slack.scripts["response_url"] += [(404, {}, "used_url"), (500, {}, "server error")]
        for method in ("chat.postMessage", "views.open"):
            slack.scripts[method].append((200, {}, {"ok": False, "error": "not_in_channel"}))
        await slack.send("slash_commands", slack.command("34b"))
        await slack.send("slash_commands", slack.command(""))
        body = urlencode(slack.command("13b lora"))
        async with aiohttp.ClientSession() as session:
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            for signature in (signed(body), signed(body, secret="wrong"), {}):
                async with session.post(serve.events_url, data=body, headers=headers | signature) as answer:
                    await answer.read()
        await slack.sockets[-1].send_str("no json " + BOT_TOKEN)
        await slack.sockets[-1].send_json({"type": "disconnect", "reason": "refresh_requested"})
        await slack.wait_for(lambda: len(slack.seen) >= 8)
        await serve.stop()
    log = serve.log
    assert "DEBUG" in log or "INFO" in log
    assert log.count("slack: reply") >= 8
    secrets = {BOT_TOKEN, APP_TOKEN, SIGNING_SECRET, "sharedsecretofbuttons", "legacylegacy", *slack.secrets}
    assert [secret for secret in secrets if secret in log] == []
    assert not re.search(r"xox[a-z]-|xapp-|hookhookhook|/commands/|v0=[0-9a-f]{8}", log)
    for said in ("confidential", "secretproject", "ctx=4k"):
        assert said not in log


async def test_a_bug_is_said_with_a_reference_and_kept_with_its_traceback(slack, tmp_path):
    async with Serve(tmp_path, slack) as serve:
        broken = slack.click({"type": "button", "action_id": "vram.x", "value": "x"})
        del broken["user"]["id"]
        with pytest.raises(TimeoutError):
            await slack.send("interactive", broken, seconds=0.7)
        await slack.send("slash_commands", slack.command("13b lora ctx=4k"))
        await slack.next_seen(0)
        assert "Traceback" in serve.log
        assert "bug reference=" in serve.log

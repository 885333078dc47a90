"""Signed HTTP: what is let in, and that the same app answers."""

import json
from urllib.parse import urlencode

import aiohttp
import pytest
import pytest_asyncio

from tests.adapters.slack.fake import SIGNING_SECRET, signed
from tests.adapters.slack.process import Serve

pytestmark = pytest.mark.asyncio(loop_scope="module")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def serve(shared_slack, tmp_path_factory):
    async with Serve(tmp_path_factory.mktemp("http"), shared_slack, socket_mode=False) as process:
        yield process


async def posted(serve, body, headers):
    async with aiohttp.ClientSession() as session, session.post(serve.events_url, data=body, headers=headers) as answer:
        return answer.status, await answer.text(), answer.headers


async def test_a_signed_command_is_acknowledged_empty_and_answered(slack, serve):
    body = urlencode(slack.command("13b lora ctx=4k"))
    status, text, _ = await posted(serve, body, FORM | signed(body))
    assert (status, text) == (200, "")
    assert "Logged #1" in (await slack.next_seen(0)).text


async def test_clicks_forms_and_events_come_the_same_way(slack, serve):
    body = urlencode(slack.command("13b finetune ctx=4k"))
    await posted(serve, body, FORM | signed(body))
    card = await slack.next_seen(0)
    body = urlencode({"payload": json.dumps(slack.click(card.buttons["LoRA"]))})
    assert (await posted(serve, body, FORM | signed(body)))[0] == 200
    await slack.wait_for(lambda: len(slack.seen) == 3)
    body = urlencode(slack.command(""))
    await posted(serve, body, FORM | signed(body))
    view = await slack.next_view(0)
    body = urlencode({"payload": json.dumps(slack.submission(view, {"model": "13b", "gpus": "2x3900"}))})
    status, text, _ = await posted(serve, body, FORM | signed(body))
    assert status == 200
    assert set(json.loads(text)["errors"]) == {"gpus"}
    body = json.dumps(slack.direct("70b int4"))
    assert (await posted(serve, body, JSON | signed(body)))[0] == 200
    assert "40\u00a0GB" in (await slack.next_seen(3)).text


async def test_slack_is_told_the_challenge_of_the_address(slack, serve):
    body = json.dumps({"type": "url_verification", "challenge": "3eZbrw1a", "token": "legacylegacy"})
    status, text, _ = await posted(serve, body, JSON | signed(body))
    assert (status, json.loads(text)) == (200, {"challenge": "3eZbrw1a"})


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Slack-Request-Timestamp": "1700000000"},
        {"X-Slack-Request-Timestamp": "no time", "X-Slack-Signature": "v0=0"},
        "another secret",
        "another body",
        "stale",
    ],
)
async def test_what_is_not_signed_now_by_slack_runs_nothing(slack, serve, headers):
    body = urlencode(slack.command("13b lora ctx=4k"))
    made = {
        "another secret": lambda: signed(body, secret=SIGNING_SECRET[::-1]),
        "another body": lambda: signed(f"{body}x"),
        "stale": lambda: signed(body, age_seconds=301),
    }
    status, text, _ = await posted(serve, body, FORM | (made[headers]() if isinstance(headers, str) else headers))
    assert status == 401
    assert SIGNING_SECRET not in text
    good = urlencode(slack.command("7b"))
    await posted(serve, good, FORM | signed(good, age_seconds=200))
    assert "7B" in (await slack.next_seen(0)).text
    assert len(slack.seen) == 1
    assert "Logged #1" in slack.seen[0].text


async def test_health_is_told_without_a_signature(slack, serve):
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{serve.url}/healthz") as alive:
            assert (alive.status, await alive.text()) == (200, "ok")
        async with session.get(f"{serve.url}/readyz") as ready:
            assert ready.status == 200
            assert await ready.json() == {"ready": True, "slack": True, "not_logged_yet": 0}
        async with session.get(serve.events_url) as wrong:
            assert wrong.status == 405
        async with session.get(f"{serve.url}/") as front:
            assert front.status == 200
        async with session.get(f"{serve.url}/else") as nothing:
            assert nothing.status == 404

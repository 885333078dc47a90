"""Starting and stopping `vram serve`: what is missing is named in one sentence, and nothing hangs."""

import asyncio
import socket
import subprocess
import sys
from urllib.parse import urlencode

import aiohttp
import pytest

from adapters.serve import check
from adapters.settings import SettingsError, settings
from adapters.surface import StartRefused
from tests.adapters.slack.fake import BOT_TOKEN, SIGNING_SECRET, signed
from tests.adapters.slack.process import Serve
from tests.conftest import environment


def started(folder, **given):
    return subprocess.run(
        [sys.executable, "-m", "adapters.app", "serve"],
        env=environment(folder) | given,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "DISCORD_TOKEN")),
        ({"SLACK_APP_TOKEN": "xapp-1"}, ("SLACK_BOT_TOKEN",)),
        ({"SLACK_SIGNING_SECRET": "s"}, ("SLACK_BOT_TOKEN",)),
        ({"SLACK_BOT_TOKEN": "xoxb-1"}, ("SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET")),
        ({"SLACK_CLIENT_ID": "1.2", "SLACK_SIGNING_SECRET": "s"}, ("SLACK_CLIENT_SECRET",)),
        ({"SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "c"}, ("SLACK_SIGNING_SECRET",)),
        ({"SLACK_BOT_TOKEN": "xoxb-1", "VRAM_HTTP_PORT": "http"}, ("VRAM_HTTP_PORT",)),
    ],
)
def test_what_is_missing_is_named_in_one_sentence(given, named):
    with pytest.raises((StartRefused, SettingsError)) as refused:
        check(settings(given))
    said = str(refused.value)
    assert all(name in said for name in named)
    assert "xoxb-1" not in said
    assert said.endswith(".")
    assert "\n" not in said


SWAPPED_BOT = "SLACK_BOT_TOKEN cannot be used: it must begin with xoxb-, and this one is meant for SLACK_APP_TOKEN."


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"SLACK_BOT_TOKEN": "xapp-1-hidden", "SLACK_APP_TOKEN": "xoxb-1-hidden"}, SWAPPED_BOT),
        (
            {"SLACK_BOT_TOKEN": "xoxb-1-hidden", "SLACK_APP_TOKEN": "xoxb-1-hidden"},
            "SLACK_APP_TOKEN cannot be used: it must begin with xapp-, and this one is meant for SLACK_BOT_TOKEN.",
        ),
        (
            {"SLACK_BOT_TOKEN": "xoxp-1-hidden", "SLACK_SIGNING_SECRET": "s"},
            "SLACK_BOT_TOKEN cannot be used: it must begin with xoxb-.",
        ),
        (
            {"SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "c", "SLACK_SIGNING_SECRET": "s", "SLACK_APP_TOKEN": "x"},
            "SLACK_APP_TOKEN cannot be used: it must begin with xapp-.",
        ),
    ],
)
def test_a_token_of_another_kind_is_said_without_asking_slack(given, said):
    with pytest.raises(StartRefused) as refused:
        check(settings(given))
    assert str(refused.value).startswith(f"{said} Take it from the app's page under ")
    assert "hidden" not in str(refused.value)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_process_ends_with_that_sentence(tmp_path):
    done = await asyncio.to_thread(started, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Nothing to serve: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://vram:hunter2@h/log", "it begins with mysql://; sqlite:///file or postgresql://user@host/database is"),
        ("postgresql://vram:hunter2@h:port/log", "it cannot be read;"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_a_database_that_can_never_be_used_ends_it_before_anybody_asks(tmp_path, slack, address, said):
    given = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_SIGNING_SECRET": SIGNING_SECRET, "VRAM_DATABASE_URL": address}
    done = await asyncio.to_thread(started, tmp_path, **given, VRAM_SLACK_API_URL=slack.api_url)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"VRAM_DATABASE_URL cannot be used: {said}")
    assert "hunter2" not in done.stderr


@pytest.mark.asyncio(loop_scope="module")
async def test_a_token_that_slack_refuses_and_a_slack_that_is_away(tmp_path, slack):
    wrong = {"SLACK_BOT_TOKEN": "xoxb-wrong", "SLACK_SIGNING_SECRET": SIGNING_SECRET}
    done = await asyncio.to_thread(started, tmp_path, **wrong, VRAM_SLACK_API_URL=slack.api_url)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "Slack refuses SLACK_BOT_TOKEN (invalid_auth)" in done.stderr
    wrong = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": "xapp-wrong"}
    done = await asyncio.to_thread(started, tmp_path, **wrong, VRAM_SLACK_API_URL=slack.api_url)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "Slack refuses SLACK_APP_TOKEN (invalid_auth)" in done.stderr
    done = await asyncio.to_thread(started, tmp_path, **wrong, VRAM_SLACK_API_URL="http://127.0.0.1:1/api/")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "Slack does not answer" in done.stderr


@pytest.mark.asyncio(loop_scope="module")
async def test_a_port_that_is_taken_is_said(tmp_path, slack):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        given = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_SIGNING_SECRET": SIGNING_SECRET, "VRAM_HTTP_PORT": port}
        done = await asyncio.to_thread(started, tmp_path, **given, VRAM_SLACK_API_URL=slack.api_url)
    assert done.returncode == 1
    assert f"VRAM_HTTP_PORT {port}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.asyncio(loop_scope="module")
async def test_it_stops_cleanly_and_at_once_when_nothing_is_under_way(tmp_path, slack):
    async with Serve(tmp_path, slack) as serve:
        assert await serve.stop(seconds=5) == 0
        assert "Traceback" not in serve.log
        assert "WARNING" not in serve.log


@pytest.mark.asyncio(loop_scope="module")
async def test_without_a_signing_secret_nobody_can_post(tmp_path, slack):
    async with Serve(tmp_path, slack) as serve, aiohttp.ClientSession() as session:
        body = urlencode(slack.command("13b lora ctx=4k"))
        async with session.post(serve.events_url, data=body, headers=signed(body, secret="guessed")) as answer:
            assert answer.status == 404
        await asyncio.sleep(0.3)
    assert slack.seen == []

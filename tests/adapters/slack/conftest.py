"""A local Slack and `vram serve` beside it: one for all tests of a module, each in a workspace of its own."""

import pytest
import pytest_asyncio

from tests.adapters.slack.fake import FakeSlack
from tests.adapters.slack.process import Serve


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_slack():
    async with FakeSlack() as fake:
        yield fake


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def serve(shared_slack, tmp_path_factory):
    """Shared by the tests of the module."""
    async with Serve(tmp_path_factory.mktemp("serve"), shared_slack) as process:
        yield process


@pytest.fixture
def slack(shared_slack):
    shared_slack.in_another_team()
    yield shared_slack
    assert shared_slack.refused == [], "Slack would have refused a payload"

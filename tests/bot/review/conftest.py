import pytest

from tests.bot.review.office import Office, opened


@pytest.fixture
async def office(tmp_path):
    async with await opened(tmp_path) as log:
        yield Office(log)

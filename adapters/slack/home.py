"""The App Home of a person."""

from adapters.slack.origin import Origin
from adapters.slack.payloads import Payloads
from adapters.slack.views import home_view
from adapters.slack.workspaces import Workspaces
from bot.home import home
from bot.log.entry import Viewer
from bot.ports import Log
from bot.rendering import Renderer


class HomeTab:
    def __init__(self, *, log: Log, renderer: Renderer, payloads: Payloads, workspaces: Workspaces) -> None:
        self._log = log
        self._renderer = renderer
        self._payloads = payloads
        self._workspaces = workspaces

    async def publish(self, origin: Origin, team: str) -> None:
        client = await self._workspaces.client(origin.team_id, origin.enterprise_id)
        if client is not None:
            page = await home(self._log, self._renderer, Viewer(team=team, user=origin.user))
            await client.views_publish(user_id=origin.user, view=home_view(self._payloads.blocks(page, team)))

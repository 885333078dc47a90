"""Who reads the log, and who may change what is somebody else's."""

from bot.log.entry import Viewer
from bot.reply import Request
from bot.tools import Tools


def viewer_of(tools: Tools, request: Request) -> Viewer:
    """The reader that a request comes from. An administrator sees no more than others, but may unpin and delete."""
    is_admin = request.is_admin or request.user in tools.admins
    return Viewer(team=request.team, user=request.user, channel=request.channel, is_admin=is_admin)

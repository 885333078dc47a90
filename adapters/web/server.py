"""The one HTTP server of the process."""

from aiohttp import web

MOST_BODY_BYTES = 1_000_000
"""Of a request. Slack's are far smaller."""
CLOSE_SECONDS = 5.0


class AddressInUse(Exception):
    """The address cannot be listened on; its text is a plain sentence."""


class Server:
    """Serves an application whose routes are added before `start`."""

    def __init__(self, host: str, port: int) -> None:
        self.application = web.Application(client_max_size=MOST_BODY_BYTES)
        self.application.on_response_prepare.append(_unversioned)
        self._host = host
        self._port = port
        self._runner = web.AppRunner(self.application, access_log=None, shutdown_timeout=CLOSE_SECONDS)

    async def start(self) -> int:
        """Begins to listen; returns the port, which the system chooses for port 0.

        Raises:
            AddressInUse: somebody else listens there, or nobody may.
        """
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            reason = error.strerror or "it is not an address of this machine"
            raise AddressInUse(
                f"Cannot listen on VRAM_HTTP_HOST {self._host}, VRAM_HTTP_PORT {self._port}: {reason}."
            ) from None
        address = self._runner.addresses[0]
        return int(address[1])

    async def close(self) -> None:
        await self._runner.cleanup()


async def _unversioned(_request: web.Request, response: web.StreamResponse) -> None:
    """Which versions run here is nobody's business who only knocks."""
    response.headers.pop("Server", None)

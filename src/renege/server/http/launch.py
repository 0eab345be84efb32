"""Starting the server and the browser: a free port, a folder that can be written, and an end without noise.

The protocols of uvicorn get timeouts here: idle connections and clients that do not read are closed.
"""

import asyncio
import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

import segno
import structlog
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from renege.server.http.app import create_app
from renege.server.http.rate_limits import network_of
from renege.server.http.reach import check_host, is_among, outward_address
from renege.server.http.settings import Settings
from renege.server.logs import Level, start_log
from renege.server.store.store import StoreError

PORT = 8042
TRIES = 20  # ports after it, where it is taken
MOST = 6000  # connections of any kind: all WebSockets that there may be, and pages being fetched
MOST_OF_AN_ADDRESS = 500  # of one address, besides WebSockets
SILENT = 15.0  # seconds until its next request has come
STUCK = 15.0  # seconds between two looks at what could not be sent

log = structlog.get_logger()


def serve(
    settings: Settings, port: int | None = None, game: str = "", browser: bool = True, level: Level = "warning"
) -> None:
    """Open the table, say where it is, and stay until Ctrl-C. `OSError` and `ValueError` say why it cannot be."""
    os.umask(0o077)  # what is kept is nobody else's: hands, and who sat where
    check_host(settings.host)
    check_folder(settings.data)
    start_log(level)
    allow_many_files()
    with bind(settings.host, port) as listening:
        address = address_of(settings.host, listening.getsockname()[1])
        server = Server(settings, f"{address}?game={game}" if game else address, browser)
        try:
            asyncio.run(server.stay(listening))
        except StoreError as wrong:
            raise ValueError(str(wrong)) from None
        except ModuleNotFoundError as missing:  # the driver is looked for when the database is opened
            if missing.name != "psycopg":
                raise
            raise ValueError("PostgreSQL needs another package: pip install 'renege[postgres]'") from None


class HttpConnection(H11Protocol):
    """An HTTP connection with an idle timeout, and a limit on connections of one network that is no proxy of ours."""

    proxies: tuple[IPv4Network | IPv6Network, ...] = ()

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        alike = sum(isinstance(other, HttpConnection) and other.network == self.network for other in self.connections)
        many = alike > MOST_OF_AN_ADDRESS and not is_among(self.network, self.proxies)
        if many or len(self.connections) > MOST:
            transport.abort()
        self.loop.call_later(SILENT, self._look, None)

    def _look(self, before: Any) -> None:
        """End it where nothing has come since the answer that was the last one a while ago already."""
        if self not in self.connections:
            return
        last: Any = self.cycle  # None until the first request
        if last is before and (last is None or last.response_complete):
            self.transport.abort()
        else:
            self.loop.call_later(SILENT, self._look, last)


def _behind(proxies: Sequence[str]) -> type[HttpConnection]:
    class Behind(HttpConnection):
        pass

    Behind.proxies = tuple(map(ip_network, proxies))
    return Behind


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket that is aborted when the client does not read: a proper close would wait for it for ever."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._unsent = False
        self.loop.call_later(STUCK, self._look)

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.close_sent:  # who is turned away has been answered too, and no error need be logged
            self.handshake_complete = True

    def _look(self) -> None:
        if self not in self.connections:
            return
        unsent = self.transport.get_write_buffer_size() > 0
        if unsent and self._unsent:
            self.transport.abort()
        self._unsent = unsent
        self.loop.call_later(STUCK, self._look)


class Server(uvicorn.Server):
    """Says where it is once it listens, and tells its pages when it goes."""

    def __init__(self, settings: Settings, address: str, browser: bool = False) -> None:
        self.settings = settings
        self.app = create_app(settings)
        self.address = address
        self.browser = browser
        super().__init__(
            uvicorn.Config(
                self.app,
                http=_behind(settings.proxies),
                ws=WebSocketConnection,
                ws_max_size=settings.limits.frame,
                ws_per_message_deflate=False,
                lifespan="off",  # we hold it ourselves, so that what is wrong at the start is said in a sentence
                log_config=None,
                log_level="warning",  # its lines of information quote addresses with tokens in them
                access_log=False,
                server_header=False,
                proxy_headers=False,  # `reach.Forwarded` says who is believed
                timeout_graceful_shutdown=5,
            )
        )

    async def stay(self, listening: socket.socket) -> None:
        """Serve until told to go; then every table is put away."""
        with self.capture_signals():
            async with self.app.router.lifespan_context(self.app):
                await self.serve(sockets=[listening])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        log.info("listening", address=self.address)
        print(f"The table is at {self.address}\nCtrl-C ends it; every game is kept.", flush=True)
        if sockets:
            self._invite(sockets[0].getsockname()[1])
        if self.browser and has_display():
            # A thread of its own: some browsers are waited for.
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()

    def _invite(self, port: int) -> None:
        """Say where others find the table, and what will not work there."""
        settings = self.settings
        if settings.is_local and not settings.origins:
            return
        address = f"{settings.origins[0]}/" if settings.origins else f"http://{outward_address(settings.host)}:{port}/"
        print(f"Others open {address}", flush=True)
        if sys.stdout.isatty():
            segno.make(address, micro=False).terminal(compact=True, border=2)
        if not settings.origins:
            print(
                "Without --origin that works in your own network alone, and what is played there is not encrypted; "
                "docs/deploy.md says how to put the table on the Internet.",
                flush=True,
            )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.app.state.connections.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Ctrl-C ends the server and nothing else: uvicorn would raise it again in the middle of closing."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sign: signal.signal(sign, self.handle_exit) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)


def bind(host: str, port: int | None) -> socket.socket:
    """A listening socket: at the port that was asked for, or else at the first free one from ours on."""
    wanted = range(PORT, PORT + TRIES) if port is None else [port]
    for number in wanted:
        try:
            return _bind(host, number)
        except OSError as taken:
            if taken.errno != errno.EADDRINUSE:
                raise OSError(taken.errno, f"cannot listen on {host} port {number}: {taken.strerror}") from None
    which = f"port {port} is taken" if port is not None else f"ports {PORT} to {PORT + TRIES - 1} are taken"
    raise OSError(errno.EADDRINUSE, f"{which} on {host}; choose another by --port")


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two servers share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def address_of(host: str, port: int) -> str:
    """Where the page is, for a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def check_folder(folder: Path) -> None:
    """Refuse a folder for the data that cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except FileExistsError:
        raise OSError(errno.ENOTDIR, "is no folder", str(folder)) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(errno.EACCES, "the folder for the data cannot be written; choose another by --data", str(folder))


def has_display() -> bool:
    """Is there a screen to open a browser on?"""
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def allow_many_files() -> None:
    """Every connection is a file; take as many as the system lets us have."""
    if sys.platform == "win32":
        return
    import resource  # here: Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

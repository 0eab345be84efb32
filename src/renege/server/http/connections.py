"""Protocols of uvicorn with timeouts: idle connections and clients that do not read are closed."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from renege.server.http.rate_limits import network_of

MOST = 2500  # connections of any kind
MOST_OF_AN_ADDRESS = 500  # of one address, besides WebSockets
SILENT = 15.0  # seconds until its next request has come
STUCK = 15.0  # seconds between two looks at what could not be sent


class HttpConnection(H11Protocol):
    """An HTTP connection with an idle timeout, and a limit on connections of one network."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        others = sum(isinstance(other, HttpConnection) and other.network == self.network for other in self.connections)
        if len(self.connections) > MOST or others > MOST_OF_AN_ADDRESS:
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

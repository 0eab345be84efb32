"""Connections that can be cut: uvicorn's, with an end to those that say nothing and those that do not listen."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from renege.server.http.rate_limits import household

MOST = 2500  # connections of any kind
MOST_OF_A_HOUSE = 500  # of one address, besides WebSockets
SILENT = 15.0  # seconds until its next request has come
STUCK = 15.0  # seconds between two looks at what could not be sent


class Door(H11Protocol):
    """An HTTP connection that must ask for something before long; one house has only so many."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.house = household(self.client[0] if self.client else "")
        others = sum(isinstance(other, Door) and other.house == self.house for other in self.connections)
        if len(self.connections) > MOST or others > MOST_OF_A_HOUSE:
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


class Line(WebSocketsSansIOProtocol):
    """A WebSocket that is cut when the other end does not read: closing it would wait for that end for ever."""

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

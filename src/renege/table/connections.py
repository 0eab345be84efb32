"""Connections that can be cut: uvicorn's, with an end to those that say nothing and those that do not listen."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MOST = 2500  # connections of any kind
FIRST_REQUEST = 15.0  # seconds until its first request has come
STUCK = 15.0  # seconds between two looks at what could not be sent


class Door(H11Protocol):
    """An HTTP connection that must ask for something before long."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST:
            transport.abort()
        self.loop.call_later(FIRST_REQUEST, self._lose_patience)

    def _lose_patience(self) -> None:
        waiting: Any = self.cycle  # None until the first request
        if waiting is None and self in self.connections:
            self.transport.abort()


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

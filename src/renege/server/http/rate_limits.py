"""Rate limits: how much one guest, one address or one connection may ask of the server."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from renege.core.message import say


@dataclass(frozen=True, slots=True)
class Rate:
    """A sustained rate per second, and a burst."""

    second: float
    burst: float


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """All limits of a server."""

    body: int = 512 * 1024  # bytes of a request
    body_seconds: float = 30.0  # and how long all of it may take
    frame: int = 4 * 1024  # bytes of a message over the WebSocket
    messages: Rate = Rate(50, 100)  # from one connection
    patience: Rate = Rate(1, 60)  # messages of one connection that only earn a refusal, before it is closed
    send_seconds: float = 30.0  # for a page to take what it is sent
    spectators: int = 2000  # WebSockets of those who watch, in all
    address_spectators: int = 1000  # of one address
    seated: int = 2000  # WebSockets of owners of seats, in all: who watches does not take their places
    address_seated: int = 500
    seat_sockets: int = 8  # of one seat
    asks: Rate = Rate(200, 2000)  # requests of one address
    connects: Rate = Rate(100, 500)  # WebSockets of one address
    tables: Rate = Rate(5, 300)  # made by one address
    records: Rate = Rate(0.2, 60)  # pasted by one address
    unplayed: int = 1000  # tables of one address at which next to nothing was played
    pasted: int = 20 * 1024 * 1024  # bytes that are kept of what one address has pasted
    all_pasted: int = 1024 * 1024 * 1024  # and of what all have
    waiting: int = 3  # questions of one seat that wait for the one being answered


class Bucket:
    """A token bucket: an allowance that fills again with time."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class RateLimiter:
    """A rate limiter by network address; it forgets those that it has not seen for longest."""

    def __init__(self, rate: Rate, known: int = 10_000) -> None:
        self._rate = rate
        self._known = known
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def allows(self, address: str) -> bool:
        key = network_of(address)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate)
            if len(self._buckets) > self._known:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take()


def network_of(address: str) -> str:
    """The network that limits count by: an IPv4 address, or the first half of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Network((int(found), 64), strict=False))
    return str(found)


class RequestQueue:
    """Serializes the requests of each asker: one at a time, a few in the queue, more are refused with 429."""

    def __init__(self, waiting: int) -> None:
        self._waiting = waiting
        self._lines: dict[Hashable, tuple[asyncio.Lock, list[None]]] = {}

    @asynccontextmanager
    async def turn(self, asker: Hashable) -> AsyncGenerator[None, None]:
        lock, line = self._lines.setdefault(asker, (asyncio.Lock(), []))
        if len(line) > self._waiting:
            raise HTTPException(429, "Your other questions are not answered yet; ask again in a moment.")
        line.append(None)
        try:
            async with lock:
                yield
        finally:
            line.pop()
            if not line:
                del self._lines[asker]


class BodyLimit:
    """Refuses a request whose body is too long, or that comes too slowly."""

    def __init__(self, app: ASGIApp, limits: ServerLimits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "")
        left = self.limits.body
        until = 0.0
        done = False

        async def read() -> Message:
            nonlocal left, until, done
            if said.isdigit() and len(said) < 20 and int(said) > self.limits.body:
                raise self._too_long()
            if done:  # what comes now is only that the other end has gone, whenever it likes
                return await receive()
            until = until or asyncio.get_running_loop().time() + self.limits.body_seconds
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The request did not come to its end.") from None
            left -= len(message.get("body", b""))
            if left < 0:
                raise self._too_long()
            done = not message.get("more_body", False)
            return message

        await self.app(scope, read, send)

    def _too_long(self) -> HTTPException:
        return HTTPException(413, say("That is too long: at most {n} kB are read.", self.limits.body // 1024))

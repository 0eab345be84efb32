"""What every request finds here: the tables, the database, the workers, and who is asking."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Path, Query
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request

from renege.table.guests import COOKIE, Guests, find_secret
from renege.table.hall import Hall, Table
from renege.table.limits import Desk, Turnstile
from renege.table.messages import Language, Seat
from renege.table.metrics import Metrics
from renege.table.reviews import Reviews
from renege.table.settings import Settings
from renege.table.store import Store
from renege.table.workers import WorkerLost, Workers

Answer = TypeVar("Answer")
MOST_WORKERS = 4  # in each lane


@dataclass(frozen=True, slots=True)
class Room:
    """A running server."""

    settings: Settings
    metrics: Metrics
    guests: Guests
    store: Store
    workers: Workers
    hall: Hall
    desk: Desk
    reviews: Reviews
    makes: Turnstile
    pastes: Turnstile
    connects: Turnstile

    def guest(self, connection: HTTPConnection) -> str | None:
        """Who is asking, by the cookie."""
        return self.guests.guest(connection.cookies.get(COOKIE))

    def opener(self, connection: HTTPConnection, table: Table, seat: int, token: str | None) -> str | None:
        """Who sits there, if that is who is asking: by the cookie, or by the token of this seat."""
        owner = table.owner(seat)
        asking = (self.guest(connection), self.guests.bearer(token, table.id, seat))
        return owner if owner is not None and owner in asking else None

    async def ask(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Let a worker answer, if it can in time."""
        try:
            return await self.workers.run(function, *arguments)
        except (TimeoutError, WorkerLost):
            raise HTTPException(503, "That took too long; ask again.") from None


@asynccontextmanager
async def open_room(settings: Settings, metrics: Metrics) -> AsyncGenerator[Room, None]:
    """Open the database, let the tables of yesterday play on, and put all away at the end."""
    guests = Guests(await asyncio.to_thread(find_secret, settings.data))
    store = await asyncio.to_thread(Store, settings.database_url)
    workers = Workers(max(1, min(MOST_WORKERS, (os.cpu_count() or 2) - 1)))
    hall = Hall(store, workers, seed=settings.seed)
    hall.on_thought(lambda level, seconds: metrics.bot_seconds.labels(level).observe(seconds))
    metrics.count_tables(lambda: len(hall))
    limits = settings.limits
    reviews = Reviews()
    beside = [asyncio.create_task(metrics.watch_loop()), asyncio.create_task(workers.warm())]
    try:
        await hall.resume()
        yield Room(
            settings=settings,
            metrics=metrics,
            guests=guests,
            store=store,
            workers=workers,
            hall=hall,
            desk=Desk(limits.waiting),
            reviews=reviews,
            makes=Turnstile(limits.tables),
            pastes=Turnstile(limits.records),
            connects=Turnstile(limits.connects),
        )
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await hall.close()
        await asyncio.gather(workers.close(), reviews.close())
        await store.close()


# -- what routes ask for

TABLE_ID = "^[a-z0-9]{6,20}$"
TableId = Annotated[str, Path(pattern=TABLE_ID, description="the table's id")]
SeatNumber = Annotated[Seat, Path(description="the seat")]
Lang = Annotated[Language, Query(description="the language of all texts")]
Token = Annotated[str | None, Header(alias="X-Seat-Token", max_length=400, description="opens its seat")]


async def _room(request: Request) -> Room:  # none of these leaves the event loop, where tables live
    return request.app.state.room


RoomHere = Annotated[Room, Depends(_room)]


async def _table(room: RoomHere, table: TableId) -> Table:
    return await room.hall.find(table)


TableHere = Annotated[Table, Depends(_table)]


async def _mine(request: Request, room: RoomHere, table: TableHere, seat: SeatNumber, token: Token = None) -> str:
    guest = room.opener(request, table, seat, token)
    if guest is None:
        raise HTTPException(403, "That seat is not yours.")
    return guest


Mine = Annotated[str, Depends(_mine)]
"""The guest whose seat is asked for; nobody else gets as far."""


def names_of(table: Table) -> tuple[str, ...]:
    """How the four seats are called."""
    return tuple(place.name or f"seat {place.seat}" for place in table.places)


def address_of(request: HTTPConnection) -> str:
    """Where the request comes from, for counting."""
    return request.client.host if request.client is not None else ""

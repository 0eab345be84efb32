"""State that requests share, and the dependencies that give it to them: tables, store, workers, and who is asking."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, ParamSpec, TypeVar

from fastapi import Depends, Header, Path, Query, Response
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request

from renege.core.game import Game
from renege.core.message import say
from renege.i18n import LANGUAGES, texts
from renege.server.http.guests import COOKIE, COOKIE_AGE, Guests, find_secret
from renege.server.http.middleware import Metrics
from renege.server.http.rate_limits import RateLimiter, RequestQueue, network_of
from renege.server.http.reach import public_address
from renege.server.http.settings import Settings
from renege.server.messages import Language, State
from renege.server.present.replay import Reviews
from renege.server.store.lock import locked
from renege.server.store.store import Store
from renege.server.tables.registry import Table, TableRegistry
from renege.server.teaching import Hint
from renege.server.workers.pool import Busy, Lane, WorkerLost, Workers
from renege.server.workers.shares import Asker

Answer = TypeVar("Answer")
P = ParamSpec("P")
MOST_WORKERS = 4  # in each lane
BUSY = "The server has too much to work out just now; ask again in a few seconds."


@dataclass(frozen=True, slots=True)
class ServerState:
    """What the requests of a running server share."""

    settings: Settings
    metrics: Metrics
    guests: Guests
    store: Store
    workers: Workers
    registry: TableRegistry
    queue: RequestQueue
    reviews: Reviews
    makes: RateLimiter
    pastes: RateLimiter
    connects: RateLimiter
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    hints: OrderedDict[Hashable, tuple[Hint, Hint]] = field(default_factory=OrderedDict[Hashable, tuple[Hint, Hint]])

    def guest(self, connection: HTTPConnection) -> str | None:
        """Who is asking, by the cookie."""
        return self.guests.guest(connection.cookies.get(COOKIE))

    def network(self, connection: HTTPConnection) -> str:
        """Where a request comes from, as it is shared by and counted for; not told by its name."""
        return self.guests.mark(network_of(address_of(connection)))

    def opener(self, connection: HTTPConnection, table: Table, seat: int, token: str | None) -> str | None:
        """Who sits there, if that is who is asking: by the cookie, or by the token of this seat."""
        owner = table.owner(seat)
        asking = (self.guest(connection), self.guests.bearer(token, table.id, seat))
        return owner if owner is not None and owner in asking else None

    async def ask(self, asker: Asker, lane: Lane, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Let a worker answer, if it can in time."""
        try:
            return await self.workers.run_for(asker, lane, function, *arguments)
        except Busy:
            raise HTTPException(503, BUSY, {"Retry-After": "5"}) from None
        except (TimeoutError, WorkerLost):
            if lane == "paste":
                raise HTTPException(
                    503, "That takes too long to work out; paste less of it, or try again later."
                ) from None
            raise HTTPException(503, "That took too long; ask again.") from None

    async def beside(self, write: Callable[P, Answer], *arguments: P.args, **named: P.kwargs) -> Answer:
        """Write something long in a thread, and no two at once: they would still take turns with the loop."""
        async with self.writing:
            return await asyncio.to_thread(write, *arguments, **named)

    async def shown(self, table: Table, seat: int | None, lang: Language) -> State:
        """What a seat is shown. After a restart the deals on the score sheet are read first, and not in the loop."""
        if unread := table.unread:
            await self.beside(lambda: [deal.ending for deal in unread])
        return table.state(seat, lang)


@asynccontextmanager
async def open_server(settings: Settings, metrics: Metrics) -> AsyncGenerator[ServerState, None]:
    """Open the database, let the tables of yesterday play on, and put all away at the end."""
    guests = Guests(await asyncio.to_thread(find_secret, settings.data))
    with locked(settings.database_url):
        async with _opened(settings, metrics, guests) as server:
            yield server


@asynccontextmanager
async def _opened(settings: Settings, metrics: Metrics, guests: Guests) -> AsyncGenerator[ServerState, None]:
    store = await asyncio.to_thread(Store, settings.database_url)
    workers = Workers(max(1, min(MOST_WORKERS, (os.cpu_count() or 2) - 1)))
    registry = TableRegistry(
        store,
        workers,
        seed=settings.seed,
        thought=lambda level, seconds: metrics.bot_seconds.labels(level).observe(seconds),
    )
    metrics.tables.set_function(lambda: len(registry))
    limits = settings.limits
    reviews = Reviews()
    languages = (asyncio.to_thread(texts, language) for language in LANGUAGES)  # before somebody waits for a sentence
    beside = [asyncio.create_task(doing) for doing in (metrics.watch_loop(), workers.warm(), *languages)]
    try:
        await registry.resume()
        yield ServerState(
            settings=settings,
            metrics=metrics,
            guests=guests,
            store=store,
            workers=workers,
            registry=registry,
            queue=RequestQueue(limits.waiting),
            reviews=reviews,
            makes=RateLimiter(limits.tables),
            pastes=RateLimiter(limits.records),
            connects=RateLimiter(limits.connects),
        )
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await registry.close()
        await asyncio.gather(workers.close(), reviews.close())
        await store.close()


# -- what routes ask for

TABLE_ID = "^[a-z0-9]{6,20}$"
TableId = Annotated[str, Path(pattern=TABLE_ID, description="the table's id")]
AnySeat = Annotated[int, Field(ge=0)]  # how many there are the table says
Lang = Annotated[Language, Query(description="the language of all texts")]
Token = Annotated[str | None, Header(alias="X-Seat-Token", max_length=400, description="opens its seat")]


async def _room(request: Request) -> ServerState:  # none of these leaves the event loop, where tables live
    return request.app.state.server


ServerHere = Annotated[ServerState, Depends(_room)]


async def _table(server: ServerHere, table: TableId) -> Table:
    return await server.registry.find(table)


TableHere = Annotated[Table, Depends(_table)]


def check_seat(game: Game, seat: int) -> None:
    """`HTTPException` where the table of a game has no such seat."""
    if seat not in game.all_seats:
        raise HTTPException(422, say("seat is a number from 0 to {n}.", game.players - 1))


async def _seat(table: TableHere, seat: Annotated[AnySeat, Path(description="the seat")]) -> int:
    check_seat(table.game, seat)
    return seat


SeatNumber = Annotated[int, Depends(_seat)]


async def _mine(request: Request, server: ServerHere, table: TableHere, seat: SeatNumber, token: Token = None) -> str:
    guest = server.opener(request, table, seat, token)
    if guest is None:
        raise HTTPException(403, "That seat is not yours.")
    return guest


Mine = Annotated[str, Depends(_mine)]
"""The guest whose seat is asked for; nobody else gets as far."""


async def _asking(request: Request, server: ServerHere, guest: Mine) -> Asker:
    return Asker(server.network(request), guest)


Asking = Annotated[Asker, Depends(_asking)]
"""The guest whose seat is asked for, with where the request comes from."""


def set_guest(request: Request, response: Response, server: ServerState, guest: str) -> None:
    """Let the browser that asks be this guest from now on."""
    secure = public_address(server.settings, request).startswith("https:")
    response.set_cookie(
        COOKIE, server.guests.cookie(guest), COOKIE_AGE, path="/", secure=secure, httponly=True, samesite="lax"
    )


def address_of(request: HTTPConnection) -> str:
    """Where the request comes from, for counting."""
    return request.client.host if request.client is not None else ""

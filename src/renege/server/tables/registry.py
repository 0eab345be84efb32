"""All tables of a server: made, found again after a restart, and forgotten while nobody is there.

Nothing is lost by forgetting: a table is its events, and is built again from the store when somebody asks for it.
"""

import asyncio
import secrets
import time
from collections.abc import Coroutine, Sequence
from typing import Any

import structlog

from renege.core.game import Game
from renege.core.house_rules import read_rules, write_rules
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.registry import GAMES, find_game
from renege.server.logs import where
from renege.server.messages import NewTable
from renege.server.people import Clock
from renege.server.store.store import BrokenTable, Store, StoredEvent, StoreError, unbroken
from renege.server.tables import events
from renege.server.tables.bots import TableServices, Thought
from renege.server.tables.chance import Chance
from renege.server.tables.live import Declined
from renege.server.tables.state import TableState
from renege.server.tables.table import Subscription, Table, looked_at
from renege.server.workers.pool import Workers
from renege.server.workers.shares import Asker

__all__ = ["Declined", "NoTable", "Subscription", "Table", "TableRegistry", "find_rules"]

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is easily taken for another
ID_LENGTH = 10
DAY = 24 * 3600
FORGET_AFTER = 300.0  # seconds without anybody
SWEEP_EVERY = 30.0
EXPIRE_EVERY = 3600.0
MOST_LISTED = 24  # tables of one guest
MOST_TABLES = 2000  # in memory, where nobody is at the least recent ones

log = structlog.get_logger()


class NoTable(LookupError):
    """There is no such table."""


class TableRegistry:
    """The tables. `seed` makes deals repeatable, for tests; else they come from the system's own chance."""

    def __init__(
        self, store: Store, workers: Workers, *, seed: int | None = None, thought: Thought | None = None
    ) -> None:
        self.chance = Chance(seed)
        self._services = TableServices(store, workers, self.chance, thought)
        self._tables: dict[str, Table] = {}
        self._building: dict[str, asyncio.Task[Table]] = {}
        self._made = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tables)

    # -- tables

    async def make(self, new: NewTable, guest: str, network: str = "") -> tuple[Table, int]:
        """Make a table and sit down; the seat is the one that is said to be `me`.

        The bots think on the share of the guest, who comes from a network.
        """
        game = find_rules(new.game, new.preset, new.rules)
        seats = ["me", *["simple"] * (game.players - 1)] if new.seats is None else new.seats
        if len(seats) != game.players:
            raise NotationError(say("this table has {n} seats, and here are {n2}", game.players, len(seats)))
        if seats.count("me") != 1:
            raise NotationError(say("one seat is yours, and here {n} are", seats.count("me")))
        seat = seats.index("me")
        clock = new.clock or Clock(kind="act" if "open" in seats else "none")
        made = events.Made(
            game=game.name,
            version=game.version,
            rules=write_rules(game.rules),
            chairs=tuple("open" if who == "me" else who for who in seats),  # pyright: ignore[reportArgumentType]
            pace=new.pace,
            guest=guest,
            ordinal=self._made,
            promised=self.chance.redeem(new.promise, game) if new.promise else self.chance.new_promise(),
            clock=clock.kind,
            seconds=0 if clock.kind == "none" else clock.seconds,
            substitutes=new.substitutes,
        )
        self._made += 1
        table_id = "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))
        table = Table(made, table_id, self._services)
        table.charge(Asker(network, guest))
        if new.salt is not None:
            table.add_salt(seat, 1, new.salt)
        first = table.and_deal(events.Sat(seat, guest, new.name), table.source())
        await self._services.store.append(table_id, 1, [events.write_event(event) for event in (made, *first)], network)
        for event in first:
            table.go_on(event)
        self._enter(table)
        table.rouse()
        return table, seat

    async def delete(self, table: Table, guest: str) -> bool | None:
        """A guest has a table no longer among theirs. Has it gone with that? None if it was not theirs."""
        seat = table.seating.seat_of(guest)
        if seat is not None:
            await table.leave(seat, guest)
        gone = await self._services.store.forget(table.id, guest)
        if gone:
            self._tables.pop(table.id, None)
            await table.close()
        return gone

    async def find(self, table_id: str) -> Table:
        """A table by its id, from memory or from the store."""
        if (table := self._tables.get(table_id)) is not None:
            table.touched = max(table.touched, time.monotonic())
            return table
        if table_id not in self._building:
            task = self._building[table_id] = asyncio.create_task(self._build(table_id))
            task.add_done_callback(looked_at)
        return await asyncio.shield(self._building[table_id])

    async def tables_of(self, guest: str) -> list[Table]:
        """The tables where a guest sits, the one touched last first."""
        found: list[Table] = []
        for table_id in await self._services.store.tables_of(guest, MOST_LISTED):
            try:
                found.append(await self.find(table_id))
            except BrokenTable as wrong:  # one that cannot be read must not hide the others
                log.error("a table cannot be read", table=table_id, **where(wrong))
        return [table for table in found if any(table.owner(seat) == guest for seat in table.game.all_seats)]

    async def _build(self, table_id: str) -> Table:
        try:
            kept = await self._services.store.events(table_id)
            if not kept:
                raise NoTable(table_id)
            return self._enter(await asyncio.to_thread(_retell, kept, table_id, self._services))
        finally:
            del self._building[table_id]

    def _enter(self, table: Table) -> Table:
        self._tables[table.id] = table
        if len(self._tables) > MOST_TABLES:
            oldest = sorted((t for t in self._tables.values() if t.idle), key=lambda t: t.touched)
            for old in oldest[: len(self._tables) - MOST_TABLES]:
                del self._tables[old.id]
        return table

    # -- coming and going

    async def resume(self) -> None:
        """After a start: let the tables of the last day go on whose bots have something to do."""
        touched = await self._services.store.touched_since(time.time() - DAY)
        self._start(self._wake(touched))
        self._start(self._sweep())
        self._start(self._expire())

    async def close(self) -> None:
        """Put all tables away; the store has them."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._building:
            await asyncio.wait(self._building.values())
        await asyncio.gather(*(table.close() for table in self._tables.values()))
        self._tables.clear()

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _wake(self, table_ids: list[str]) -> None:
        """Build them one after the other: people who come back meanwhile are not kept waiting for the rest."""
        for table_id in table_ids:
            try:
                (await self.find(table_id)).rouse()
            except Exception as wrong:
                log.error("a table cannot be resumed", table=table_id, **where(wrong))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            self.forget(FORGET_AFTER)

    async def _expire(self) -> None:
        while True:
            await asyncio.sleep(EXPIRE_EVERY)
            try:
                pruned = await self._services.store.prune(is_played, {*self._tables})
            except StoreError as wrong:
                log.error("what has expired cannot be deleted", **where(wrong))
            else:
                log.info("deleted what has expired", tables=pruned.tables, records=pruned.records)

    def forget(self, seconds: float) -> None:
        """Forget the tables that nobody has been at for so long."""
        now = time.monotonic()
        for table in [t for t in self._tables.values() if t.idle and now - t.touched >= seconds]:
            del self._tables[table.id]


def is_played(bodies: Sequence[str]) -> bool:
    """Was a deal finished at the table with these events? One that cannot be read here may have been."""
    try:
        return bool(TableState.replayed([events.read_event(body) for body in bodies]).over)
    except Exception:
        return True


def find_rules(game: str, preset: str, rules: dict[str, str]) -> Game:
    """A game by a preset and what differs from it; `NotationError` where there is no such thing."""
    package = GAMES[game]
    if preset not in package.PRESETS:
        raise NotationError(
            say("{quoted} is no preset of {rest}: {rest2}", repr(preset), game, " ".join(package.PRESETS))
        )
    return package.game(read_rules(package.PRESETS[preset], rules))


def _check_version(made: events.Event) -> None:
    """A table of another version of its game is not told again under rules that may judge its acts otherwise."""
    assert isinstance(made, events.Made)
    if made.game not in GAMES:
        raise BrokenTable(say("this table plays {rest}, which is not installed here; its events are kept", made.game))
    ours = find_game(made.game).version
    if made.version != ours:
        raise BrokenTable(
            say(
                "this table is of version {n} of {rest}, and we play version {n2}; its events are kept, and a Renege "
                "with that version can play it on",
                made.version,
                made.game,
                ours,
            )
        )


def _retell(kept: list[StoredEvent], table_id: str, services: TableServices) -> Table:
    """The table whose story the events in the store tell; `BrokenTable` if they tell none."""
    unbroken(kept)
    log: list[events.Event] = []
    for event in kept:
        try:
            log.append(events.read_event(event.text))
        except ValueError:
            raise BrokenTable(
                say("event {n} of this table cannot be read in the database, so it cannot be played on", event.number)
            ) from None
    try:
        _check_version(log[0])
        table = Table.replayed(log, table_id, services)
    except BrokenTable:
        raise
    except Exception as wrong:  # whatever it is, it is the matter of this table alone
        raise BrokenTable(
            "the events of this table do not follow from each other, so it cannot be played on"
        ) from wrong
    table.last_seen = kept[-1].at
    if table.deal is not None and table.deal.position.over:
        _ = table.deal.ending  # here, in a thread, rather than when somebody asks
    return table

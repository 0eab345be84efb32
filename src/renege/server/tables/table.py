"""One table: it takes what people and bots do, keeps it, and tells everybody.

What is done is judged, committed to the store, and only then applied to the state and announced, one act at a time.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import structlog

from renege.core.deal_state import Act
from renege.core.message import say
from renege.core.verdict import Verdict, WrongPhase
from renege.server.logs import where
from renege.server.messages import Language, State
from renege.server.people import PeopleShown, Place
from renege.server.present.replay import ReplayedDeal
from renege.server.present.state import MOST_LINES, plain
from renege.server.store.store import NumberTaken, StoreError, unbroken
from renege.server.tables.bots import BotPlay, TableServices, kitty_call
from renege.server.tables.chance import Source
from renege.server.tables.clock import Timer
from renege.server.tables.events import (
    ActEvent,
    Asked,
    Event,
    Filled,
    Left,
    Made,
    Refused,
    Sat,
    Undone,
    read_event,
    write_event,
)
from renege.server.tables.history import ArchivedDeal, Retelling
from renege.server.tables.live import Declined, LiveDeal, stale
from renege.server.tables.people import People, decided
from renege.server.workers.pool import WorkerLost
from renege.server.workers.thinking import lay_down

ANSWER_WITHIN = 60.0  # seconds, for the others to agree to something
AWAY_AFTER = 5.0  # seconds without a connection, before somebody need not be asked: a page may be loaded again

log = structlog.get_logger()


class Subscription:
    """Somebody who watches a table, from a seat or from none; `next()` waits until something has changed."""

    def __init__(self, table: "Table", seat: int | None) -> None:
        self.seat = seat
        self._table = table
        self._moved = asyncio.Event()
        self.wake = self._moved.set

    async def next(self) -> int:
        """The number of the last event, once something has changed since this was last asked."""
        await self._moved.wait()
        self._moved.clear()
        return self._table.number


class Table(People):
    """A table in memory; `TableRegistry` makes it, or finds it again."""

    def __init__(self, made: Made, table_id: str, services: TableServices) -> None:
        super().__init__(made)
        self.id = table_id
        self.touched = time.monotonic()  # when somebody was last here
        self._services = services
        self._states: dict[tuple[int | None, Language], State] = {}  # as they are shown until the next event
        self._bots = BotPlay(table_id, self, services, self._bot_acts)
        self.rouse = self._bots.rouse
        self.charge = self._bots.charge
        self._lock = asyncio.Lock()
        self._doing: set[asyncio.Task[None]] = set()
        self._watching: set[Subscription] = set()
        self.last_seen = time.time()  # when somebody was here at all, as far as is known
        self._left_at: dict[int, float] = {}  # when the people went who are away, by seat
        self._answers = Timer(self.unanswered)  # for what is asked of the others
        self._wishes = Timer(self.count_wishes)

    # -- what is shown, and told

    @property
    def places(self) -> tuple[Place, ...]:
        gone = {seat for seat in self.seating.people if seat not in self.online}
        return self.seating.places(
            {seat: self._left_at.get(seat, self.last_seen) for seat in gone}, self.requests.wanted
        )

    @property
    def online(self) -> frozenset[int]:
        """The seats to which somebody is connected."""
        return frozenset(watcher.seat for watcher in self._watching if watcher.seat is not None)

    def people_shown(self) -> PeopleShown:
        return super().people_shown().model_copy(update={"clock": self.clock.shown()})

    @property
    def names(self) -> tuple[str, ...]:
        """How the seats are called."""
        return tuple(name or f"seat {seat}" for seat, name in enumerate(self.seating.names))

    def owner(self, seat: int) -> str | None:
        """The guest who sits there."""
        return self.seating.owner(seat)

    @property
    def unread(self) -> Sequence[ArchivedDeal]:
        """The past deals on the score sheet of which nobody has asked yet how they ended."""
        return [d for d in self.sheet[-MOST_LINES:] if isinstance(d, ArchivedDeal) and d.known_ending is None]

    def played(self, deal: int) -> Callable[[], ReplayedDeal] | None:
        """A finished deal, to be looked at; it is told when this is called, in whatever thread. None if there is none
        of that number."""
        over = self.over

        def told() -> ReplayedDeal:
            endings = tuple((one.number, one.ending) for one in over[max(0, deal - MOST_LINES) : deal])
            return ReplayedDeal(over[deal - 1].record, deal, len(over), endings)

        return told if 1 <= deal <= len(over) else None

    def state(self, seat: int | None, lang: Language) -> State:
        if (seat, lang) not in self._states:
            self._states[seat, lang] = self.shown(self.id, seat, self.places, lang)
        return self._states[seat, lang]

    def events(self, seat: int | None, after: int | None, lang: Language) -> Retelling:
        """What has happened since an event, or in this deal, as the seat heard it; told when it is called."""
        return self.history.since(seat, after, self.seating.names, lang)

    # -- who watches

    @asynccontextmanager
    async def subscribe(self, seat: int | None) -> AsyncGenerator[Subscription, None]:
        watcher = Subscription(self, seat)
        self._watching.add(watcher)
        if seat is not None:  # one more is online
            self._announce(watcher)
        self.rouse()
        try:
            if seat is not None:
                await self._arrived(seat)
            yield watcher
        finally:
            self._watching.discard(watcher)
            self.touched = time.monotonic()
            if seat is not None:
                self._departed(seat)

    async def _arrived(self, seat: int) -> None:
        """Who comes back plays on; where that cannot be kept just now, by acting."""
        if seat in self.seating.active and seat not in self.requests.wanted:
            return
        try:
            await self.come_back(seat)
        except (Declined, StoreError) as wrong:
            log.error("a seat could not be taken back", table=self.id, **where(wrong))

    def _departed(self, seat: int) -> None:
        if seat not in self.online:
            self._left_at[seat] = self.last_seen = time.time()
        self._announce()
        if self.requests.wanted:  # fewer are here now who have to agree
            self._wishes.set(AWAY_AFTER)

    def _announce(self, but: Subscription | None = None) -> None:
        self._states.clear()
        self.clock.update(bool(self.online))
        if self.pending is None:
            self._answers.stop()
        elif not self._answers.busy:
            self._answers.set(ANSWER_WITHIN)
        for watcher in self._watching:
            if watcher is not but:
                watcher.wake()

    @property
    def idle(self) -> bool:
        """Is nobody here, and nothing going on?"""
        waits = self._answers.busy or self._wishes.busy
        return not (self._watching or self._doing or self._bots.busy or waits)

    async def close(self) -> None:
        """Stop the bots and the clocks, and wait for what is being kept."""
        self.clock.stop()
        self._answers.stop()
        self._wishes.stop()
        await self._bots.stop()
        if self._doing:
            await asyncio.wait(self._doing)

    # -- what people do; each is done, or `Declined`

    @decided
    def sit(self, seat: int, guest: str, name: str) -> Sequence[Event]:
        """Take a seat that is open or, between deals, a bot's. When the last is taken, cards are dealt."""
        mine = self.seating.seat_of(guest)
        if mine == seat:
            return ()
        if mine is not None:
            raise Declined("seat", say("you sit at this table already, as {seat}", mine))
        if self.owner(seat) is not None:
            raise Declined("seat", say("{seat} is taken", seat))
        if not self.may_sit(seat, guest):
            raise Declined("seat", "a deal is being played, and only who left a seat in it may come back to it")
        return self.and_deal(Sat(seat, guest, name), self.source())

    @decided
    def leave(self, seat: int, guest: str) -> Sequence[Event]:
        if self.owner(seat) != guest:
            raise Declined("seat", say("{seat} is not yours", seat))
        return (Left(seat, guest, self.seating.names[seat]),)

    @decided
    def fill(self, at: int) -> Sequence[Event]:
        """Let bots take the open seats."""
        if at != self.number:
            raise stale()
        if self.deal is not None:
            raise Declined("seat", "no seat is open")
        return self.and_deal(Filled(), self.source())

    @decided
    def act(self, seat: int, what: str, at: int) -> Sequence[Event]:
        deal = self._dealt(seat, at)
        if kitty_call(deal) is not None:
            raise Declined("turn", "the kitty is turned up now")
        took = self.clock.took(seat)
        done = [
            msgspec.structs.replace(event, took=took) if isinstance(event, ActEvent) else event
            for event in deal.attempt(seat, what)
        ]
        return [*self.back(seat), *done]

    @decided
    def undo(self, seat: int, at: int) -> Sequence[Event]:
        """Take back the last act; where other people play, ask them."""
        deal, to = self._dealt(seat, at), self.undo_to(seat)
        if to is not None:
            asked = Asked("undo", seat, to)
            if not self.asked_of(asked):
                return (Undone(seat, to),)
            if self.requests.was_declined(asked):
                raise Declined("undo", "the others have declined that already")
            self.check_nothing_pending()
            return (*self.back(seat), asked)
        if not deal.record.acts or deal.record.acts[-1].seat != seat:
            raise Declined("undo", "the last act was not yours")
        raise Declined("undo", "the act has shown something that was hidden")

    async def claim(self, seat: int, at: int) -> None:
        """Lay down the hand and claim the rest; a claim that holds is played out."""
        position = self._claimed(seat, at).position
        try:
            verdict, line = await self._services.workers.run_for(self._bots.asker, "hint", lay_down, position, seat)
        except WrongPhase as wrong:
            raise Declined("turn", plain(wrong)) from None
        except (WorkerLost, TimeoutError):
            raise Declined("turn", "nobody can say just now whether that holds") from None
        await self._settle(seat, at, verdict, line)

    @decided
    def _settle(self, seat: int, at: int, verdict: Verdict, line: Sequence[Act]) -> Sequence[Event]:
        """Play out a claim that holds, or remember that it did not."""
        deal = self._claimed(seat, at)
        if not verdict:
            why = say("{what}; this seat cannot claim again in this deal", verdict.why)
            raise Declined("illegal", why, verdict, (Refused(seat, "claim"),))
        return [*self.back(seat), *deal.kept_as(line)]

    def _claimed(self, seat: int, at: int) -> LiveDeal:
        deal = self._dealt(seat, at)
        if not deal.may_claim(seat):
            raise Declined("turn", "this seat cannot claim again in this deal")
        return deal

    @decided
    def next(self, seat: int, at: int) -> Sequence[Event]:
        """Deal again; where the game is won, a new one begins."""
        if not self._dealt(seat, at).position.over:
            raise Declined("turn", "the deal is not over")
        return (*self.back(seat), self.next_deal(self.source()))

    @decided
    def _bot_acts(self, at: int, acts: Callable[[LiveDeal], Sequence[Event]]) -> Sequence[Event]:
        """Let a bot act, if nothing has happened since it was asked."""
        return acts(self.deal) if at == self.number and self.deal is not None else ()

    def _dealt(self, seat: int, at: int) -> LiveDeal:
        """The deal, for somebody who sits there and knows how things stand."""
        if self.owner(seat) is None:
            raise Declined("seat", say("nobody sits in {seat}", seat))
        if not self.moved <= at <= self.number:  # who comes and goes meanwhile changes nothing
            raise stale()
        if self.deal is None:
            raise Declined("turn", "the table waits for people")
        return self.deal

    def add_salt(self, seat: int, deal: int, salt: str) -> None:
        """A seat adds to the next deal. What was meant for another is passed over: its page will hear of that one."""
        if deal == self.deal_number + 1:
            self.salts[seat] = salt

    def source(self) -> Source:
        """What the next deal is drawn from."""
        chance = self._services.chance
        return chance.source(self.made.ordinal, self.deal_number + 1, self.promised, self.salts)

    # -- keeping and telling

    async def do(self, decide: Callable[[], Sequence[Event]]) -> None:
        """Do it even if the one who asked has gone meanwhile: half of it would leave the story behind the store."""
        task = asyncio.create_task(self._keep(decide))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        task.add_done_callback(looked_at)
        await asyncio.shield(task)

    async def _keep(self, decide: Callable[[], Sequence[Event]]) -> None:
        """What is decided now becomes part of the story once it is in the store; so does what a refusal leaves."""
        declined: Declined | None = None
        async with self._lock:
            try:
                happened = decide()
            except Declined as no:
                happened, declined = no.happened, no
            if happened:
                await self._put(happened)
        if declined is not None:
            raise declined

    async def _put(self, happened: Sequence[Event]) -> None:
        try:
            await self._services.store.append(self.id, self.number + 1, [write_event(event) for event in happened])
        except NumberTaken:
            kept = await self._services.store.events(self.id, self.number)
            self._tell([read_event(event.text) for event in unbroken(kept, self.number)])  # of another server
            raise stale() from None
        self._tell(happened)

    def _tell(self, happened: Sequence[Event]) -> None:
        for event in happened:
            self.go_on(event)
            if isinstance(event, Sat):
                self._left_at[event.seat] = time.time()
        self.touched, self.last_seen = time.monotonic(), time.time()
        self._announce()
        self._bots.moved()


def looked_at(task: asyncio.Task[Any]) -> None:
    """What went wrong has been seen to, even if whoever asked has gone meanwhile."""
    if not task.cancelled():
        task.exception()

"""What the people at a table do for each other and ask of each other, beside the cards.

Somebody may be away: the others agree on a bot, or the clock does. An act may be taken back, and a substitute may sit
down, if all agree. A seat stays its owner's until the owner leaves it or the host frees it.
"""

from abc import abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar

from renege.core.message import say
from renege.server.tables.clock import TurnClock
from renege.server.tables.events import (
    Agreed,
    Asked,
    BotWanted,
    Event,
    Freed,
    Made,
    PlayedFor,
    Returned,
    Sat,
    Undone,
    Unwilling,
)
from renege.server.tables.live import Declined, stale
from renege.server.tables.state import TableState

P = ParamSpec("P")
TableHere = TypeVar("TableHere", bound="People")
Doing: TypeAlias = Coroutine[Any, Any, None]


def decided(decide: Callable[Concatenate[TableHere, P], Sequence[Event]]) -> Callable[Concatenate[TableHere, P], Doing]:
    """Let what a method decides be done: one at a time, kept, then told."""

    @wraps(decide)
    def do(table: TableHere, *args: P.args, **kwargs: P.kwargs) -> Doing:
        return table.do(lambda: decide(table, *args, **kwargs))

    return do


class People(TableState):
    """The people of a table; `Table` keeps what they do."""

    def __init__(self, made: Made) -> None:
        super().__init__(made)
        self.clock = TurnClock(self, self.time_is_up)

    @property
    @abstractmethod
    def online(self) -> frozenset[int]:
        """The seats to which somebody is connected."""

    @abstractmethod
    async def do(self, decide: Callable[[], Sequence[Event]]) -> None:
        """Let what is decided happen."""

    # -- who is away

    @decided
    def want_bot(self, by: int, seat: int) -> Sequence[Event]:
        """Ask that a bot play for somebody. It does once all ask for it who are here; the seat stays that person's."""
        if not self.playing or seat == by or seat not in self.seating.people:
            raise Declined("seat", "a bot plays for somebody else who sits here, while a deal is played")
        if seat not in self.seating.active or by in self.requests.wanted.get(seat, ()):
            return ()
        if seat in self.online and not self.clock.may_be_asked_for(seat):
            raise Declined("seat", say("{seat} is here; wait a little", seat))
        wish = BotWanted(seat, by)
        after = self.requests.after(wish, self.number + 1)
        agreed = after.all_want(seat, self._here | {by})
        return (*self.back(by), wish, *([self._played_for(seat, "others")] if agreed else []))

    @decided
    def count_wishes(self) -> Sequence[Event]:
        """Somebody has gone: do all who are left ask for a bot?"""
        if not self.playing:
            return ()
        wanted = [seat for seat in self.requests.wanted if seat in self.seating.active]
        return [self._played_for(s, "others") for s in wanted if self.requests.all_want(s, self._here)]

    @property
    def _here(self) -> frozenset[int]:
        """The people who are connected and play themselves."""
        return self.online.intersection(self.seating.active)

    def _played_for(self, seat: int, why: Literal["clock", "others"]) -> PlayedFor:
        return PlayedFor(seat, self.stand_in_level, why, self.clock.took(seat))

    @decided
    def time_is_up(self) -> Sequence[Event]:
        seat = self.waits_for
        return () if seat is None or not self.clock.is_up(seat) else (self._played_for(seat, "clock"),)

    @decided
    def come_back(self, seat: int) -> Sequence[Event]:
        """Take one's play back from the bot that has it, or that the others ask for."""
        return self.back(seat)

    def back(self, seat: int) -> Sequence[Event]:
        """The event that somebody is back, where that is news; it comes before whatever they do."""
        gone = seat in self.seating.people and seat not in self.seating.active
        return (Returned(seat),) if gone or seat in self.requests.wanted else ()

    # -- what people ask of each other

    @decided
    def reply(self, seat: int, to: int, yes: bool) -> Sequence[Event]:
        """Agree to what is asked for, or not; when the last has agreed, it is done."""
        pending = self.pending
        if pending is None or pending.number != to:
            raise stale()
        asked = pending.asked
        mine = asked.what == "undo" and asked.seat == seat
        if mine and yes:
            raise Declined("seat", "the others are asked")
        if yes and asked.what == "undo" and self.undo_to(asked.seat) != asked.to:  # something was shown meanwhile
            raise Declined("undo", "the act has shown something that was hidden")
        if not yes:
            return (*self.back(seat), Unwilling(asked.what, seat))
        agreed = pending.agreed | {seat}
        done = all(other in agreed for other in self.asked_of(asked))
        return (*self.back(seat), Agreed(asked.what, seat), *([self._granted(asked)] if done else []))

    def _granted(self, asked: Asked) -> Event:
        if asked.what == "undo":
            return Undone(asked.seat, asked.to)
        assert asked.guest is not None
        return Sat(asked.seat, asked.guest, asked.name)

    @decided
    def unanswered(self) -> Sequence[Event]:
        """Nobody waits for an answer for ever."""
        return () if self.pending is None else (Unwilling(self.pending.asked.what),)

    def check_nothing_pending(self) -> None:
        if self.pending is not None:
            raise Declined("turn", "something else is asked of the people here; wait for their answer")

    @decided
    def ask_for_seat(self, seat: int, guest: str, name: str) -> Sequence[Event]:
        """Ask the others for a seat in the middle of a deal, for somebody who has left."""
        if self.seating.seat_of(guest) is not None:
            raise Declined("seat", "you sit at this table already")
        if self.seating.owner(seat) is not None:
            raise Declined("seat", say("{seat} is taken", seat))
        if self.may_sit(seat, guest):
            raise Declined("seat", "this seat can be taken without asking")
        if (why := self.why_no_substitute(seat, guest)) is not None:
            raise Declined("seat", why)
        self.check_nothing_pending()
        return (Asked("seat", seat, guest=guest, name=name),)

    @decided
    def free(self, by: int, seat: int) -> Sequence[Event]:
        """The host frees a seat: a bot goes on, and between deals anybody may sit down there."""
        guest = self.seating.owner(seat) if seat in self.seating.people else None
        if by != self.host:
            raise Declined("seat", "only the host frees seats")
        if guest is None or seat == by:
            raise Declined("seat", "the host frees a seat that somebody else has")
        return (Freed(seat, guest, self.seating.names[seat], self.stand_in_level),)

"""What the people at a table ask of each other: a bot for who does not act, an act taken back, a seat in mid-deal.

All of it follows from the events and ends with the deal.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from renege.server.levels import RequestKind
from renege.server.tables.events import (
    ActEvent,
    Agreed,
    Asked,
    BotWanted,
    Dealt,
    Event,
    Freed,
    Left,
    PlayedFor,
    Returned,
    Sat,
    Undone,
    Unwilling,
)


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that is still to be answered: its event, and who has agreed so far."""

    number: int
    asked: Asked
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Requests:
    """The requests of a deal: seats for which others ask for a bot, what is pending, and what was declined."""

    wanted: Mapping[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    pending: Pending | None = None
    declined: frozenset[tuple[RequestKind, int]] = frozenset()  # each is asked once: an act, and a seat

    def was_declined(self, asked: Asked) -> bool:
        return _key(asked) in self.declined

    def after(self, event: Event, number: int) -> "Requests":
        match event:
            case Dealt():
                return Requests()
            case BotWanted(seat=seat, by=by):
                return replace(self, wanted={**self.wanted, seat: self.wanted.get(seat, frozenset()) | {by}})
            case PlayedFor(seat=seat) | Returned(seat=seat):
                return self._settled(seat)
            case Left(seat=seat) | Freed(seat=seat) | Sat(seat=seat):
                mine = self.pending is not None and self.pending.asked.seat == seat
                return replace(self._settled(seat), pending=None if mine else self.pending)
            case ActEvent() | Undone():  # the act that was to be taken back is no longer the last, or is gone
                moved = self.pending is not None and self.pending.asked.what == "undo"
                return replace(self._settled(event.seat), pending=None if moved else self.pending)
            case Asked():
                return replace(self, pending=Pending(number, event))
            case Agreed(seat=seat) if self.pending is not None:
                return replace(self, pending=replace(self.pending, agreed=self.pending.agreed | {seat}))
            case Unwilling() if self.pending is not None:
                return replace(self, pending=None, declined=self.declined | {_key(self.pending.asked)})
            case _:
                return self

    def _settled(self, seat: int) -> "Requests":
        """Nobody asks for a bot there any more."""
        if seat not in self.wanted:
            return self
        return replace(self, wanted={other: by for other, by in self.wanted.items() if other != seat})

    def all_want(self, seat: int, others: Iterable[int]) -> bool:
        """Do all of the others ask for a bot at a seat, and is there one at all?"""
        needed = frozenset(others) - {seat}
        return bool(needed) and needed <= self.wanted.get(seat, frozenset())


def _key(asked: Asked) -> tuple[RequestKind, int]:
    return asked.what, asked.to if asked.what == "undo" else asked.seat

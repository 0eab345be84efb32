"""The history of a table: its events as each seat heard them, past deals as compressed events.

A table may have hundreds of deals behind it, and hardly anybody looks at more than a few. What was done in one is kept
as packed text; to tell it, that deal alone is played again. How it ended is kept once it is known, for the score sheet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import cast

from renege.core.game import Game
from renege.core.message import say
from renege.core.record import Record
from renege.i18n import Speech, join
from renege.server.messages import Event, EventKind, Language
from renege.server.present.state import Ending, event_text
from renege.server.tables import events
from renege.server.tables.live import Heard, LiveDeal

CHOSEN = {  # for a bot that had no time, or failed
    "network": "there was no time to search, so the network chose",
    "rulebook": "there was no time to search, so the rules of thumb chose",
    "first": "nobody could choose, so it was the first that is legal",
}
MOST_TOLD = 32  # of all tables, kept for who asks for the same again


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with what is needed to tell it: an act as it was heard, or the name of who came or went."""

    number: int
    deal: int
    event: events.Event
    heard: Heard | None = None


@dataclass(slots=True, eq=False)
class ArchivedDeal:
    """What happened from one deal to the next; the first, which has none, from the making of the table to a deal."""

    game: Game
    number: int  # of the deal, 0 before the first
    opens: bool
    first: int  # event
    length: int
    packed: bytes
    known_ending: Ending | None = None  # where somebody has asked

    @property
    def last(self) -> int:
        return self.first + self.length - 1

    @property
    def record(self) -> Record:
        deal, _ = _told(self)
        assert deal is not None
        return deal.record

    @property
    def ending(self) -> Ending:
        if self.known_ending is None:
            deal, _ = _told(self)
            assert deal is not None
            self.known_ending = deal.ending
        return self.known_ending

    @property
    def entries(self) -> Sequence[Entry]:
        return _told(self)[1]


@lru_cache(MOST_TOLD)
def _told(chapter: ArchivedDeal) -> tuple[LiveDeal | None, tuple[Entry, ...]]:
    """Its deal as it was at the end, and its events."""
    deal: LiveDeal | None = None
    entries: list[Entry] = []
    for number, event in enumerate(events.unpack(chapter.packed), start=chapter.first):
        heard = None
        if isinstance(event, events.Dealt):
            deal = LiveDeal(chapter.game, event)
        elif deal is not None:
            heard = deal.follow(event, number)
        entries.append(Entry(number, chapter.number, event, heard))
    return deal, tuple(entries)


class History:
    """The events of a table, in order: the archived deals, then those of this deal."""

    def __init__(self, game: Game, made: events.Made) -> None:
        self._game = game
        self._past: list[ArchivedDeal] = []
        self._entries = [Entry(1, 0, made)]

    @property
    def deal(self) -> int:
        """The number of this deal; 0 before the first."""
        return self._entries[0].deal

    @property
    def deals(self) -> list[ArchivedDeal]:
        """The deals before this one: deal n stands at n - 1."""
        return self._past[1:]

    def add(self, number: int, event: events.Event, heard: Heard | None = None, ended: Ending | None = None) -> None:
        """The next event. A new deal closes the one before, of which `ended` may be known."""
        if isinstance(event, events.Dealt):
            first, packed = self._entries[0], events.pack([entry.event for entry in self._entries])
            opens = isinstance(first.event, events.Dealt) and first.event.opens
            past = ArchivedDeal(self._game, first.deal, opens, first.number, len(self._entries), packed, ended)
            self._past.append(past)
            self._entries = [Entry(number, event.deal, event)]
        else:
            self._entries.append(Entry(number, self.deal, event, heard))

    def since(self, seat: int | None, after: int | None, names: Sequence[str], language: Language) -> "Retelling":
        """The events after a number, or those of this deal, as a seat heard them."""
        begins = self._entries[0].number
        after = begins - 1 if after is None else max(0, after)
        past = tuple(chapter for chapter in self._past if chapter.last > after)
        return Retelling(after, past, tuple(self._entries[max(0, after + 1 - begins) :]), seat, tuple(names), language)


@dataclass(frozen=True, slots=True)
class Retelling:
    """The events after a number, as messages for one seat; made when this is called."""

    after: int
    past: tuple[ArchivedDeal, ...]  # each has to be played again for it
    entries: tuple[Entry, ...]
    seat: int | None
    names: tuple[str, ...]
    language: Language

    def __len__(self) -> int:
        return len(self.entries) + sum(chapter.last - max(self.after, chapter.first - 1) for chapter in self.past)

    def __call__(self) -> list[Event]:
        missed = (entry for chapter in self.past for entry in chapter.entries if entry.number > self.after)
        return [format_event(entry, self.seat, self.names, self.language) for entry in chain(missed, self.entries)]


def _heard_text(heard: Heard, seat: int | None, speech: Speech) -> str:
    return event_text(heard.scene, heard.by(seat), speech, heard.shows)


def format_event(entry: Entry, seat: int | None, names: Sequence[str], language: Language) -> Event:
    """An event as a seat heard it, in its language."""
    event, what = entry.event, ""
    if isinstance(event, events.Sat | events.Left | events.Freed):  # by the name of then: a bot may sit there now
        names = [event.name if other == event.seat else name for other, name in enumerate(names)]
    speech, heard = Speech(language, names), entry.heard
    text = speech.say(_sentence(event)) if heard is None else _heard_text(heard, seat, speech)
    if isinstance(event, events.ActEvent) and event.chosen:
        text = speech.say(join("; ", (text, CHOSEN[event.chosen])))
    if heard is not None:
        what = heard.scene.spell(heard.by(seat).what)
    return Event(
        number=entry.number,
        deal=entry.deal,
        kind=cast(EventKind, event.__struct_config__.tag),
        seat=event.dealer if isinstance(event, events.Dealt) else getattr(event, "seat", None),
        what=what,
        text=text,
        trick=None if heard is None else heard.trick,
    )


def _sentence(event: events.Event) -> str:
    match event:
        case events.Made():
            return "the table is made"
        case events.Sat(seat=seat):
            return say("{seat} sits down", seat)
        case events.Left(seat=seat):
            return say("{seat} stands up", seat)
        case events.Filled():
            return "bots take the open seats"
        case events.Dealt(deal=number):
            return say("deal {n}", number)
        case events.Undone(seat=seat):
            return say("{seat} takes that back", seat)
        case events.Refused(seat=seat, what="claim"):
            return say("{seat} claims the rest, and the claim does not hold", seat)
        case events.Refused(seat=seat):
            return say("{seat} tries a throw, and another hand stops it", seat)
        case events.ActEvent(seat=seat, what=what):
            return say("{seat}: {call}", seat, what)
        case events.BotWanted(seat=seat, by=by):
            return say("{seat} asks that a bot play for {seat2}", by, seat)
        case events.PlayedFor(seat=seat, why="clock"):
            return say("the time of {seat} is up, and a bot plays on", seat)
        case events.PlayedFor(seat=seat):
            return say("a bot plays for {seat}, as the others have agreed", seat)
        case events.Returned(seat=seat):
            return say("{seat} is back", seat)
        case events.Freed(seat=seat):
            return say("the host frees the seat of {seat}", seat)
        case events.Asked() | events.Agreed() | events.Unwilling():
            return _request_sentence(event)


def _request_sentence(event: events.Asked | events.Agreed | events.Unwilling) -> str:
    match event:
        case events.Asked(what="undo", seat=seat):
            return say("{seat} asks to take that back", seat)
        case events.Asked(name=name, seat=seat):
            return say("{name} asks to play on for {seat}", name, seat)
        case events.Agreed(seat=seat):
            return say("{seat} agrees", seat)
        case events.Unwilling(seat=None):
            return "not all have agreed in time"
        case events.Unwilling(seat=seat):
            return say("{seat} does not agree", seat)

"""The archive of a table: past deals as compressed events, replayed when somebody asks for one.

A table may have hundreds of deals behind it, and hardly anybody looks at more than a few. What was done in one is kept
as packed text; to tell it, that deal alone is played again. How it ended is kept once it is known, for the score sheet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from renege.core.game import Game
from renege.core.record import Record
from renege.server.present.state import Ending
from renege.server.tables import events
from renege.server.tables.live import Heard, LiveDeal

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
        """The number of its last event."""
        return self.first + self.length - 1

    @property
    def record(self) -> Record:
        deal, _ = _told(self)
        assert deal is not None
        return deal.record

    @property
    def ending(self) -> Ending:
        """How its deal has ended."""
        if self.known_ending is None:
            deal, _ = _told(self)
            assert deal is not None
            self.known_ending = deal.ending
        return self.known_ending

    @property
    def entries(self) -> Sequence[Entry]:
        """Its events, to be told."""
        return _told(self)[1]


def close_chapter(game: Game, entries: Sequence[Entry], ending: Ending | None) -> ArchivedDeal:
    """Put away what has happened up to a new deal."""
    dealt = entries[0].event
    opens = isinstance(dealt, events.Dealt) and dealt.opens
    packed = events.pack([entry.event for entry in entries])
    return ArchivedDeal(game, entries[0].deal, opens, entries[0].number, len(entries), packed, ending)


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

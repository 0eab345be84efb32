"""What follows from the events of a table: who sits where, the deals, and whose turn it is.

A story is told event by event, live or from the store, and comes to the same. It knows no clock, no database and nobody
who listens.
"""

from renege.game import SEATS, Game, Standing
from renege.games import find_game
from renege.position import deal_position
from renege.record import GameRecord, Record
from renege.table.events import Act, Dealt, Event, Made, Sat, Undone
from renege.table.history import Entry, History
from renege.table.live import LiveDeal, deal_event
from renege.table.messages import Phase
from renege.table.seating import Seating
from renege.view import Course, View


class Story:
    """A table as its events tell it; the first says how it was made."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.game: Game = find_game(made.game, made.rules)
        self.seating = Seating().after(made, begun=False)
        self.number = 1
        self.deal: LiveDeal | None = None
        self.history = History()
        self.history.add(Entry(1, 0, made))
        self._past: list[LiveDeal] = []
        self._held: set[tuple[int, str]] = set()  # the seats in this deal, and who had them

    def go_on(self, event: Event) -> None:
        """What follows from the next event."""
        heard = None
        self.seating = self.seating.after(event, begun=self.deal is not None)
        match event:
            case Dealt():
                if self.deal is not None:
                    self.deal.forget_views()
                    self._past.append(self.deal)
                self.deal = LiveDeal(self.game, event)
                self._held = {(s, guest) for s in SEATS if (guest := self.seating.owner(s)) is not None}
            case Sat(seat=seat, guest=guest):
                self._held.add((seat, guest))
            case Act():
                assert self.deal is not None
                heard = self.deal.do(event, self.number + 1)
            case Undone(to=to):
                assert self.deal is not None
                self.deal.take_back(to)
            case _:
                pass
        self.number += 1
        self.history.add(Entry(self.number, self.deal_number, event, heard))

    # -- how things stand

    @property
    def deal_number(self) -> int:
        """From 1; 0 before the first deal."""
        return 0 if self.deal is None else self.deal.number

    @property
    def phase(self) -> Phase:
        if self.deal is None:
            return "waiting"
        if not self.deal.position.over:
            return "talk" if self.deal.position.talking else "play"
        return "over" if self.deal.winner is None else "won"

    @property
    def over(self) -> list[LiveDeal]:
        """The deals that are over, the last one too."""
        return [*self._past, self.deal] if self.deal is not None and self.deal.position.over else self._past

    @property
    def finished(self) -> tuple[Record, ...]:
        return tuple(deal.record for deal in self.over)

    @property
    def games(self) -> tuple[GameRecord, ...]:
        """The finished deals, game by game."""
        found: list[GameRecord] = []
        for deal in self.over:
            before = found.pop().deals if found and not deal.opens else ()
            found.append(GameRecord(self.game, (*before, deal.record)))
        return tuple(found)

    @property
    def sheet(self) -> list[LiveDeal]:
        """The finished deals of the game that is played."""
        deals = [*self._past, *([] if self.deal is None else [self.deal])]
        first = max((i for i, deal in enumerate(deals) if deal.opens), default=0)
        return self.over[first:]

    def view(self, seat: int) -> View:
        """What a seat has seen of the deal."""
        return View(self._nothing_yet.start, (), seat) if self.deal is None else self.deal.view(seat)

    def public(self) -> Course:
        """What a spectator has seen of the deal."""
        return self._nothing_yet if self.deal is None else self.deal.public()

    @property
    def _nothing_yet(self) -> Course:
        none = self.game.deck.none
        return Course(deal_position(self.game, self.game.opening, (none,) * len(SEATS), none))

    # -- what may come next

    def may_sit(self, seat: int, guest: str) -> bool:
        """May a guest take a seat that is free? While cards are held, only who held them: none sees two hands.

        A table that all have left may be taken up again by somebody who has seen no hand of it.
        """
        if self.deal is None or self.deal.position.over or (seat, guest) in self._held:
            return True
        return not self.seating.people and all(other != guest for _, other in self._held)

    def undo_to(self, seat: int) -> int | None:
        """The event to which a seat may go back: at a table with one person, and if it has seen nothing by its act."""
        return None if self.deal is None or self.seating.people != (seat,) else self.deal.undo_to(seat)

    def and_deal(self, event: Event, seed: int) -> list[Event]:
        """An event and, where it closes the last open seat, the first deal."""
        full = not self.seating.after(event, begun=False).waiting
        return [event, self.first_deal(seed)] if self.deal is None and full else [event]

    def first_deal(self, seed: int) -> Dealt:
        """The deal that begins a game."""
        return deal_event(self.game, self.deal_number + 1, seed, self.game.opening, opens=True)

    def next_deal(self, seed: int) -> Dealt:
        """The deal after one that is over; where the game is won, of a new one."""
        assert self.deal is not None
        if self.deal.winner is not None:
            return self.first_deal(seed)
        standing: Standing = self.deal.next_standing
        return deal_event(self.game, self.deal_number + 1, seed, standing, opens=False)

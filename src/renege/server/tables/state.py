"""The state of a table, derived from its events (event sourcing): who sits where, the deals, and whose turn it is.

It is the same whether the events come live or from the store, and knows no clock, no database and no listeners. The
present deal is in memory; a past one is replayed when somebody asks for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, TypeAlias

from renege.agents.best import best_player
from renege.core.fair import FairDeal
from renege.core.game import Game
from renege.core.position import Course, View, deal_position
from renege.core.record import GameRecord
from renege.core.registry import find_game
from renege.i18n import Speech
from renege.server.levels import LEVELS, Chair, Level
from renege.server.messages import FairShown, Language, Phase, SheetLine, State
from renege.server.names import look_of
from renege.server.people import PeopleShown, Place, Request
from renege.server.present.state import MOST_LINES, Ending, Setting, result_shown, sheet_line, state
from renege.server.tables.chance import Source
from renege.server.tables.events import (
    ActEvent,
    Asked,
    Dealt,
    Event,
    Filled,
    Freed,
    Left,
    Made,
    PlayedFor,
    Refused,
    Returned,
    Sat,
    Undone,
)
from renege.server.tables.history import ArchivedDeal, History
from renege.server.tables.live import Heard, LiveDeal, deal_event
from renege.server.tables.requests import Pending, Requests
from renege.server.workers.thinking import THINKING_MS

Finished: TypeAlias = ArchivedDeal | LiveDeal  # a deal that is over
# Of each seat's names the bot there has the first that no person at the table has; at most seven people could have one.
BOT_NAMES = (
    ("Ada", "Eva", "Ida", "Mia", "Alba", "Asta", "Alma", "Ava"),
    ("Ben", "Finn", "Jon", "Nils", "Bob", "Bela", "Bo", "Basil"),
    ("Cleo", "Gina", "Kira", "Olga", "Cora", "Clea", "Carla", "Celia"),
    ("Dan", "Hugo", "Leo", "Paul", "Dirk", "Dino", "David", "Damon"),
    ("Ella", "Edda", "Enya", "Elsa", "Emma", "Esther", "Erika", "Eden"),
    ("Fred", "Felix", "Falk", "Fabio", "Ferdi", "Fritz", "Flynn", "Foster"),
    ("Greta", "Grace", "Gerda", "Gloria", "Gitta", "Ginger", "Gaby", "Gwen"),
    ("Hans", "Henri", "Hasan", "Holger", "Horst", "Heiko", "Harry", "Hector"),
)
HURRIED = "the server had no time for some bots in this deal, and they played without a search"


@dataclass(frozen=True, slots=True)
class Sitter:
    """One of the seats: a guest with a name, or what kind of chair it is."""

    chair: Chair
    guest: str | None = None
    name: str = ""
    stand_in: Level | None = None  # the bot that plays for the guest, who is away

    @property
    def level(self) -> Level | None:
        """How the bot here plays; None where there is none."""
        return None if self.guest is not None or self.chair == "open" else self.chair


@dataclass(frozen=True, slots=True)
class Seating:
    """Who has the seats: people, bots, or nobody yet."""

    sitters: tuple[Sitter, ...] = ()

    @property
    def waiting(self) -> bool:
        """Is a seat still open?"""
        return any(sitter.guest is None and sitter.chair == "open" for sitter in self.sitters)

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, sitter in enumerate(self.sitters) if sitter.guest is not None)

    @property
    def active(self) -> tuple[int, ...]:
        """The people for whom no bot plays."""
        return tuple(seat for seat in self.people if self.sitters[seat].stand_in is None)

    @property
    def bots(self) -> dict[int, Level]:
        """The seats of bots, with the level of each."""
        return {seat: level for seat, sitter in enumerate(self.sitters) if (level := sitter.level) is not None}

    @property
    def played(self) -> dict[int, Level]:
        """The seats for which bots act: their own, and those of people who are away."""
        played = self.bots
        played.update({seat: s.stand_in for seat, s in enumerate(self.sitters) if s.stand_in is not None})
        return played

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(self._name, range(len(self.sitters))))

    def owner(self, seat: int) -> str | None:
        return self.sitters[seat].guest

    def seat_of(self, guest: str) -> int | None:
        return next((seat for seat, sitter in enumerate(self.sitters) if sitter.guest == guest), None)

    def after(self, event: Event, *, begun: bool) -> "Seating":
        """The seats after an event; once cards are dealt, a bot takes the place of who leaves."""
        match event:
            case Made(chairs=chairs):
                return Seating(tuple(map(Sitter, chairs)))
            case Sat(seat=seat, guest=guest, name=name):
                return self._with(seat, replace(self.sitters[seat], guest=guest, name=name, stand_in=None))
            case Left(seat=seat):
                chair = self.sitters[seat].chair
                return self._with(seat, Sitter("simple" if begun and chair == "open" else chair))
            case Freed(seat=seat, level=level):
                chair = self.sitters[seat].chair
                return self._with(seat, Sitter(level if begun and chair == "open" else chair))
            case PlayedFor(seat=seat, level=level):
                return self._with(seat, replace(self.sitters[seat], stand_in=level))
            case Returned(seat=seat):
                return self._with(seat, replace(self.sitters[seat], stand_in=None))
            case Filled():
                return Seating(tuple(replace(s, chair="simple") if s.chair == "open" else s for s in self.sitters))
            case _:
                return self

    def places(
        self, away: Mapping[int, float], wanted: Mapping[int, frozenset[int]] | None = None
    ) -> tuple[Place, ...]:
        """The seats as everybody sees them: the people who are `away`, since a moment, and who wants a bot for whom."""
        by = wanted or {}
        return tuple(self._place(seat, away.get(seat), sorted(by.get(seat, ()))) for seat in range(len(self.sitters)))

    def _with(self, seat: int, sitter: Sitter) -> "Seating":
        return Seating((*self.sitters[:seat], sitter, *self.sitters[seat + 1 :]))

    def _place(self, seat: int, away: float | None, wanted: list[int]) -> Place:
        sitter = self.sitters[seat]
        if sitter.guest is not None:
            return Place(
                seat=seat,
                name=sitter.name,
                kind="person",
                online=away is None,
                away_since=away,
                stand_in=sitter.stand_in,
                wanted_by=wanted,
            )
        kind = "open" if sitter.chair == "open" else "bot"
        return Place(seat=seat, name=self._name(seat), kind=kind, level=sitter.level)

    def _name(self, seat: int) -> str:
        sitter = self.sitters[seat]
        if sitter.guest is not None or not sitter.level:
            return sitter.name if sitter.guest is not None else ""
        taken = {look_of(other.name) for other in self.sitters if other.guest is not None}
        return next(name for name in BOT_NAMES[seat] if look_of(name) not in taken)


class TableState:
    """The state after some events; the first event made the table."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.game: Game = find_game(made.game, made.rules)
        self.seating = Seating().after(made, begun=False)
        self.number = 1
        self.deal: LiveDeal | None = None
        self.history = History(self.game, made)
        self.promised = made.promised  # the secret of the next deal; empty where deals come from a number
        self.salts: dict[int, str] = {}  # what seats add to the next deal; kept with it
        self.requests = Requests()
        self.moved = 1  # the event by which the deal last changed, or the table came to be
        self.used: dict[int, float] = {}  # seconds of this deal, by seat
        self._left: dict[int, str] = {}  # the names of those who last left the seats
        self._held: set[tuple[int, str]] = set()  # the seats in this deal, and who had them
        self._lines: dict[Language, tuple[Speech, dict[int, SheetLine]]] = {}  # by deal, told so

    @classmethod
    def replayed(cls, log: Sequence[Event], *about: Any) -> Self:
        """The state after a whole log. Only the last deal is replayed: its start stands in the log."""
        made = log[0]
        assert isinstance(made, Made)
        state = cls(made, *about)
        last = max((place for place, event in enumerate(log) if isinstance(event, Dealt)), default=1)
        for event in log[1:last]:
            state._note(event)
        for event in log[last:]:
            state.go_on(event)
        return state

    def go_on(self, event: Event) -> None:
        heard = ended = None
        if isinstance(event, Dealt):
            ended = None if self.deal is None else self.deal.known_ending
            self.deal = LiveDeal(self.game, event)
        elif self.deal is not None:
            heard = self.deal.follow(event, self.number + 1)
        self._note(event, heard, ended)

    def _note(self, event: Event, heard: Heard | None = None, ended: Ending | None = None) -> None:
        """Who sits where after an event; what was done is told later, or was just now."""
        self.seating = self.seating.after(event, begun=self.deal_number > 0)
        if isinstance(event, Dealt):
            self.promised, self.salts, self.used = event.promised, {}, {}
            self._held = {(s, guest) for s in self.game.all_seats if (guest := self.seating.owner(s)) is not None}
        elif isinstance(event, Sat):
            self._held.add((event.seat, event.guest))
        elif isinstance(event, Left | Freed):
            self._left[event.seat] = event.name
        elif isinstance(event, ActEvent | PlayedFor) and event.took:
            self.used[event.seat] = self.used.get(event.seat, 0.0) + event.took
        self.number += 1
        self.requests = self.requests.after(event, self.number)
        if isinstance(event, Dealt | ActEvent | Undone | Refused | Filled):
            self.moved = self.number
        self.history.add(self.number, event, heard, ended)

    # -- how things stand

    @property
    def deal_number(self) -> int:
        """From 1; 0 before the first deal."""
        return self.history.deal

    @property
    def phase(self) -> Phase:
        if self.deal is None:
            return "waiting"
        if not self.deal.position.over:
            return "talk" if self.deal.position.talking else "play"
        return "over" if self.deal.winner is None else "won"

    @property
    def over(self) -> list[Finished]:
        """The deals that are over, the last one too: deal n stands at n - 1."""
        past = self.history.deals
        return [*past, self.deal] if self.deal is not None and self.deal.position.over else [*past]

    @property
    def sheet(self) -> list[Finished]:
        """The finished deals of the game that is played."""
        deals = [*self.history.deals, *([] if self.deal is None else [self.deal])]
        first = max((i for i, deal in enumerate(deals) if deal.opens), default=0)
        return self.over[first:]

    def view(self, seat: int) -> View:
        return View(self._nothing_yet.start, (), seat) if self.deal is None else self.deal.view(seat)

    def public(self) -> Course:
        return self._nothing_yet if self.deal is None else self.deal.public()

    @property
    def _nothing_yet(self) -> Course:
        none = self.game.deck.none
        return Course(deal_position(self.game, self.game.opening, (none,) * self.game.players, none))

    def shown(self, table_id: str, seat: int | None, places: tuple[Place, ...], lang: Language) -> State:
        """All that a seat is shown, or a spectator."""
        deal, speech = self.deal, Speech(lang, self.seating.names)
        ended = None if deal is None or not deal.position.over else deal
        setting = Setting(
            table=table_id,
            number=self.number,
            deal=self.deal_number,
            phase=self.phase,
            places=places,
            lines=self._sheet(speech, lang),
            may_undo=seat is not None and self.undo_to(seat) is not None,
            may_claim=deal is not None and seat is not None and deal.may_claim(seat),
            result=None if ended is None else result_shown(ended.record, ended.ending, ended.winner, speech),
            fair=self._fair(),
            people=self.people_shown(),
            bots=speech.say(self._strong) if "strong" in self.seating.played.values() else "",
            hurried=speech.say(HURRIED) if deal is not None and deal.hurried else "",
        )
        return state(self.public() if seat is None else self.view(seat), seat, setting, speech)

    def _fair(self) -> FairShown | None:
        """What this deal and the next one are committed to."""
        fair = None if self.deal is None else self.deal.fair
        if not self.promised and fair is None:
            return None
        return FairShown(
            commitment="" if fair is None else fair.commitment(self.game),
            next=FairDeal(self.promised).commitment(self.game) if self.promised else "",
            added=[] if fair is None else [seat for seat, _ in fair.salts],
        )

    @cached_property
    def _strong(self) -> str:
        """How strong bots play here."""
        return best_player(self.game, THINKING_MS).describe("strong bots play {how}")

    def _sheet(self, speech: Speech, lang: Language) -> tuple[SheetLine, ...]:
        """The last lines of the score sheet of this game; their texts are kept for as long as the names stay."""
        before, lines = self._lines.get(lang, (speech, {}))
        told = lines if before == speech else {}
        now = {
            deal.number: told.get(deal.number) or sheet_line(self.game, deal.number, deal.ending, speech)
            for deal in self.sheet[-MOST_LINES:]
        }
        self._lines[lang] = (speech, now)
        return tuple(now.values())

    # -- the people

    @property
    def playing(self) -> bool:
        """Is a deal being played?"""
        return self.deal is not None and not self.deal.position.over

    @property
    def waits_for(self) -> int | None:
        """The person for whom the table waits; None while it waits for a bot or the kitty, or for nobody."""
        if self.deal is None or not self.playing:
            return None
        position = self.deal.position
        if position.talking and position.talk is not None and position.talk.on_kitty:
            return None
        return position.turn if position.turn in self.seating.active else None

    @property
    def host(self) -> int | None:
        """Who may free seats: who made the table or, while that person is away, the first of the others."""
        people = self.seating.active or self.seating.people
        return next((seat for seat in people if self.seating.owner(seat) == self.made.guest), next(iter(people), None))

    @property
    def stand_in_level(self) -> Level:
        """How a bot plays for somebody: like the best bot of the table, by search where there is none."""
        bots = self.seating.bots.values()
        levels: list[Level] = [level for level in LEVELS if level in bots]
        return levels[-1] if levels else "middle"

    @property
    def pending(self) -> Pending | None:
        """What is asked of the others, while the deal is played that it is about."""
        return self.requests.pending if self.playing else None

    def asked_of(self, asked: Asked) -> tuple[int, ...]:
        """Who has to agree to a request: all people for whom no bot plays, but for who asks."""
        return tuple(seat for seat in self.seating.active if asked.what == "seat" or seat != asked.seat)

    def people_shown(self) -> PeopleShown:
        pending, request = self.pending, None
        if pending is not None:
            asked, agreed = pending.asked, sorted(pending.agreed)
            request = Request(
                number=pending.number,
                what=asked.what,
                seat=asked.seat,
                name=asked.name or self.seating.names[asked.seat],
                left=self._left.get(asked.seat, ""),
                agreed=agreed,
                missing=[seat for seat in self.asked_of(asked) if seat not in agreed],
            )
        allows = self.made.substitutes
        vacant = [seat for seat in self.game.all_seats if allows == "middle" and self._is_vacant(seat)]
        return PeopleShown(host=self.host, request=request, substitutes=allows, vacant=vacant)

    def _is_vacant(self, seat: int) -> bool:
        """Has a person left this seat in the deal that is played, and may a substitute ask for it?"""
        left = any(held == seat for held, _ in self._held)
        return self.playing and left and self.seating.owner(seat) is None and len(self.seating.active) > 1

    # -- what may come next

    def may_sit(self, seat: int, guest: str) -> bool:
        """May a guest take a seat that is free? While cards are held, only who held them: none sees two hands.

        That goes for a table that all have left, too: whoever is new to it may be one of them under another name.
        """
        return not self.playing or (seat, guest) in self._held

    def why_no_substitute(self, seat: int, guest: str) -> str | None:
        """Why a guest cannot even ask for a seat in the middle of a deal.

        Somebody new may be one of those who have seen a hand: only people can say who it is, so there have to be two of
        them at least, and all have to agree.
        """
        if self.made.substitutes != "middle":
            return "at this table a substitute sits down between deals"
        if any(other == guest for _, other in self._held):
            return "who has seen one hand of a deal cannot sit in another seat of it"
        if not self._is_vacant(seat):
            return "in the middle of a deal a substitute may ask only for a seat that a person has left, of two others"
        if self.requests.was_declined(Asked("seat", seat)):
            return "the others have declined that in this deal"
        return None

    def undo_to(self, seat: int) -> int | None:
        """The event to which a seat may go back, or ask to: if its last act has shown nothing to a person."""
        return None if self.deal is None else self.deal.undo_to(seat, self.seating.people)

    def and_deal(self, event: Event, source: Source) -> list[Event]:
        """An event and, where it closes the last open seat, the first deal."""
        full = not self.seating.after(event, begun=False).waiting
        return [event, self.next_deal(source)] if self.deal is None and full else [event]

    def next_deal(self, source: Source) -> Dealt:
        """The first deal, or the one after a deal that is over; where the game is won, of a new one."""
        goes_on = self.deal is not None and self.deal.winner is None
        standing = self.deal.next_standing if self.deal is not None and goes_on else self.game.opening
        return deal_event(self.game, self.deal_number + 1, source, standing, opens=not goes_on)


def games_of(game: Game, deals: Sequence[Finished]) -> tuple[GameRecord, ...]:
    """Finished deals, game by game, as records are written; each is played again for it."""
    found: list[GameRecord] = []
    for deal in deals:
        before = found.pop().deals if found and not deal.opens else ()
        found.append(GameRecord(game, (*before, deal.record)))
    return tuple(found)

"""What a game supplies to the one trick machine: tables, a few callables, and its words.

A game package is one `Game(...)`: a deck, the talk before the first lead, an order per contract, two chains of rules
(for leads and for follows), and a score. Whatever a game leaves out behaves as in a plain trick game: four seats,
one card a play, highest strength wins and the earlier of equals, everything played to the last card.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pkgutil import resolve_name
from typing import Any, TypeAlias, TypeVar, overload

from renege.core.cards import Cards, Deck, Hand, kinds_in
from renege.core.message import say
from renege.core.notation import NotationError, format_play, parse_play
from renege.core.order import Order
from renege.core.trick import Play, Trick
from renege.core.verdict import Breach, Objection, Rule, Ruling, Verdict

# A position, a course of a deal and a view of it are made of games, and so stand below: `renege.core.position`.
AtPosition: TypeAlias = Any
InCourse: TypeAlias = Any

Facet = TypeVar("Facet")

SEATS = range(4)  # of the games that are for four alone; elsewhere a table has `Game.all_seats`
FEWEST, MOST = 2, 8  # seats of a table
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")  # in words, as far as tables go
KITTY = -1  # the pile that is nobody's hand: the last, however many seats there are


@dataclass(frozen=True, slots=True)
class Contract:
    """What the talk before the first lead has fixed. Games add their own terms."""

    declaration: str
    declarer: int | None  # None where everybody plays for himself
    leader: int

    @property
    def knows_kitty(self) -> int | None:
        """The seat that has laid away the kitty, and so knows it."""
        return self.declarer


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands between deals: whose deal it is, and the score by side or by seat."""

    dealer: int
    score: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What a finished deal is worth: to each seat (sides follow from it), and in a sentence."""

    score: tuple[int, ...]
    made: bool | None
    text: str


@dataclass(frozen=True, slots=True)
class Move:
    """Cards that change hands during the talk: a kitty taken up or buried, a swap. None means the whole pile."""

    giver: int
    taker: int
    cards: Hand | None = None
    shown: bool = False  # face up: everybody sees them


class Talk:
    """The talk before the first lead: bids, declarations, the kitty. Immutable; a call is a short text.

    When `turn` is None the talk is over: with a `contract`, or without one if the hand is thrown in.
    """

    @property
    def said(self) -> tuple[str, ...]:
        """All calls so far, in order."""
        raise NotImplementedError

    @property
    def turn(self) -> int | None:
        raise NotImplementedError

    @property
    def contract(self) -> Contract | None:
        raise NotImplementedError

    @property
    def speakers(self) -> tuple[int, ...]:
        """The seats that may call now: the one whose turn it is, unless the game lets others break in."""
        return () if self.turn is None else (self.turn,)

    @property
    def on_kitty(self) -> bool:
        """Is the next call about the kitty, turned face up, and not about the caller's hand?"""
        return False

    def chance(self, kitty: Cards, rng: random.Random) -> str:
        """The call about a kitty that is turned up, which is nobody's choice: here each that is open is as likely."""
        return rng.choice(tuple(self.calls(kitty)))

    def by(self, seat: int) -> "Talk":
        """The talk with the floor given to a speaker, whose turn it then is."""
        if seat != self.turn:
            raise ValueError(say("{seat} has no right to speak now", seat))
        return self

    def read(self, text: str) -> str:
        """The call in its one spelling; `NotationError` if it is no call of this game."""
        raise NotImplementedError

    def calls(self, hand: Hand) -> Iterator[str]:
        """The calls open to the seat whose turn it is."""
        raise NotImplementedError

    def objection(self, call: str, hand: Hand) -> Objection | None:
        """The first rule that a call breaks."""
        raise NotImplementedError

    def after(self, call: str) -> "Talk":
        raise NotImplementedError

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        """What another seat hears of a call: all of it, unless it names cards face down. `over`: when all is shown."""
        return call

    def moves(self, call: str) -> tuple[Move, ...]:
        """The cards that change hands with a call."""
        return ()


@dataclass(slots=True)  # made for every verdict, and a frozen one takes three times as long to make
class Turn:
    """A seat to play, and all that a rule may look at: its hand, the trick, what the game remembers.

    `hands` and `kitty` are those that the position is told; only a rule about other hands (a throw) may ask for them.
    """

    rules: Any
    contract: Any
    order: Order
    seat: int
    hand: Cards
    trick: Trick
    number: int  # tricks played before this one
    memory: Any
    hands: tuple[Hand, ...]
    kitty: Hand
    led: int | None = field(init=False)
    """The suit that was led, or None when this seat leads or the lead has no one suit."""

    def __post_init__(self) -> None:
        lead = self.trick.lead
        self.led = None if lead is None else led_suit(self.order, lead)


Check = Callable[[Turn, Play], Objection | None]


def led_suit(order: Order, lead: Play) -> int | None:
    """The suit of a lead: the one its leader named, or the one the cards have."""
    return order.suit_of(lead.cards) if lead.suit is None else lead.suit


def by_strength(turn: Turn, best: Play, play: Play) -> bool:
    """Does a single card beat the best so far? Greatest strength in the led suit; equals stay behind."""
    ours, theirs = play.cards.single(), best.cards.single()
    if ours is None or theirs is None or turn.led is None:  # in a record, where anything may lie
        return ours is not None
    strength = turn.order.strength[turn.led]
    return strength[ours] > strength[theirs]


def all_played(position: AtPosition) -> bool:
    """The usual end of a deal: the seats that take part have no cards left."""
    return not any(len(position.hands[seat]) for seat in position.active)


def opposite(position: AtPosition, seat: int) -> int | None:
    """The usual sides: every other seat, so that of four those opposite are partners. An odd number makes no sides,
    and everybody is alone.
    """
    return seat % 2 if len(position.hands) % 2 == 0 else seat


class LegalPlays:
    """The plays open to a seat, found only as far as one asks: iterate it, ask `in`, `count()`, or its truth."""

    def __init__(self, game: "Game", turn: Turn) -> None:
        self.game = game
        self.turn = turn
        self._found: tuple[Play, ...] | None = None  # all of them, once they have been counted one by one

    def candidates(self) -> Iterator[Play]:
        """Plays worth judging: here, each card of the hand by itself."""
        for card in kinds_in(self.turn.hand.kinds):
            yield Play(self.turn.hand.deck.of(1 << card))

    def __iter__(self) -> Iterator[Play]:
        if self._found is None:  # asked with the first play: `list()` counts before it, and so finds them once
            yield from (play for play in self.candidates() if self.game.objection(self.turn, play) is None)
        else:
            yield from self._found

    def __len__(self) -> int:
        if self._found is None:
            self._found = tuple(play for play in self)
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> list[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | list[Play]:
        """One or some of them, in the order in which they are found."""
        if isinstance(index, slice):
            return list(self)[index]
        place = index if index >= 0 else self.count() + index
        found = next(islice(self, place, None), None) if place >= 0 else None
        if found is None:
            raise IndexError(f"there are {self.count()} legal plays, and number {index} was asked for")
        return found

    def __contains__(self, play: object) -> bool:
        if isinstance(play, str):
            play = self.game.read_play(play, self.turn.order)
        if isinstance(play, Cards):
            play = Play(play)
        if not isinstance(play, Play) or not play.cards <= self.turn.hand:
            return False
        return self.game.objection(self.turn, play) is None

    def count(self) -> int:
        """How many there are; a game that can say so without finding them all does."""
        return len(self)

    def kinds(self) -> int:
        """The cards that are in any of them, as a mask."""
        found = 0
        for play in self:
            found |= play.cards.kinds
        return found

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def choose(self, rng: random.Random) -> Play:
        """One of them, each as likely."""
        return rng.choice(list(self))

    def __repr__(self) -> str:
        shown = [self.game.write_play(play, self.turn.order) for _, play in zip(range(8), self, strict=False)]
        return f"<LegalPlays {self.count()}: {', '.join(shown)}{', ...' if self.count() > len(shown) else ''}>"


class SuitFollowed(LegalPlays):
    """The plays of a game in which the led suit is followed: if the hand has it, nothing else is worth judging."""

    def candidates(self) -> Iterator[Play]:
        hand, led = self.turn.hand, self.turn.led
        held = 0 if led is None else hand.kinds & self.turn.order.follow[led]
        for card in kinds_in(held or hand.kinds):
            yield Play(hand.deck.of(1 << card))


def _no_words(text: str) -> Any:
    raise NotationError(say("this game remembers nothing, yet the text says {quoted}", repr(text)))


def no_memory(turn: Turn, play: Play) -> Any:
    return turn.memory


def _as_played(turn: Turn, play: Play) -> Play | None:
    return play


class Everyone:
    """The seats that take part where a game says nothing of it: all that the table has, under any contract."""

    __slots__ = ("seats",)

    def __init__(self, players: int) -> None:
        self.seats = tuple(range(players))

    def __call__(self, contract: Any) -> tuple[int, ...]:
        return self.seats


_EVERYONE = Everyone(len(SEATS))
_imported = cache(resolve_name)


@dataclass(frozen=True)
class Game:
    """A trick-taking game under one set of house rules."""

    name: str
    version: int  # rises when a verdict changes, since old records may then read otherwise
    deck: Deck
    rules: Any
    rule_list: tuple[Rule, ...]
    hand_size: int
    talk: Callable[[Any, Standing], Talk]
    order: Callable[[Any, Any], Order]
    lead: tuple[Check, ...]
    follow: tuple[Check, ...]
    score: Callable[[AtPosition], Result]
    # positions as text: the contract's field, read and written
    read_contract: Callable[[Any, str], Contract]
    write_contract: Callable[[Any], str]
    # the game beyond one deal
    opening: Standing
    advance: Callable[[AtPosition, Result | None], Standing]  # from the end of a deal to the next
    winner: Callable[[Any, Standing], int | None]
    # where a game differs from plain tricks
    players: int = len(SEATS)  # the seats of the table
    kitty_size: int = 0
    aside: Callable[[AtPosition], Talk | None] | None = None  # the talk that goes on beside the play
    legal: Callable[["Game", Turn], LegalPlays] = LegalPlays
    beats: Callable[[Turn, Play, Play], bool] = by_strength
    lands: Callable[[Turn, Play], Play | None] = _as_played  # what a legal lead comes to; None where hands are needed
    landing: Rule | None = None  # the rule by which a lead comes to something else
    seats: Callable[[Any], tuple[int, ...]] = _EVERYONE  # that take part under a contract
    memory: Any = None  # what the rules remember at the first lead
    read_memory: Callable[[str], Any] = _no_words
    remember: Callable[[Turn, Play], Any] = no_memory
    over: Callable[[AtPosition], bool] = all_played
    side: Callable[[AtPosition, int], int | None] = opposite
    # what a deal comes to whose tricks have breaches in them; does a claim hold, and how is it played out
    penalty: Callable[[InCourse, tuple[Breach, ...]], Result | None] | None = None
    claim: Callable[[AtPosition, int], tuple[Verdict, tuple[Any, ...]]] | None = None
    # what a game offers besides its rules, each by the name of its type: as it is, as what makes it from the game, or
    # as a text "package.module:NAME" that says where either is, and is imported when it is asked for
    facets: Mapping[str, object] = field(default_factory=dict[str, object])

    def __post_init__(self) -> None:
        if not FEWEST <= self.players <= MOST:
            raise ValueError(f"{self.name} has {self.players} players; a table has {FEWEST} to {MOST} seats")
        if isinstance(self.seats, Everyone):
            object.__setattr__(self, "seats", Everyone(self.players))

    @property
    def all_seats(self) -> range:
        """The seats of the table, whether or not they take part under a contract."""
        return range(self.players)

    @property
    def seat_digits(self) -> str:
        """A seat as a pattern of text has it: `[0-3]` where there are four."""
        return f"[0-{self.players - 1}]"

    def facet(self, kind: type[Facet]) -> Facet | None:
        """What the game offers of this kind, or None where it offers nothing."""
        found = self.facets.get(kind.__name__)
        if isinstance(found, str):
            found = _imported(found)
        if found is not None and not isinstance(found, kind):
            found = found(self) if callable(found) else found
            if not isinstance(found, kind):
                raise TypeError(f"the facet {kind.__name__} of {self.name} is {found!r}")
        return found

    def offering(self, **facets: object) -> "Game":
        """The same game with these facets besides its own, or instead: `game.offering(Strategy=Strategy())`."""
        return replace(self, facets={**self.facets, **facets})

    def __repr__(self) -> str:
        return f"<Game {self.name} version {self.version}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.version, self.players, self.rules

    def objection(self, turn: Turn, play: Play) -> Objection | None:
        """Ask the rules in a referee's order; the first to object decides."""
        chain = self.lead if turn.trick.lead is None else self.follow
        return next((no for rule in chain if (no := rule(turn, play)) is not None), None)

    def mislanded(self, turn: Turn, play: Play) -> Objection | None:
        """Why a lead that lies on the table cannot be what it was said to come to, where the hands tell."""
        if self.landing is None or turn.trick.lead is not None or play.tried is not None:
            return None
        true = self.lands(turn, play)
        if true is None or true == play:
            return None
        return Objection(self.landing, say("{cards} comes to {cards2} with these hands", play.cards, true.cards))

    def judge(self, turn: Turn, play: Play) -> Verdict:
        """The verdict on a play from the hand of the seat whose turn it is."""
        said = self.write_play(play, turn.order)
        objection = self.objection(turn, play)
        if objection is None:
            if turn.trick.lead is None and self.lands(turn, play) is None:
                return Verdict(Ruling.PENDING, said, why="the other hands decide, and they are not told")
            return Verdict(Ruling.LEGAL, said)
        instead = next(iter(self.legal(self, turn)), None)
        if instead is None:
            raise RuntimeError(
                say("{rule} leaves no play from {cards}; such a rule does not apply", objection.rule, turn.hand)
            )
        return Verdict(objection.ruling, said, objection.rule, objection.why, self.write_play(instead, turn.order))

    def read_play(self, text: str, order: Order) -> Play:
        return parse_play(self.deck, order.suits, text)

    def write_play(self, play: Play, order: Order) -> str:
        return format_play(play, order.suits)

    @property
    def sizes(self) -> list[int]:
        """How many cards each seat gets, and the kitty last."""
        return [self.hand_size] * self.players + [self.kitty_size]

    def deal(self, seed: int) -> tuple[tuple[Cards, ...], Cards]:
        """Shuffle: a hand for each seat, and the kitty."""
        *hands, kitty = self.deck.deal(self.sizes, seed)
        return tuple(hands), kitty

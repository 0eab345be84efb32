"""Encodings: actions and observations as numbers, the same in every environment and adapter.

An action is a small integer: a card by its own number, then `done` where plays have several cards, then the calls of
the talk. A play of several cards is chosen card by card, and so is a call that names cards (`give`, `bury`); whatever
is offered can be completed to something legal. What a seat sees is a row of bytes in named sections, all seats counted
from the one that looks: 0 is itself, 1 the next to play.

    hand      [cards]         copies of each card in its hand
    chosen    [cards]         of these, picked for the play or call under way       (plays or calls of several cards)
    gave      [cards]         what it has given away face down                      (games with such calls)
    table     [seats, cards]  the trick on the table, by seat
    played    [seats, cards]  what each seat has played to the tricks before it
    returned  [seats, cards]  shown by a throw that was stopped, and taken back     (plays of several cards)
    trumps    [cards]         1 for each card that wins tricks of suits it does not follow, once there is a contract
    said      [seats, calls]  how often each seat has made each call
    turn      [seats]         1 for the seat to act; none at the end
    leader    [seats]         1 for the leader of the trick; none while they talk
    dealer    [seats]         1 for the dealer
    points    [seats]         taken by each seat, at most 255
    tricks    [seats]         taken by each seat
    ...                       what the game adds

Rows of version 1 have all that, `gave` in 42 under all house rules, and behind it:

    voids     [seats, suits]  1 for each suit that a seat has shown to be out of, as the contract numbers them
    led       [seats, suits]  1 for each suit that a seat has led
    ...                       what the game adds in this version
    rules     [...]           the house rules that a deal feels, in the order of `Rules`: of a choice a byte for each
                              answer, 1 for the one in force; of a number two, the high one first, at most 65535
    history   [length, 2]     where it is asked for: every action so far and who did it, both from 1 on (1 is the seat
                              itself); 255 for what was face down to the seat; a play of several cards is told once it
                              lies, its cards in order and a lead with `done`; a throw that was stopped is followed by
                              what is led after all; noughts at the end

Seats break in only when it is their turn: a Stoss is said before one's own card, and trumps are shown in turn.
"""

import copy
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, kinds_in, known_cards
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Course, Position, View
from renege.core.trick import Play
from renege.core.view import view_of
from renege.games.beginnings import Beginnings
from renege.games.history import tricks_of
from renege.games.row import Row
from renege.games.rows import KernelTables, Rows, ToldRules, kernel_layout
from renege.games.tally import Tally, counts_of
from renege.native.arrays import U8

MOST = 255  # that a byte holds
SUITS = 8  # that a contract has at most


class Encoding(Beginnings, ToldRules):
    """The encoding of a game: its calls in order, and hooks for plays or calls of several cards."""

    point: ClassVar[int] = 1
    """What points are told in: a game of many points, all multiples of a number, tells them in that."""
    has_sides: bool = True
    """Is it known before a deal who plays with whom, or do seats pay each other?"""
    marked: ClassVar[tuple[str, ...]] = ("voids", "led")
    """The sections that `marks` fills in."""
    seats_pay: ClassVar[bool] = False
    """Do seats pay each other? What a deal is worth is then a difference as it is, also where a stock is won."""

    def __init__(
        self,
        game: Game,
        calls: Sequence[str] = (),
        *,
        several: bool = False,
        gives: bool = False,
        adds: Sequence[tuple[str, int]] = (),
        more: Sequence[tuple[str, int]] | None = None,
        acts: int | None = None,
        steps: Sequence[str] = (),
    ) -> None:
        """`adds` are sections of the game's own, `more` those from version 1 on; `acts` is the longest history.

        `steps` are actions of which, with cards, calls are made step by step.
        """
        self.game, self.calls, self.several, self.gives = game, tuple(calls), several, gives
        self.cards = len(game.deck.names)
        self.done = self.cards if several else None
        self.first_call = self.cards + several
        self.first_step = self.first_call + len(self.calls)
        self.actions = (*game.deck.names, *["done"] * several, *self.calls, *steps)
        """What each action is called, by its number."""
        more = [("voids", game.players * SUITS), ("led", game.players * SUITS)] if more is None else more
        self._adds, self._more, self._acts = tuple(adds), tuple(more), acts
        self._numbers = {call: self.first_call + i for i, call in enumerate(self.calls)}
        self._lay_out(Rows())

    def with_rows(self, rows: Rows) -> Self:
        """The same encoding with other rows."""
        other = self if rows == self.rows else copy.copy(self)
        other._lay_out(rows)
        return other

    def _lay_out(self, rows: Rows) -> None:
        self.rows, seats, sizes = rows, self.game.players, [("hand", self.cards)]
        sizes += [("chosen", self.cards)] * self.several + [("gave", self.cards)] * self.gives
        sizes += [("table", seats * self.cards), ("played", seats * self.cards)]
        sizes += [("returned", seats * self.cards)] * self.several
        sizes += [("trumps", self.cards), ("said", seats * len(self.calls))]
        sizes += [(name, seats) for name in ("turn", "leader", "dealer", "points", "tricks")]
        sizes += self._adds
        if rows.version:
            sizes += [*self._more, ("rules", len(self.rule_bytes))]
        if rows.history:
            sizes += [("history", 2 * self.acts)]
        ends = np.cumsum([0, *(size for _, size in sizes)]).tolist()
        self.sections = {name: slice(*ends[i : i + 2]) for i, (name, _) in enumerate(sizes)}
        """Where in a row of bytes each section is."""
        self.width = ends[-1]
        self.hidden_width = (seats - 1 + bool(self.game.kitty_size)) * self.cards

    @property
    def acts(self) -> int:
        """The length of the history."""
        return self.longest() if self._acts is None else self._acts

    # -- what a game says of itself

    def call_of(self, position: Position, name: str) -> str:
        """A call as it is made in this position; `name` is one of `calls`."""
        return name

    def name_of(self, position: Position, call: str) -> str:
        """The name in `calls` of a call that is made in this position."""
        return call

    def asked(self, position: Position) -> tuple[str, int] | None:
        """The word and the number of cards, where the next call names cards: `("give", 1)`."""
        return None

    def steps_open(self, position: Position, begun: tuple[int, ...]) -> tuple[int, ...] | None:
        """The actions that go on with a call which is made step by step; None where the next one is made otherwise."""
        return None

    def stepped_call(self, position: Position, begun: tuple[int, ...]) -> str | None:
        """The call that steps come to; None while it goes on."""
        return None

    def parts_of(self, position: Position, call: str) -> tuple[tuple[int, ...], ...] | None:
        """The steps of a call in parts, which may come in any order; None for one that is made otherwise."""
        return None

    def picks(self, position: Position, chosen: Cards) -> tuple[int, bool]:
        """The kinds that may be picked next, as a mask, and whether what is chosen is a play already.

        A game whose plays are single cards has no choice to go on with.
        """
        plays = [play.cards for play in position.legal_plays if play.suit is None]
        if any(len(cards) != 1 for cards in plays):
            raise ValueError(f"{self.game.name} has plays of several cards, which need an encoding of its own")
        return sum(cards.kinds for cards in plays), False

    def needs_done(self, position: Position) -> bool:
        """Must a play be ended by `done`, since its length is for the seat to choose?"""
        return False

    def marks(self, order: Order, lead: Play | None, play: Play) -> Iterator[tuple[str, int]]:
        """What a play shows of its seat, in rows of version 1: the section, and the place in the seat's part of it."""
        suit = order.suit_of(play.cards if lead is None else lead.cards)
        if suit is not None and lead is None:
            yield "led", suit
        elif suit is not None and lead is not None and len(play.cards.only(order.follow[suit])) < len(lead.cards):
            yield "voids", suit

    def sees(self, moment: "Moment", speaker: int, seat: int | None) -> bool:
        """Does a seat see the cards that a speaker gives away or buries?"""
        return seat == speaker

    def add(self, moment: "Moment", seat: int | None, row: U8) -> None:
        """Fills in the sections that the game adds; without a seat, only what everybody sees."""

    def kernel(self, *, difference: bool = False, score: tuple[int, ...] | None = None) -> KernelTables | None:
        """What the kernel steps the game by; None where it does not play it, or not under these rules.

        `difference` pays each seat what it has more than the others; `score` is where deals of version 1 begin, which
        otherwise is drawn with them.
        """
        return None

    def layout(self, *, difference: bool) -> NDArray[np.void]:
        """How the kernel lays out rows, and what it pays."""
        return kernel_layout(self.rows, self.rule_bytes, difference=difference and not self.seats_pay)

    def longest(self) -> int:
        """The most actions that a deal can take; a game that knows better says so."""
        game = self.game
        return game.players * (game.hand_size * (1 + self.several) + len(self.calls) + game.kitty_size)

    def worth(self) -> tuple[int, int]:
        """The least and the most that a deal can be worth to a seat; a game that knows better says so."""
        return -MOST, MOST

    # -- from numbers to acts and back

    def number(self, position: Position, call: str) -> int:
        """The action that makes a call."""
        name = self.name_of(position, call)
        if name not in self._numbers:
            raise ValueError(f"{self.game.name} has no number for the call {call!r}")
        return self._numbers[name]

    def no_tally(self) -> Tally:
        """That of a deal in which nothing was done yet."""
        marked = {name: self.sections[name] for name in self.marked if self.rows.version}
        sizes = {name: part.stop - part.start for name, part in marked.items()}
        return Tally.none(self.game.players, self.cards, len(self.calls), sizes)

    def tallied(self, tally: Tally, position: Position, act: Act) -> Tally:
        """What was done, with one act more."""
        if isinstance(act.what, Play):
            assert position.order is not None and position.trick is not None
            return tally.with_play(act.seat, act.what, self.marks(position.order, position.trick.lead, act.what))
        asked = self.asked(position) if position.talking else None
        if asked is not None and act.what.startswith(f"{asked[0]} "):
            with suppress(NotationError):  # of cards that were not seen
                return tally.with_gift(act.seat, parse_cards(self.game.deck, act.what.removeprefix(f"{asked[0]} ")))
            return tally
        if self.parts_of(position, act.what) is not None:
            return tally  # the game shows it in a section of its own
        return tally.with_call(act.seat, self.number(position, act.what) - self.first_call)

    def begin(self, hands: Sequence[Cards], kitty: Cards, standing: Standing | None = None) -> "Moment":
        """The table once these cards are dealt."""
        at = self.game.opening if standing is None else standing
        start = Position(self.game, at, tuple(hands), kitty, talk=self.game.talk(self.game.rules, at))
        return Moment(self, start, start, (), self.game.deck.none)

    def deal(self, seed: int, standing: Standing | None = None) -> "Moment":
        """The table after a shuffle."""
        return self.begin(*self.game.deal(seed), standing)


@dataclass(frozen=True)
class Moment:
    """The state of a table between two actions. Immutable: `after` returns the next one."""

    encoding: Encoding
    start: Position
    position: Position
    acts: tuple[Act, ...]
    chosen: Cards  # by the seat to act, for the play or call under way
    begun: tuple[int, ...] = ()  # of a call that is made step by step
    said: tuple[tuple[Position, int, str], ...] = field(default=(), compare=False)
    """Each call with its seat and a position in which it was made: the hands there may be those of another world."""
    told: tuple[tuple[int, int, bool], ...] = field(default=(), compare=False)
    """All actions with their seats, where rows end in the history; and whether the cards were face down."""

    @property
    def turn(self) -> int | None:
        """The seat to act; None at the end."""
        return self.position.turn

    @property
    def over(self) -> bool:
        return self.position.turn is None

    @property
    def rewards(self) -> tuple[int, ...]:
        """What the deal is worth to each seat once it is over; nothing before, and nothing if it was thrown in."""
        if not self.over or (result := self.position.result) is None:
            return (0,) * self.encoding.game.players
        return result.score

    # -- what may be done

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The actions open to the seat to act, in order."""
        return () if self.over else tuple(sorted(self._open()))

    @property
    def mask(self) -> U8:
        """`uint8[actions]`: 1 for each that is open."""
        found = np.zeros(len(self.encoding.actions), np.uint8)
        found[list(self.legal)] = 1
        return found

    def _open(self) -> Iterator[int]:
        encoding, position = self.encoding, self.position
        if position.talking:
            asked, hand = encoding.asked(position), position.hand
            if (steps := encoding.steps_open(position, self.begun)) is not None:
                yield from steps
                return
            if asked is None:
                yield from (encoding.number(position, call) for call in position.legal_calls)
                return
            assert isinstance(hand, Cards)
            word, count = asked
            names, cards = encoding.game.deck.names, kinds_in((hand - self.chosen).kinds)
            yield from (card for card in cards if count > 1 or position.judge(f"{word} {names[card]}"))
            return
        turn = position.turn
        if not self.chosen and turn is not None and turn in position.speakers:  # calls beside the play
            yield from (encoding.number(position, call) for call in position.floor(turn).calls(position.hand))
        kinds, whole = encoding.picks(position, self.chosen)
        yield from kinds_in(kinds)
        if whole and encoding.done is not None:
            yield encoding.done

    @cached_property
    def tally(self) -> Tally:
        """What was done so far: carried on from the moment before, or counted from the beginning."""
        encoding, order = self.encoding, self.position.order
        if (grown := self.__dict__.get("grown")) is not None:
            return encoding.tallied(*grown)
        tally = encoding.no_tally()
        for position, seat, call in self.said:
            tally = encoding.tallied(tally, position, Act(seat, call))
        if order is None:
            return tally
        for (act, lead), *follows in tricks_of(self.acts):
            tally = tally.with_play(act.seat, lead, encoding.marks(order, None, lead))
            for each, play in follows:
                tally = tally.with_play(each.seat, play, encoding.marks(order, lead, play))
        return tally

    def _carry(self, after: "Moment", act: Act | None = None) -> "Moment":
        """The next moment, which need not count again what is counted."""
        if (tally := self.__dict__.get("tally")) is not None:
            after.__dict__.update({"tally": tally} if act is None else {"grown": (tally, self.position, act)})
        return after

    def after(self, action: int) -> "Moment":
        """The table after an action; `ValueError` if it is not open."""
        if action not in self.legal:
            names = self.encoding.actions
            name = names[action] if 0 <= action < len(names) else f"action {action}"
            raise ValueError(f"{name} is not open here: {self.position}")
        after = self.step(action)
        return after if isinstance(after, Moment) else self._acted(after)

    def step(self, action: int) -> "Moment | str | Play":
        """What an open action comes to: the whole call or play that it completes, or the table with one more pick."""
        encoding = self.encoding
        if self.position.talking and encoding.steps_open(self.position, self.begun) is not None:
            begun = (*self.begun, action)
            call = encoding.stepped_call(self.position, begun)
            return self._carry(replace(self, begun=begun)) if call is None else call
        if action >= encoding.first_call:
            return encoding.call_of(self.position, encoding.calls[action - encoding.first_call])
        if action == encoding.done:
            return Play(self.chosen)
        chosen = self.chosen + encoding.game.deck.of(1 << action)
        if self.position.talking:
            asked = encoding.asked(self.position)
            assert asked is not None
            word, count = asked
            return f"{word} {chosen}" if len(chosen) == count else self._carry(replace(self, chosen=chosen))
        if encoding.several and (encoding.needs_done(self.position) or encoding.picks(self.position, chosen)[0]):
            return self._carry(replace(self, chosen=chosen))
        return Play(chosen)

    def act(self, what: str | Cards | Play) -> "Moment":
        """The table after a whole call or play, said as a player would; what was chosen before is put back."""
        before = self._carry(replace(self, chosen=self.encoding.game.deck.none, begun=()))
        verdict = before.position.judge(what)
        if verdict.legal is False:
            before.position.act(what)  # which raises, and says why
        return before._acted(what)

    def _acted(self, what: str | Cards | Play) -> "Moment":
        act = self.position.read(what)
        none, said = self.encoding.game.deck.none, self.said
        if isinstance(act.what, str):
            said = (*said, (self.position, act.seat, act.what))
        told = (*self.told, *self.told_act(act)) if self.encoding.rows.history else ()
        after = self.position.then(act)
        then = Moment(self.encoding, self.start, after, (*self.acts, act), none, said=said, told=told)
        return self._carry(then, act)

    def numbers(self, what: str | Cards | Play) -> tuple[int, ...]:
        """The actions, one after the other, that come to a call or play."""
        said = self.position.read(what).what
        return self._picks(said.tried or said.cards) if isinstance(said, Play) else self._numbers(said)[0]

    def _picks(self, cards: Cards) -> tuple[int, ...]:
        done, picks = self.encoding.done, tuple(sorted(cards))
        return (*picks, done) if done is not None and self.encoding.needs_done(self.position) else picks

    def _numbers(self, call: str) -> tuple[tuple[int, ...], bool]:
        """The actions that come to a call, and whether it names cards face down."""
        asked = self.encoding.asked(self.position) if self.position.talking else None
        if asked is not None and call.startswith(f"{asked[0]} "):
            try:
                return tuple(sorted(parse_cards(self.encoding.game.deck, call.removeprefix(f"{asked[0]} ")))), True
            except NotationError:  # as one heard it who did not see the cards
                return (0,) * asked[1], True
        if (parts := self.encoding.parts_of(self.position, call)) is not None:
            return tuple(step for part in parts for step in part), False
        return (self.encoding.number(self.position, call),), False

    def told_act(self, act: Act) -> Iterator[tuple[int, int, bool]]:
        """An act as a history has it: after a throw that is stopped comes what is led after all."""
        if isinstance(act.what, str):
            numbers, face_down = self._numbers(act.what)
        else:
            tried = () if act.what.tried is None else self._picks(act.what.tried)
            numbers, face_down = (*tried, *self._picks(act.what.cards)), False
        return ((number, act.seat, face_down) for number in numbers)

    # -- what is seen

    @property
    def course(self) -> Course:
        """The deal so far, with all its cards."""
        return Course(self.start, self.acts)

    def view(self, seat: int) -> View:
        """What a seat has seen; what is chosen and not yet played is not in it."""
        return view_of(self.course, seat)

    def observe(self, seat: int | None) -> U8:
        """`uint8[width]`: what a seat sees, or without a seat what everybody does, seats counted from seat 0."""
        return Row(self, seat).filled()

    def hidden(self, seat: int) -> U8:
        """`uint8[hidden_width]`: what a seat does not see: the hands after it in turn, then a kitty."""
        cards, hands = self.encoding.cards, self.position.hands
        row = np.zeros(self.encoding.hidden_width, np.uint8)
        piles = [*hands[seat + 1 :], *hands[:seat]]
        for i, pile in enumerate([*piles, self.position.kitty] if self.encoding.game.kitty_size else piles):
            row[i * cards : (i + 1) * cards] = counts_of(known_cards(pile), cards)
        return row


def moment_of(encoding: Encoding, view: View) -> Moment:
    """The table as one seat knows it, to be seen by that seat alone."""
    moment = Moment(encoding, view.start, view.position, view.acts, encoding.game.deck.none)
    said, told = list[tuple[Position, int, str]](), list[tuple[int, int, bool]]()
    calls = sum(isinstance(act.what, str) for act in view.acts)
    for act, position in view.steps():
        if isinstance(act.what, str):
            said.append((position, act.seat, act.what))
        elif len(said) == calls and not encoding.rows.history:
            break  # nothing more is asked of the way here
        if encoding.rows.history:
            told += replace(moment, position=position).told_act(act)
    return replace(moment, said=tuple(said), told=tuple(told))


def encoding_of(game: Game, rows: Rows | None = None) -> Encoding:
    """The encoding of a game: its own or, for games of single cards, the general one; its rows."""
    found = game.facet(Encoding) or Encoding(game)
    return found if rows is None else found.with_rows(rows)

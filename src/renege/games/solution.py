"""What a position is worth if all hands lie open, in the words that all games share.

A game turns a position into what its solver takes and says whose points are counted (`games/<game>/solve.py`); here
are the answer, bounds where a search was cut off, and what the questions `solve` on the wire have in common.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Deck
from renege.core.game import SEATS, Game
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.core.position import Position, seats_from
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games.wire import Answer, Question, Seat, quote, read_cards
from renege.native import cards as native
from renege.native import solve as native_solve
from renege.native.solve import NO_LIMIT

POINTS = "points"
MOST_TARGET = 255
Value: TypeAlias = int | bool | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number that is known to lie between two, or exactly where they meet."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search is cut off: after so many plays tried, or so much time."""

    nodes: int = NO_LIMIT
    seconds: float | None = None


UNLIMITED = Limits()


class Solver(Protocol):
    """A game's way to work out what each play of a position is worth if all hands lie open."""

    def __call__(self, position: Position, target: int | None = None, limits: Limits = ..., /) -> "Solution": ...


def solve(position: Position, target: int | None = None, limits: Limits = UNLIMITED) -> "Solution":
    """What each play of a position is worth if all hands lie open and everybody plays as well as possible."""
    if position.game.solver is None:
        raise NotationError(f"open hands of {position.game.name} cannot be solved")
    return position.game.solver(position, target, limits)


@dataclass(frozen=True, slots=True)
class Solution:
    """What every legal play is worth: the points that some seats still win, those on the table included.

    With a `target` only whether they get so many is asked. Where a declarer plays to lose every trick (`loses`), the
    tricks that he still takes are counted, and the value is whether there are none.
    """

    takers: tuple[int, ...]
    plays: tuple[tuple[Play, Bounds], ...]
    wants_more: bool  # does the seat to move want the number large?
    nodes: int = 0
    target: int | None = None
    loses: bool = False

    @property
    def bounds(self) -> Bounds:
        """The number if everybody plays as well as possible."""
        if not self.plays:
            return Bounds(0, 0)
        best = max if self.wants_more else min
        return Bounds(best(found.low for _, found in self.plays), best(found.high for _, found in self.plays))

    @property
    def value(self) -> Value:
        return self.say(self.bounds)

    def say(self, found: Bounds) -> Value:
        """A number as the answer to what was asked; None where the bounds leave it open."""
        if self.loses:
            return True if found.high == 0 else False if found.low > 0 else None
        if self.target is not None:
            return True if found.low >= self.target else False if found.high < self.target else None
        return found.low if found.low == found.high else None

    @property
    def best(self) -> tuple[Play, ...]:
        """The plays that are known to be as good as any other."""
        return tuple(play for play, found in self.plays if self.cost(found) == 0)

    def cost(self, found: Bounds) -> int | None:
        """What a play gives away: points, or 1 where it throws away what was to be had; None where that is open."""
        best, value = self.value, self.say(found)
        if best is None or value is None:
            return None
        return abs(int(best) - int(value))

    def answer(self, position: Position) -> Answer:
        """The answer on the wire, where everything is worked out."""
        assert position.order is not None
        if self.value is None or any(self.say(found) is None for _, found in self.plays):
            raise NotationError(f"'hands': {self.nodes:,} plays were tried and it is still open; try fewer cards")
        spelled = {position.game.write_play(play, position.order): self.say(found) for play, found in self.plays}
        return {"value": self.value, "plays": spelled}


def parse_objective(text: str) -> int | None:
    """`points`, or `make:30`: the points to get."""
    found = re.fullmatch(r"make:([0-9]{1,4})", text)
    if text == POINTS:
        return None
    if found is None:
        raise NotationError(f"'objective' is {POINTS} or make:N, like make:30; {quote(text)} is not")
    return int(found[1])


def solve_cards(
    position: Position,
    tables: native.Tables,
    state: NDArray[np.uint32],
    takers: int,
    maximisers: int,
    *,
    target: int | None,
    limits: Limits,
    loses: bool = False,
) -> Solution:
    """Every legal play of a game of single cards, by the kernel; seats are masks."""
    seats = tuple(seat for seat in SEATS if takers >> seat & 1)
    if position.turn is None or not any(map(len, position.hands)):
        return Solution(seats, (), wants_more=True, target=target, loses=loses)
    wants = bool(maximisers >> position.turn & 1)
    asked = 1 if loses else None if target is None else min(target, MOST_TARGET)
    found = native_solve.solve_plays(
        tables,
        state[None],
        takers,
        maximisers,
        targets=asked or None,
        most_nodes=limits.nodes,
        most_seconds=limits.seconds,
    )
    plays: list[tuple[Play, Bounds]] = []
    for play in position.legal_plays:
        card = play.cards.single()
        if card is None or play.suit is not None:
            raise WrongPhase(f"a lead of {position.game.write_play(play, _order(position))} cannot be worked out yet")
        plays.append((play, Bounds(int(found.lower[0, card]), int(found.upper[0, card]))))
    return Solution(seats, tuple(plays), wants, int(found.nodes[0]), target, loses)


def _order(position: Position) -> Order:
    assert position.order is not None
    return position.order


# -- the question


class SolveQuestion(Question, kw_only=True):
    """What the question `solve` has in every game."""

    declaration: str
    hands: list[str]
    leader: Seat
    trick: tuple[str, ...] = ()
    objective: str = POINTS


@dataclass(frozen=True, slots=True)
class OpenHands:
    """The hands of a question as they are now, and the plays on the table, which are no longer in them."""

    hands: tuple[Cards, ...]
    plays: tuple[Play, ...]

    def before(self, leader: int, seats: Sequence[int]) -> tuple[Cards, ...]:
        """The hands before the trick."""
        laid = dict(zip(seats_from(leader, tuple(seats)), self.plays, strict=False))
        return tuple(hand + laid[seat].cards if seat in laid else hand for seat, hand in enumerate(self.hands))


def read_open_hands(question: SolveQuestion, deck: Deck, seats: Sequence[int], most: int) -> OpenHands:
    """The hands and the trick of a question: of cards that are there, and of one size before the trick."""
    if len(question.hands) != len(SEATS):
        raise NotationError(f"'hands' are those of four seats, and there are {len(question.hands)}")
    hands = tuple(_pile(deck, text, "hands") for text in question.hands)
    plays = tuple(Play(_pile(deck, text, "trick")) for text in question.trick)
    if question.leader not in seats:
        raise NotationError(f"'leader': seat {question.leader} takes no part in {question.declaration}")
    if len(plays) >= len(seats):
        shown = quote(", ".join(question.trick))
        raise NotationError(f"'trick' has {len(plays)} plays, and it is over with {len(seats)}: {shown}")
    if odd := next((play for play in plays if len(play.cards) != len(plays[0].cards) or not play.cards), None):
        raise NotationError(f"'trick': {quote(str(odd))} cannot lie beside {quote(str(plays[0]))}")
    _pile(deck, " ".join(map(str, (*hands, *(play.cards for play in plays)))), "hands")  # none too often
    table = OpenHands(hands, plays)
    before = table.before(question.leader, seats)
    sizes = {len(before[seat]) for seat in seats}
    if len(sizes) > 1 or max(sizes) > most:
        told = ", ".join(f"seat {seat} {len(before[seat])}" for seat in seats)
        raise NotationError(f"'hands' must be of one size before the trick, at most {most} {deck.noun}s: {told}")
    for idle in (seat for seat in SEATS if seat not in seats and hands[seat]):
        raise NotationError(f"'hands': seat {idle} takes no part, so its hand is empty: {quote(str(hands[idle]))}")
    return table


def lay(position: Position, plays: Sequence[Play]) -> Position:
    """The position with these plays on the table; each must have been legal."""
    for play in plays:
        turn = position.turn_to_play()
        if no := position.game.objection(turn, play) or position.game.mislanded(turn, play):
            raise NotationError(f"'trick': seat {turn.seat} cannot have played {quote(str(play))}: {no.why}")
        position = position.put(play)
    return position


def tricks_before(game: Game, size: int) -> tuple[int, ...]:
    """Tricks taken when so many cards are left in a hand; who took them is nobody's business here."""
    return (game.hand_size - size, 0, 0, 0)


def _pile(deck: Deck, text: str, field: str) -> Cards:
    try:
        return read_cards(deck, text)
    except NotationError as wrong:
        raise NotationError(f"{field!r}: {wrong}") from None

"""Open-hand solutions: the exact value of a position in which all hands are known.

A game turns a position into what its solver takes and says whose points are counted (`games/<game>/solve.py`); here
are the answer, bounds where a search was cut off, and the solver of single-card games.
"""

from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege.core.game import SEATS
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.native import cards as native
from renege.native.solve import NO_LIMIT, SolveQuery, solve_plays

MOST_TARGET = 255
Value: TypeAlias = int | bool | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """A lower and an upper bound of a value; it is exact where they are equal."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search: nodes visited, or seconds. Beyond them the answer is bounds."""

    nodes: int = NO_LIMIT
    seconds: float | None = None


UNLIMITED = Limits()


class Solver(Protocol):
    """A game's way to work out what each play of a position is worth if all hands lie open."""

    def __call__(self, position: Position, target: int | None = None, limits: Limits = ..., /) -> "Solution": ...


def solve(position: Position, target: int | None = None, limits: Limits = UNLIMITED) -> "Solution":
    """Return the value of every legal play of a position with all hands known, under best play by everybody.

    With a `target` it says only whether the counted seats reach so many points, which is faster.
    """
    if position.game.solver is None:
        raise NotationError(f"open hands of {position.game.name} cannot be solved")
    return position.game.solver(position, target, limits)


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of every legal play: the points that the seats `takers` still win, those on the table included.

    With a `target` the value is whether they reach it. Where a declarer plays to lose every trick (`loses`), the tricks
    that he still takes are counted, and the value is whether there are none.
    """

    takers: tuple[int, ...]
    plays: tuple[tuple[Play, Bounds], ...]
    wants_more: bool  # does the seat to move want the number large?
    nodes: int = 0
    target: int | None = None
    loses: bool = False

    @property
    def bounds(self) -> Bounds:
        """Bounds of the value under best play."""
        if not self.plays:
            return Bounds(0, 0)
        best = max if self.wants_more else min
        return Bounds(best(found.low for _, found in self.plays), best(found.high for _, found in self.plays))

    @property
    def value(self) -> Value:
        """The value under best play: points, or True or False; None where the limits left it open."""
        return self.say(self.bounds)

    def say(self, found: Bounds) -> Value:
        """Turn bounds into a value; None where they leave it open."""
        if self.loses:
            return True if found.high == 0 else False if found.low > 0 else None
        if self.target is not None:
            return True if found.low >= self.target else False if found.high < self.target else None
        return found.low if found.low == found.high else None

    @property
    def best(self) -> tuple[Play, ...]:
        """The plays that are known to be optimal."""
        return tuple(play for play, found in self.plays if self.cost(found) == 0)

    def cost(self, found: Bounds) -> int | None:
        """Return what a play loses against the best: points, or 1 for a missed target; None where that is open."""
        best, value = self.value, self.say(found)
        if best is None or value is None:
            return None
        return abs(int(best) - int(value))

    def answer(self, position: Position) -> dict[str, Any]:
        """Return the answer of `renege ask solve`; `NotationError` where the limits left it open."""
        assert position.order is not None
        if self.value is None or any(self.say(found) is None for _, found in self.plays):
            raise NotationError(f"'hands': {self.nodes:,} plays were tried and it is still open; try fewer cards")
        spelled = {position.game.write_play(play, position.order): self.say(found) for play, found in self.plays}
        return {"value": self.value, "plays": spelled}


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
    query = SolveQuery(tables, state[None], takers, maximisers, targets=asked or None)
    found = solve_plays(replace(query, most_nodes=limits.nodes, most_seconds=limits.seconds))
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

"""What a deal of Schafkopf pays a seat if all hands lie open: the steps of its price, each a question to the solver."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from renege import native_solve
from renege.cards import Card, Cards
from renege.game import SEATS, Game, Standing, Worth
from renege.games.schafkopf.declare import Bargain
from renege.games.schafkopf.order import ALL_POINTS, trumps
from renege.games.schafkopf.packed import pack, tables, takers
from renege.games.schafkopf.score import runners, score
from renege.position import Position, begin

F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Hands = tuple[Cards, ...]
T = TypeVar("T")

EXACT_FROM = 5  # cards in hand from which on points are solved, and not steps alone
STEPS_FROM = 7  # cards in hand from which on it is asked whether losers are Schneider or Schwarz
POINTS = (30, 31, 60, 61, 90, 91)  # where the price may change, under either reading of who needs 61
TIE = 0.001  # of the price of a Rufspiel: what a point weighs, where points are solved


@dataclass(frozen=True, slots=True)
class Step:
    """The declarer's side has so many points, or tricks."""

    need: int
    tricks: bool = False


@dataclass(frozen=True, slots=True)
class Ladder:
    """What a deal pays a seat: so much if the declarer's side reaches no step, and so much more at each."""

    least: float
    gains: tuple[float, ...]


class OpenHands:
    """A position whose worlds are solved for one seat, with the time that there is for it and for each question."""

    def __init__(self, position: Position, seat: int, until: float, question: float) -> None:
        assert isinstance(position.contract, Bargain) and position.order is not None
        self.position, self.contract, self.seat, self.until = position, position.contract, seat, until
        self.question = question  # seconds that one may take
        self.deck, self.total = position.game.rules.deck, len(position.game.deck) // len(SEATS)
        self.cards_left = self.total - sum(position.tricks)
        self.steps = (Step(1, tricks=True), *map(Step, POINTS), Step(self.total, tricks=True))

    def pays(self, worlds: Sequence[Hands], cards: Sequence[Card] | None) -> Worth:
        """What the seat is paid after each card, `[worlds, cards]`; without cards, what the deal pays it.

        A world is NaN if the solver had no time for all that its price depends on. Points speak for a card besides.
        """
        positions = [replace(self.position, hands=hands) for hands in worlds]
        asked = _Asked(self, positions, cards)
        ladders = [self._ladder(position, side) for position, side in zip(positions, asked.sides.tolist(), strict=True)]
        gains = np.array([ladder.gains for ladder in ladders])
        paid = np.array([[ladder.least] * asked.width for ladder in ladders], float)
        besides = np.zeros_like(paid)
        rungs = [i for i in range(len(self.steps)) if gains[:, i].any()]
        if not rungs:  # a tariff that pays nothing
            return Worth(paid, besides)
        middle = max(range(len(rungs)), key=lambda i: abs(gains[0, rungs[i]]))  # where the game is won
        exact = self.cards_left <= EXACT_FROM and not self.steps[rungs[middle]].tricks
        values = asked.points() if exact else None
        reached = self._reached(asked, [self.steps[i] for i in rungs], middle, values)
        for rung, got in zip(rungs, reached, strict=True):
            paid += gains[:, [rung]] * got
        if values is not None:
            ours = np.where(asked.sides >> self.seat & 1, 1, -1)[:, None]
            besides = TIE * self.position.game.rules.base * ours * values
        paid[asked.open] = np.nan
        return Worth(paid, besides)

    def _reached(self, asked: "_Asked", steps: list[Step], middle: int, values: F64 | None) -> list[F64]:
        """Which plays reach each step. From the middle out, as a step is reached only where those before it are."""
        everywhere = np.ones((len(asked.sides), asked.width), bool)
        further = everywhere if self.cards_left <= STEPS_FROM else ~everywhere
        reached = [np.zeros(everywhere.shape)] * len(steps)
        reached[middle] = asked.reaches(steps[middle], everywhere, 0, values)
        for i in range(middle + 1, len(steps)):
            reached[i] = asked.reaches(steps[i], further & (reached[i - 1] == 1), 0, values)
        for i in range(middle - 1, -1, -1):
            reached[i] = asked.reaches(steps[i], further & (reached[i + 1] == 0), 1, values)
        return reached

    def _ladder(self, position: Position, side: int) -> Ladder:
        """The prices of a world: they differ by the partner and by the runners."""
        names = position.game.deck.names
        held = [
            name
            for seat in SEATS if side >> seat & 1
            for name in (*position.memory.trumps[seat], *(names[card] for card in _told(position)[seat]))
        ]  # fmt: skip
        row = runners(self.contract.declaration, self.deck, held)
        return _prices(position.game, position.standing, self.contract, self.seat, side, row)


class _Asked:
    """Some worlds of a position, put to the solver step by step; `open` are those where it did not finish."""

    def __init__(self, table: OpenHands, positions: Sequence[Position], cards: Sequence[Card] | None) -> None:
        self.table, self.cards, self.width = table, cards, 1 if cards is None else len(cards)
        self.sides = np.array([takers(position) for position in positions], np.uint8)
        self.states = np.repeat(pack(positions[0])[None], len(positions), axis=0)
        self.states[:, : len(SEATS)] = [[hand.kinds for hand in _told(position)] for position in positions]
        self.open = np.zeros(len(positions), bool)
        named = table.contract.named
        self.wants = self.sides ^ np.uint8(15 if named.kind == "bettel" else 0)  # who wants the declarer to take

    def points(self) -> F64:
        """The points of the declarer's side in the end."""
        low, high = self._solve(np.ones(len(self.sides), bool), None, tricks=False)
        self.open |= (low != high).any(axis=1)
        return low + self._so_far(tricks=False)[:, None]

    def reaches(self, step: Step, asked: Bools, otherwise: float, values: F64 | None) -> F64:
        """1 where the declarer's side gets to a step, 0 where not; what is not asked is known to be `otherwise`."""
        found = np.full(asked.shape, float(otherwise))
        if values is not None and not step.tricks:
            return np.where(asked, values >= step.need, found)
        if values is not None:  # who takes every trick has all points, and who takes none has none
            asked = asked & (values == (0 if step.need == 1 else ALL_POINTS))
        targets = (step.need - self._so_far(tricks=step.tricks))[:, None]
        found[asked & (targets <= 0)] = 1
        asked = asked & (targets > 0) & ~self.open[:, None]
        rows = np.asarray(asked.any(axis=1))
        if rows.any():
            low, high = self._solve(rows, targets[rows, 0], tricks=step.tricks)
            known = (low >= targets[rows]) | (high < targets[rows])
            self.open[rows] = (asked[rows] & ~known).any(axis=1)
            found[rows] = np.where(asked[rows], low >= targets[rows], found[rows])
        return found

    def _so_far(self, *, tricks: bool) -> NDArray[np.int64]:
        taken = np.array(self.table.position.tricks if tricks else self.table.position.points)
        return ((self.sides[:, None] >> np.arange(len(SEATS)) & 1) * taken).sum(axis=1)

    def _solve(self, rows: Bools, targets: NDArray[np.int64] | None, *, tricks: bool) -> tuple[F64, F64]:
        """At least and at most, what the declarer's side still gets."""
        order = tables(self.table.contract.declaration, self.table.deck, tricks=tricks)
        seconds = min(self.table.question, self.table.until - time.perf_counter())
        most = None if math.isinf(seconds) else max(seconds, 0.0)
        asked = (order, self.states[rows], self.sides[rows], self.wants[rows])
        wanted = None if targets is None else targets.astype(np.uint8)
        if self.cards is None:
            whole = native_solve.solve(*asked, targets=wanted, most_seconds=most)
            return whole.lower[:, None].astype(float), whole.upper[:, None].astype(float)
        each = native_solve.solve_plays(*asked, targets=wanted, most_seconds=most)
        return each.lower[:, self.cards].astype(float), each.upper[:, self.cards].astype(float)


@lru_cache(maxsize=4096)
def _prices(game: Game, standing: Standing, contract: Bargain, seat: int, side: int, row: int) -> Ladder:
    """What a seat is paid at each step, by the score itself, where this side declares and there are so many runners."""
    deck, total = game.rules.deck, len(game.deck) // len(SEATS)
    declarer = contract.declarer
    assert declarer is not None
    partner = next((seat for seat in SEATS if side >> seat & 1 and seat != declarer), None)
    other = next(seat for seat in SEATS if not side >> seat & 1)
    top = tuple(game.deck.names[card] for card in trumps(contract.declaration, deck)[:row])
    memory = replace(game.memory, ace=partner, trumps=_by_seat({declarer: top}, ()))

    def paid(points: int, tricks: int) -> int:
        return score(
            replace(
                begin(game, contract, (game.deck.none,) * len(SEATS)),
                standing=standing,
                points=_by_seat({declarer: points, other: ALL_POINTS - points}, 0),
                tricks=_by_seat({declarer: tricks, other: total - tricks}, 0),
                memory=memory,
            )
        ).score[seat]

    prices = [paid(0, 0), paid(0, 1), *(paid(need, 1) for need in POINTS), paid(ALL_POINTS, total)]
    return Ladder(prices[0], tuple(after - before for before, after in pairwise(prices)))


def worth(position: Position, seat: int, until: float, question: float) -> float:
    """What a deal pays a seat from here, all hands being told; NaN where the solver had no time to know."""
    return float(OpenHands(position, seat, until, question).pays([_told(position)], None).paid[0, 0])


def _told(position: Position) -> Hands:
    return tuple(hand for hand in position.hands if isinstance(hand, Cards))


def _by_seat(some: dict[int, T], otherwise: T) -> tuple[T, ...]:
    return tuple(some.get(seat, otherwise) for seat in SEATS)

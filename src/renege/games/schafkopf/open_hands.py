"""Open-hand payoff of Schafkopf: the steps of the price, each a target for the solver."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Card
from renege.core.game import SEATS, Game, Standing
from renege.core.position import Position, begin
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.order import ALL_POINTS, trumps
from renege.games.schafkopf.packed import called_ace, pack, tables_of, takers
from renege.games.schafkopf.score import score
from renege.games.strategy import Worth
from renege.native.arrays import F64, U8, U32, Bools
from renege.native.engine import Engine
from renege.native.solve import SolveQuery, solve, solve_plays

T = TypeVar("T")

EXACT_FROM = 5  # cards in hand from which on points are solved, and not steps alone
STEPS_FROM = 7  # cards in hand from which on it is asked whether losers are Schneider or Schwarz
POINTS = (30, 31, 60, 61, 90, 91)  # where the price may change, under either reading of who needs 61
TIE = 0.001  # of the price of a Rufspiel: what a point weighs, where points are solved


@dataclass(frozen=True, slots=True)
class PriceStep:
    """The declarer's side has so many points, or tricks."""

    need: int
    tricks: bool = False


class OpenHandPayoff:
    """A position whose worlds are solved for one seat, with the time that there is for it and for each question."""

    def __init__(self, position: Position, seat: int, until: float, question: float, engine: Engine) -> None:
        assert isinstance(position.contract, Bargain) and position.order is not None
        self.position = replace(position, hands=(position.game.deck.none,) * len(SEATS))
        self.contract, self.seat, self.until, self.engine = position.contract, seat, until, engine
        self.question = question  # seconds that one may take
        self.deck, self.total = position.game.rules.deck, len(position.game.deck) // len(SEATS)
        self.cards_left = self.total - position.tricks_played
        self.steps = (
            PriceStep(1, tricks=True),
            *map(PriceStep, _steps(self.contract)),
            PriceStep(self.total, tricks=True),
        )

    def pays(self, hands: U32, cards: Sequence[Card] | None) -> Worth:
        """What the seat is paid after each card, `[worlds, cards]`; without cards, what the deal pays it.

        `hands uint32[worlds, 4]`. A world is NaN if the solver had no time for all that its price depends on. Points
        speak for a card besides.
        """
        sides = self._sides(hands)
        least, gains = self._prices(hands, sides)
        rungs = [i for i in range(len(self.steps)) if gains[:, i].any()]
        found = Worth(*np.zeros((2, len(hands), 1 if cards is None else len(cards))))
        found.paid[:] = least[:, None]
        if not rungs:  # a tariff that pays nothing
            return found
        middles = np.abs(gains[:, rungs]).argmax(axis=1)  # where the game is won: mostly all worlds agree
        for middle in np.unique(middles).tolist():
            some = middles == middle
            asked = _Asked(self, hands[some], sides[some], cards)
            found.paid[some], found.tie_break[some] = self._paid(asked, gains[some], least[some], rungs, middle)
        return found

    def _paid(self, asked: "_Asked", gains: F64, least: F64, rungs: list[int], middle: int) -> tuple[F64, F64]:
        """What is paid, and what speaks for a card besides, where the game is won at the same step."""
        paid = np.repeat(least[:, None], asked.width, axis=1)
        tie_break = np.zeros_like(paid)
        exact = self.cards_left <= EXACT_FROM and not self.steps[rungs[middle]].tricks
        values = asked.points() if exact else None
        reached = self._reached(asked, [self.steps[i] for i in rungs], middle, values)
        for rung, got in zip(rungs, reached, strict=True):
            paid += gains[:, [rung]] * got
        if values is not None:
            ours = np.where(asked.sides >> self.seat & 1, 1, -1)[:, None]
            tie_break = TIE * self.position.game.rules.base * ours * values
        paid[asked.open] = np.nan
        return paid, tie_break

    def _reached(self, asked: "_Asked", steps: list[PriceStep], middle: int, values: F64 | None) -> list[F64]:
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

    def _sides(self, hands: U32) -> U8:
        """The declarer's side in each world, a mask of seats: its partner has the called ace, or has shown it."""
        ace = called_ace(self.contract.declaration, self.deck)
        if ace is None or self.position.memory.ace is not None:
            return np.full(len(hands), takers(self.position), np.uint8)
        holds = (hands >> np.uint32(ace) & 1).astype(np.uint8)
        if not holds.any(axis=1).all():
            raise ValueError("nobody holds the called ace, and nobody has shown it")
        assert self.contract.declarer is not None
        return (holds << np.arange(len(SEATS), dtype=np.uint8)).sum(axis=1, dtype=np.uint8) | np.uint8(
            1 << self.contract.declarer
        )

    def _prices(self, hands: U32, sides: U8) -> tuple[F64, F64]:
        """What each world pays at least, and more at each step: prices differ by the partner and by the runners."""
        spellings = self.position.game.deck.spellings
        shown = [sum(1 << spellings[name.upper()] for name in own) for own in self.position.memory.trumps]
        held = np.zeros(len(hands), np.uint32)
        for seat in SEATS:
            held |= np.where(sides >> seat & 1, hands[:, seat] | np.uint32(shown[seat]), 0).astype(np.uint32)
        top = held[:, None] >> np.array(trumps(self.contract.declaration, self.deck), np.uint32) & 1
        alike: NDArray[np.int64] = np.asarray(top == top[:, :1], np.int64)
        rows = alike.cumprod(axis=1).sum(axis=1)  # as `score.runners` counts them
        kinds, which = np.unique(rows << len(SEATS) | sides, return_inverse=True)
        asked = self.position.game, self.position.standing, self.contract, self.seat
        ladders = [_prices(*asked, kind & 15, kind >> len(SEATS)) for kind in kinds.tolist()]
        least = np.array([lowest for lowest, _ in ladders], float)
        return least[which], np.array([gains for _, gains in ladders])[which]


class _Asked:
    """Some worlds of a position, put to the solver step by step; `open` are those where it did not finish."""

    def __init__(self, table: OpenHandPayoff, hands: U32, sides: U8, cards: Sequence[Card] | None) -> None:
        self.table, self.cards, self.width = table, cards, 1 if cards is None else len(cards)
        self.sides = sides
        self.states = np.repeat(pack(table.position)[None], len(hands), axis=0)
        self.states[:, : len(SEATS)] = hands
        self.open = np.zeros(len(hands), bool)
        named = table.contract.named
        self.wants = self.sides ^ np.uint8(15 if named.kind == "bettel" else 0)  # who wants the declarer to take

    def points(self) -> F64:
        """The points of the declarer's side in the end."""
        low, high = self._solve(np.ones(len(self.sides), bool), None, tricks=False)
        self.open |= (low != high).any(axis=1)
        return low + self._so_far(tricks=False)[:, None]

    def reaches(self, step: PriceStep, asked: Bools, otherwise: float, values: F64 | None) -> F64:
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
        rules = self.table.position.game.rules
        order = tables_of(rules, self.table.contract.declaration, tricks=tricks)
        seconds = min(self.table.question, self.table.until - time.perf_counter())
        most = None if math.isinf(seconds) else max(seconds, 0.0)
        wanted = None if targets is None else targets.astype(np.uint8)
        asked = order, self.states[rows], self.sides[rows], self.wants[rows]
        query = SolveQuery(*asked, targets=wanted, most_seconds=most)
        if self.cards is None:
            whole = self.table.engine.run(solve, query)
            return whole.lower[:, None].astype(float), whole.upper[:, None].astype(float)
        each = self.table.engine.run(solve_plays, query)
        return each.lower[:, self.cards].astype(float), each.upper[:, self.cards].astype(float)


def _steps(contract: Bargain) -> list[int]:
    """The points at which the price of a contract may change."""
    return sorted({*POINTS, contract.need} - {0})


@lru_cache(maxsize=4096)
def _prices(
    game: Game, standing: Standing, contract: Bargain, seat: int, side: int, row: int
) -> tuple[float, tuple[float, ...]]:
    """What a seat is paid if this side, which declares, reaches no step, and how much more at each.

    It is the score itself that says so, for so many runners.
    """
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

    prices = [paid(0, 0), paid(0, 1), *(paid(need, 1) for need in _steps(contract)), paid(ALL_POINTS, total)]
    return prices[0], tuple(after - before for before, after in pairwise(prices))


def _by_seat(some: dict[int, T], otherwise: T) -> tuple[T, ...]:
    return tuple(some.get(seat, otherwise) for seat in SEATS)

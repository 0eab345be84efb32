"""Regret minimisation on shrunk games: strategies that come close to being nobody's prey, and how close.

`Plus` is CFR+: every seat in turn sweeps the whole tree, keeps regrets above zero and averages its strategies with
linear weights. `Sampled` is external-sampling MCCFR: a batch of traversals sees one strategy and adds to the regrets.
Both come to a table of averages, of which `averaged` makes a strategy; `exploitability` says what each seat could still
gain by playing otherwise while the rest stay as they are. With two players that falls to zero. With partners who cannot
talk, or with everybody for himself, no theorem says so: it is measured.

`open_handed` is what a search over open hands would play (PIMC): in each information set the act that does best on
average if all hands lay open after it, over all deals of the set, equally likely as the belief has them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from renege.core.game import SEATS
from renege.native import regret as native_regret
from renege.native.arrays import F64
from renege.search.regret.trees import InformationSets, Tree

BATCH = 1000  # traversals of a seat between two strategies
EQUAL = 1e-12  # gains no further apart are the same but for rounding


class Engine(Protocol):
    """Where a tree is worked on: the CPU, or a GPU (`renege.search.regret.gpu`)."""

    @property
    def tree(self) -> Tree: ...

    def sweep(self, seat: int, strategy: F64) -> tuple[F64, float]:
        """One seat's counterfactual gains by slot, and what it wins in all."""
        ...

    def plus(self, tables: "Tables", iterations: int) -> None:
        """More iterations of CFR+."""
        ...

    def sample(self, tables: "Tables", iterations: int, batch: int, seed: int) -> None:
        """More iterations of sampling: so many traversals for each seat, then the next strategy."""
        ...


@dataclass
class Tables:
    """What a solver has learnt: regrets and the sum of its strategies, a number for every slot."""

    regrets: F64
    average: F64
    iterations: int = 0

    @classmethod
    def blank(cls, tree: Tree) -> "Tables":
        return cls(np.zeros(tree.info.slots), np.zeros(tree.info.slots))


class Cpu:
    """The kernel on the CPU. Sums over several threads differ from those of one in their last digits."""

    def __init__(self, tree: Tree, threads: int = 1) -> None:
        info = tree.info
        self.tree, self.threads = tree, threads
        self.kernel = native_regret.tree(
            tree.levels,
            tree.sets,
            tree.children,
            tree.weights,
            tree.payoffs,
            info.seats,
            info.first_slots,
            info.parents,
        )

    def sweep(self, seat: int, strategy: F64) -> tuple[F64, float]:
        return native_regret.sweep(self.kernel, seat, strategy, self.threads)

    def plus(self, tables: Tables, iterations: int) -> None:
        strategy = np.empty(self.tree.info.slots)
        for seat in SEATS:
            native_regret.match(self.kernel, seat, tables.regrets, strategy)
        for _ in range(iterations):
            tables.iterations += 1
            for seat in SEATS:
                gains, _ = self.sweep(seat, strategy)
                native_regret.regret_more(self.kernel, seat, gains, strategy, tables.regrets)
                native_regret.match(self.kernel, seat, tables.regrets, strategy)
                native_regret.average_more(self.kernel, seat, strategy, float(tables.iterations), tables.average)

    def sample(self, tables: Tables, iterations: int, batch: int, seed: int) -> None:
        strategy = np.empty(self.tree.info.slots)
        for seat in SEATS:
            native_regret.match(self.kernel, seat, tables.regrets, strategy)
        for _ in range(iterations):
            for seat in SEATS:
                lane = first_lane(tables.iterations, seat, batch)
                weight = float(tables.iterations + 1)
                sums, lanes = (tables.regrets, tables.average), range(lane, lane + batch)
                native_regret.sample(self.kernel, seat, strategy, weight, *sums, seed, lanes)
                native_regret.match(self.kernel, seat, tables.regrets, strategy)
            tables.iterations += 1

    def open_hands(self) -> F64:
        """What each act is worth if all hands lie open after it, summed over its set's deals."""
        return native_regret.open_hands(self.kernel)


def first_lane(iterations: int, seat: int, batch: int) -> int:
    """The first lane of a batch: every batch has its own random numbers."""
    return (iterations * len(SEATS) + seat) * batch


# -- strategies


def uniform(info: InformationSets) -> F64:
    """Every act as often as any other."""
    widths = np.diff(info.first_slots)
    return np.repeat(1 / widths, widths)


def averaged(info: InformationSets, tables: Tables) -> F64:
    """The average strategy; where it has never been, every act alike."""
    sums = _by_set(info, tables.average, np.add)
    shared = np.divide(tables.average, sums, out=np.zeros_like(sums), where=sums > 0)
    return np.where(sums > 0, shared, uniform(info))


def _by_set(info: InformationSets, numbers: F64, combine: np.ufunc) -> F64:
    """Each set's sum or maximum, for every one of its slots."""
    if not len(info):
        return numbers.copy()
    return np.repeat(combine.reduceat(numbers, info.first_slots[:-1]), np.diff(info.first_slots))


def greedy(info: InformationSets, gains: F64) -> F64:
    """The act with most to gain in every set, the first of equals."""
    best = gains >= _by_set(info, gains, np.maximum) - EQUAL
    before = np.cumsum(best) - best
    first = before == np.repeat(before[info.first_slots[:-1]], np.diff(info.first_slots))
    return (best & first).astype(np.float64)


def open_handed(engine: Cpu) -> F64:
    """What a search over open hands plays: the best act on average, over all deals that the seat cannot exclude."""
    return greedy(engine.tree.info, engine.open_hands())


# -- how good they are


@dataclass(frozen=True, slots=True)
class Exploited:
    """What each seat wins, and what it would win by its best answer to the others."""

    values: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        return tuple(best - value for best, value in zip(self.best, self.values, strict=True))

    @property
    def largest(self) -> float:
        """The exploitability: what the seat gains that gains most by playing otherwise, alone."""
        return max(self.gains)


def best_response(engine: Engine, strategy: F64, seat: int) -> tuple[F64, float]:
    """A seat's best answer to the others, put in place of its own part of the strategy, and what it wins with it.

    Its last choices first: what is best there does not depend on those before.
    """
    tree, answer = engine.tree, strategy.copy()
    mine = tree.info.seats == seat
    depths = tree.info.depths
    for depth in range(int(depths[mine].max(initial=-1)), -1, -1):
        gains, _ = engine.sweep(seat, answer)
        slots = (mine & (depths == depth))[tree.info.slot_sets]
        answer[slots] = greedy(tree.info, gains)[slots]
    return answer, engine.sweep(seat, answer)[1]


def exploitability(engine: Engine, strategy: F64) -> Exploited:
    """What each seat could gain."""
    values = tuple(engine.sweep(seat, strategy)[1] for seat in SEATS)
    return Exploited(values, tuple(best_response(engine, strategy, seat)[1] for seat in SEATS))


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve: after so many iterations, in so many seconds, what each seat wins and could gain."""

    iterations: int
    seconds: float
    values: tuple[float, ...]
    gains: tuple[float, ...]

    @property
    def largest(self) -> float:
        return max(self.gains)


@dataclass
class Curve:
    """How exploitability fell."""

    points: list[Point] = field(default_factory=list[Point])

    @property
    def seconds(self) -> float:
        return self.points[-1].seconds if self.points else 0.0


def solve(
    engine: Engine,
    tables: Tables,
    curve: Curve,
    until: int,
    step: Callable[[int], None],
    clock: Callable[[], float],
    met: Callable[[Point], None] = lambda point: None,
) -> None:
    """Iterates up to a number, measuring on the way where one would look: 1, 2, 5, 10, 20, 50 and so on."""
    while tables.iterations < until:
        target = min(until, next_look(tables.iterations))
        began = clock()
        step(target - tables.iterations)
        spent = curve.seconds + clock() - began
        found = exploitability(engine, averaged(engine.tree.info, tables))
        curve.points.append(Point(tables.iterations, spent, found.values, found.gains))
        met(curve.points[-1])


def next_look(iterations: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    scale = 1
    while True:
        for look in (scale, 2 * scale, 5 * scale):
            if look > iterations:
                return look
        scale *= 10

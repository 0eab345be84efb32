"""Counterfactual regret minimisation on small games: near-equilibrium strategies and their exploitability.

`Plus` is CFR+: every seat in turn sweeps the whole tree, keeps regrets above zero and averages its strategies with
linear weights. `Sampled` is external-sampling MCCFR: a batch of traversals sees one strategy and adds to the regrets.
Both give a table of averages, from which `averaged` makes the average strategy; `exploitability` is what each seat
could gain by a best response while the others keep to the strategy. With two players it converges to zero. With
partners who cannot talk, or more than two sides, no theorem guarantees that: it is measured.

`open_handed` is the strategy of perfect-information Monte Carlo (PIMC): in each information set the act with the best
mean open-hand value over all deals of the set, equally likely as in the belief.
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


class TreeEngine(Protocol):
    """CFR on one tree, on the CPU or a GPU (`renege.search.regret.gpu`)."""

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
    """The state of a solver: cumulative regrets and strategy sums, a number for every slot."""

    regrets: F64
    average: F64
    iterations: int = 0

    @classmethod
    def blank(cls, tree: Tree) -> "Tables":
        return cls(np.zeros(tree.info.slots), np.zeros(tree.info.slots))


class CpuTree:
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
    """The uniform strategy."""
    widths = np.diff(info.first_slots)
    return np.repeat(1 / widths, widths)


def averaged(info: InformationSets, tables: Tables) -> F64:
    """The average strategy; uniform in sets that were never reached."""
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


def open_handed(engine: CpuTree) -> F64:
    """The PIMC strategy: the act with the best mean open-hand value, over all deals of the information set."""
    return greedy(engine.tree.info, engine.open_hands())


# -- how good they are


@dataclass(frozen=True, slots=True)
class Exploited:
    """The expected payoff of each seat, and that of its best response."""

    values: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        return tuple(best - value for best, value in zip(self.best, self.values, strict=True))

    @property
    def largest(self) -> float:
        """The exploitability: the largest gain of any one seat by a best response."""
        return max(self.gains)


def best_response(engine: TreeEngine, strategy: F64, seat: int) -> tuple[F64, float]:
    """A seat's best response to the others, in place of its own part of the strategy, and its payoff.

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


def exploitability(engine: TreeEngine, strategy: F64) -> Exploited:
    """Compute what each seat could gain by a best response."""
    values = tuple(engine.sweep(seat, strategy)[1] for seat in SEATS)
    return Exploited(values, tuple(best_response(engine, strategy, seat)[1] for seat in SEATS))


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve: iterations, seconds, and the payoff and best-response gain of each seat."""

    iterations: int
    seconds: float
    values: tuple[float, ...]
    gains: tuple[float, ...]

    @property
    def largest(self) -> float:
        return max(self.gains)


@dataclass
class Curve:
    """Exploitability by iteration."""

    points: list[Point] = field(default_factory=list[Point])

    @property
    def seconds(self) -> float:
        return self.points[-1].seconds if self.points else 0.0


def solve(
    engine: TreeEngine,
    tables: Tables,
    curve: Curve,
    until: int,
    step: Callable[[int], None],
    clock: Callable[[], float],
    met: Callable[[Point], None] = lambda point: None,
) -> None:
    """Run iterations up to a total, and measure exploitability after 1, 2, 5, 10, 20, 50 and so on."""
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

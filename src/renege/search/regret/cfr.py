"""Counterfactual regret minimisation on small games: near-equilibrium strategies and their exploitability.

`Plus` is CFR+: every seat in turn sweeps the whole tree, keeps regrets above zero and averages its strategies with
linear weights. `Sampled` is external-sampling MCCFR: a batch of traversals sees one strategy and adds to the regrets.
Both give a table of averages, from which `averaged` makes the average strategy; `exploitability` is what each seat
could gain by a best response while the others keep to the strategy. With two players it converges to zero. With
partners who cannot talk, or more than two sides, no theorem guarantees that: it is measured.

`open_handed` is the strategy of perfect-information Monte Carlo (PIMC): in each information set the act with the best
mean open-hand value over all deals of the set, equally likely as in the belief.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from renege._kernel import RegretTree
from renege.native.arrays import F64
from renege.native.cards import KERNEL_SEATS, check_lanes, check_threads, checked_array
from renege.search.regret.trees import InformationSets, Tree

BATCH = 1000  # traversals of a seat between two strategies
EQUAL = 1e-12  # gains no further apart are the same but for rounding


@dataclass
class Tables:
    """The state of a solver: cumulative regrets and strategy sums, a number for every slot."""

    regrets: F64
    average: F64
    iterations: int = 0

    @classmethod
    def blank(cls, tree: Tree) -> "Tables":
        return cls(np.zeros(tree.info.slots), np.zeros(tree.info.slots))


class TreeEngine:
    """CFR on one tree by the kernel on the CPU; `renege.search.regret.gpu` does it on a device.

    A tree that does not hang together is refused, with the row; later only the length of tables is checked. Sums over
    several threads differ from those of one in their last digits.
    """

    def __init__(self, tree: Tree, threads: int = 1) -> None:
        check_threads(threads)
        if len(tree.seats) != KERNEL_SEATS:
            raise ValueError(f"the kernel solves games of {KERNEL_SEATS} seats, and this tree has {len(tree.seats)}")
        self.tree, self.threads, info = tree, threads, tree.info
        nodes = tree.levels, tree.sets, tree.children, tree.weights, tree.payoffs
        self.kernel = RegretTree(*nodes, info.seats, info.first_slots, info.parents)

    def sweep(self, seat: int, strategy: F64) -> tuple[F64, float]:
        """One seat's counterfactual gains by slot, 0 in slots of others, and what it wins in all.

        A slot's gain is what the seat wins if it gets there and does that, times how likely chance and the others make
        it, all by the strategy.
        """
        gains = np.zeros(self.tree.info.slots)
        return gains, self.kernel.sweep(seat, self._table("strategy", strategy), gains, self.threads)

    def plus(self, tables: Tables, iterations: int) -> None:
        """More iterations of CFR+."""
        with self._working(tables) as (strategy, regrets, average):
            for _ in range(iterations):
                tables.iterations += 1
                for seat in self.tree.seats:
                    self._learn(seat, strategy, regrets)
                    self._match(seat, regrets, strategy)
                    self._average(seat, strategy, float(tables.iterations), average)

    def sample(self, tables: Tables, iterations: int, batch: int, seed: int) -> None:
        """More iterations of sampling: so many traversals for each seat, then the next strategy."""
        with self._working(tables) as (strategy, regrets, average):
            for _ in range(iterations):
                for seat in self.tree.seats:
                    lane = (tables.iterations * KERNEL_SEATS + seat) * batch  # every batch has its own random numbers
                    check_lanes(seed, lane, batch, 1)
                    sums = strategy, float(tables.iterations + 1), regrets, average
                    self._sample(seat, *sums, seed, range(lane, lane + batch))
                    self._match(seat, regrets, strategy)
                tables.iterations += 1

    def open_hands(self) -> F64:
        """What each act is worth to its seat if all hands lie open after it, summed over its set's deals."""
        gains = np.zeros(self.tree.info.slots)
        self.kernel.open_hands(gains)
        return gains

    # -- the steps, on tables that lie where the engine works

    @contextmanager
    def _working(self, tables: Tables) -> Generator[tuple[Any, Any, Any], None, None]:
        """The strategy by the regrets, the regrets and the average; what is added to them is in the tables after."""
        strategy, regrets = np.empty(self.tree.info.slots), self._table("regrets", tables.regrets)
        for seat in self.tree.seats:
            self._match(seat, regrets, strategy)
        yield strategy, regrets, self._table("average", tables.average)

    def _learn(self, seat: int, strategy: Any, regrets: Any) -> None:
        """Adds to a seat's regrets what each act gained more than the strategy did; none falls below zero."""
        gains, _ = self.sweep(seat, strategy)
        self.kernel.regret_more(seat, gains, strategy, regrets)

    def _match(self, seat: int, regrets: Any, strategy: Any) -> None:
        """Sets a seat's part of the strategy by its regrets: each act as often as it is regretted."""
        self.kernel.match(seat, regrets, strategy)

    def _average(self, seat: int, strategy: Any, weight: float, average: Any) -> None:
        """Adds a seat's strategy to its average, each set by the seat's own reach."""
        self.kernel.average_more(seat, strategy, weight, average)

    def _sample(
        self, seat: int, strategy: Any, weight: float, regrets: Any, average: Any, seed: int, lanes: range
    ) -> None:
        """External sampling, once a lane: a traversal that adds to the regrets, a walk that adds to the average."""
        self.kernel.sample(seat, strategy, weight, regrets, average, seed, lanes.start, len(lanes))

    def _table(self, name: str, table: F64) -> F64:
        return checked_array(name, table, np.float64, (self.tree.info.slots,))


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


def open_handed(engine: TreeEngine) -> F64:
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
    values = tuple(engine.sweep(seat, strategy)[1] for seat in engine.tree.seats)
    return Exploited(values, tuple(best_response(engine, strategy, seat)[1] for seat in engine.tree.seats))


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
    scale = 10 ** (len(str(iterations)) - 1)
    return next(look for look in (scale, 2 * scale, 5 * scale, 10 * scale) if look > iterations)

"""Worlds: the deals of a counting problem, counted, listed, drawn, with the odds of each card by hand.

Two copies of a card are two cards to the shuffler, so *labelled* deals are equally likely: `count`, odds and draws go
by them, and by the picks and weights of the problem. `distinct` and `listed` are about what can be told apart.
Everything is exact: counts are whole numbers of any size, and a drawn deal is the one with a uniformly drawn rank.

Deals are `uint64[n, hand, layer]`: bit c of layer 0 says that the hand has card c, bit c of layer 1 that it has two.
Draws depend on the seed and the deal's number, and on nothing else: not on the threads, not on the machine.

There are two tables. The *graph* deals kind by kind to every hand, of which there are at most five. With more hands, or
where it would be too large, the *pools* of `renege.belief.pools` take hands together of which nothing is known.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from functools import cached_property
from math import comb, prod

import numpy as np

from renege import _kernel
from renege.belief.listing import Listing
from renege.belief.picks import with_picks
from renege.belief.pools import Pools, TooManyPools, weights_row
from renege.belief.problem import Problem
from renege.native.arrays import F64, U8, U64
from renege.native.cards import check_threads

MOST_BYTES = 320_000_000  # the default limit on the table of a problem
GRAPH_HANDS, GRAPH_COPIES = 5, 4  # what the graph is made for
GRAPH_NEEDS = 1 << 18  # what the hands may need, in different ways, beyond which pools come first
GRAPH_SPLITS = 40_000_000  # the same times the splits of each kind, where there are more than two copies
FIVE_SPLITS = 2_000_000  # the same for as many hands as the graph can have, where time is short


class Table(Enum):
    """How the deals are counted."""

    GRAPH = "every hand by itself"
    POOLS = "hands of which nothing is known together"


class TooManyStates(ValueError):
    """The watches of a problem multiply to more than memory holds. A problem with one watch fewer has some deals too
    many, which can be thrown away when drawn.
    """

    def __init__(self, problem: Problem, most_bytes: int) -> None:
        self.problem = problem
        watches = f"{len(problem.watches)} watches"
        super().__init__(f"the table of this problem would take more than {most_bytes:,} bytes: {watches}")


class Worlds:
    """All deals of a problem. The table is built once, then asked; where it would need more than `most_bytes`,
    `TooManyStates` is raised.
    """

    def __init__(self, problem: Problem, *, most_bytes: int = MOST_BYTES, table: Table | None = None) -> None:
        self.problem = problem
        self.dealt = with_picks(problem)
        """The problem as the table has it: what is picked goes to hands of its own."""
        self.layers = max((2, *problem.copies))
        """Of a drawn deal: as many as a card has copies, and at least two."""
        self._most_bytes = most_bytes
        self._weighted: tuple[F64, Pools] | None = None
        self._graph: _kernel.WorldTable | None = None
        self._pools: Pools | None = None
        self._possible = True
        for kind in self._tables() if table is None else (table,):
            if self._take(kind):
                break
        else:
            raise TooManyStates(self.dealt, most_bytes)
        self._count = self._labelled()

    def _tables(self) -> tuple[Table, ...]:
        """Those that can hold the problem, the one to try first in front."""
        if not has_graph(self.dealt):
            return (Table.POOLS,)
        needs, splits = _needs(self.dealt)
        small = needs <= GRAPH_NEEDS and (max(self.dealt.copies, default=0) <= 2 or needs * splits <= GRAPH_SPLITS)
        return (Table.GRAPH, Table.POOLS) if small else (Table.POOLS, Table.GRAPH)

    def _take(self, table: Table) -> bool:
        """Build a table; False if it would be too large."""
        if table is Table.POOLS:
            try:
                self._pools = Pools(self.dealt, self._most_bytes)
            except TooManyPools:
                return False
            return True
        graph, self._possible = self._built(self.dealt, self._most_bytes)
        self._graph = None if graph.too_large else graph
        return not graph.too_large

    def _labelled(self) -> int:
        if self._pools is not None:
            return self._pools.count()
        assert self._graph is not None
        ways = np.empty(len(self.dealt.kinds), np.uint32)
        self._graph.forced_ways(ways)
        return prod(ways.tolist()) * self._total(labelled=True)

    def _built(self, problem: Problem, most_bytes: int) -> tuple[_kernel.WorldTable, bool]:
        watches = [watch for watch in problem.watches if watch.moves]
        # One that reads nothing has decided already.
        possible = all(watch.accepts[0] for watch in problem.watches if not watch.moves)
        heights = [[len(rows) for rows in (*watch.moves, watch.accepts)] for watch in watches]
        reads = [(sum(1 << hand for hand in watch.hands), watch.first, len(watch.moves)) for watch in watches]
        table = _kernel.WorldTable(
            _bytes(problem.kinds),
            _bytes(problem.copies),
            _bytes(problem.sizes),
            _rows(problem.least, len(problem.sizes)),
            _rows(problem.most, len(problem.sizes)),
            _rows([(group.place, group.hands, group.least, group.most) for group in problem.groups], 4),
            np.array([weights_row(group, GRAPH_COPIES) for group in problem.groups], np.uint32).reshape(
                -1, GRAPH_COPIES + 1
            ),
            _rows([(*read, max(states) - 1) for read, states in zip(reads, heights, strict=True)], 4),
            _bytes([states for of_watch in heights for states in of_watch]),
            _bytes([to for watch in watches for table in watch.moves for row in table for to in row]),
            _bytes([accepts for watch in watches for accepts in watch.accepts]),
            most_bytes,
        )
        return table, possible

    def __repr__(self) -> str:
        return f"<Worlds {self._count:,}>"

    @property
    def states(self) -> int:
        """The number of states of the table."""
        return self._pools.states if self._pools is not None else self._of_graph("its states").states

    @property
    def table(self) -> Table:
        """Which of the two was built."""
        return Table.GRAPH if self._pools is None else Table.POOLS

    def count(self) -> int:
        """Labelled deals, each as often as the picks and weights say."""
        return self._count

    def distinct(self) -> int:
        """Deals that can be told apart; `TooManyDistinct` where pools hold too many of them."""
        return self._unpicked._total(labelled=False) if self._unpicked._pools is None else self._unpicked._listing.count

    @cached_property
    def _unpicked(self) -> "Worlds":
        """The same deals, each once: what can be told apart."""
        if self._pools is None and not self.problem.picks:
            return self
        each = replace(self.problem, picks=())
        if has_graph(each):  # it counts them as quickly
            with suppress(TooManyStates):
                return Worlds(each, table=Table.GRAPH)
        return Worlds(each) if self.problem.picks else self

    @cached_property
    def _listing(self) -> Listing:
        return Listing(self.problem)

    def odds(self, *, weights: F64 | None = None) -> F64:
        """`float64[place, hand, copies + 1]`: how likely the hand gets so many copies."""
        self._refuse_nothing()
        if self._pools is not None:
            out = self._pools_for(weights).odds()
        else:
            out = np.empty((len(self.dealt.kinds), len(self.dealt.sizes), self.layers + 1))
            self._of_graph("odds").odds(self._weights(weights), out)
        hands = len(self.problem.sizes)
        for picked, pick in enumerate(self.problem.picks, hands):
            out[:, pick.hand, 1] += out[:, picked, 1]
            out[:, pick.hand, 0] -= out[:, picked, 1]
        return out[: len(self.problem.kinds), :hands, : max(self.problem.copies, default=0) + 1]

    def expected(self, *, weights: F64 | None = None) -> F64:
        """`float64[place, hand]`: how many copies the hand gets on average."""
        odds = self.odds(weights=weights)
        return odds @ np.arange(odds.shape[2], dtype=np.float64)

    def draw(self, n: int, seed: int, *, weights: F64 | None = None, threads: int = 1, first_lane: int = 0) -> U64:
        """Deals, labelled ones equally likely. `weights[place, hand]` multiplies a deal's chance for each copy that the
        hand gets. Deal i of a call is deal 0 of one with `first_lane=i`.
        """
        check_threads(threads)
        self.check_draw(n, seed, first_lane)
        out = self._room(n)
        if self._pools is not None:
            self._pools_for(weights).draw(out, seed, first_lane, threads)
        elif weights is None:
            self._of_graph("draws").draw(out, seed, first_lane, threads)
        else:
            self._of_graph("draws").draw_weighted(self._weights(weights), out, seed, first_lane, threads)
        return self.gathered(out)

    def _pools_for(self, weights: F64 | None) -> Pools:
        """The table, where hands with different weights are told apart; the one of the last weights is kept."""
        assert self._pools is not None
        if weights is None:
            return self._pools
        own = self._weights(weights)
        if self._weighted is None or not np.array_equal(self._weighted[0], own):
            try:
                self._weighted = own, Pools(self.dealt, self._most_bytes, own)
            except TooManyPools:
                raise TooManyStates(self.dealt, self._most_bytes) from None
        if not self._weighted[1].possible:
            raise ValueError("the weights leave no deal")
        return self._weighted[1]

    def gathered(self, rows: U64) -> U64:
        """Deals of the table with what was picked in the hands that it was picked from."""
        if not self.problem.picks:
            return rows
        hands = len(self.problem.sizes)
        hidden = np.uint64(sum(1 << kind for kind in self.problem.kinds))
        for picked, pick in enumerate(self.problem.picks, hands):
            rows[:, pick.hand] |= rows[:, picked]
        return np.ascontiguousarray(rows[:, :hands] & hidden)

    def check_draw(self, n: int, seed: int, first_lane: int) -> None:
        """Refuse what cannot be drawn."""
        if n < 0 or not 0 <= first_lane < 1 << 63 or not 0 <= seed < 1 << 64:
            raise ValueError(f"no such draw: n={n}, seed={seed}, first_lane={first_lane}")
        self._refuse_nothing()

    def parts(self) -> dict[str, bytes]:
        """The table as the kernel keeps it, for a device to draw from (`gpu/worlds.cu`); empty without a deal."""
        return self._of_graph("the parts for a device").parts() if self._count else {}

    def chances(self, weights: F64) -> F64:
        """Of every edge of the table, as draws by weight compare with them."""
        self._refuse_nothing()
        graph = self._of_graph("the chances for a device")
        out = np.empty(graph.edges)
        graph.chances(self._weights(weights), out)
        return out

    def _of_graph(self, what: str) -> _kernel.WorldTable:
        if self._graph is None:
            raise ValueError(f"{what}: this problem is counted in pools, which are drawn from on the CPU only")
        return self._graph

    def listed(self, first: int = 0, most: int | None = None) -> U64:
        """The deals that can be told apart, each once and always in the same order, from number `first` on."""
        distinct = self.distinct()
        if first < 0 or (most is not None and most < 0):
            raise ValueError(f"no such list: first={first}, most={most}")
        n = max(0, distinct - first) if most is None else min(max(0, distinct - first), most)
        one = self._unpicked
        if one._pools is not None:
            return one._listing.rows(first, n, one.layers)
        out = one._room(n)
        if n:
            graph = one._of_graph("lists")
            limbs = len(graph.total(False)) // 8
            rank = np.frombuffer(first.to_bytes(8 * limbs, "little"), np.uint64)
            graph.list(rank, out)
        return out

    def _total(self, labelled: bool) -> int:
        return int.from_bytes(self._of_graph("totals").total(labelled), "little") if self._possible else 0

    def _refuse_nothing(self) -> None:
        if not self._count:
            raise ValueError("there is no deal: the conditions contradict each other")

    def _room(self, n: int) -> U64:
        return np.empty((n, len(self.dealt.sizes), self.layers), np.uint64)

    def _weights(self, weights: F64 | None) -> F64:
        shape = (len(self.problem.kinds), len(self.problem.sizes))
        if weights is None:
            return np.ones((len(self.dealt.kinds), len(self.dealt.sizes)))
        if weights.shape != shape:
            raise ValueError(f"weights must be [place, hand], {shape}, not {weights.shape}")
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("weights must be finite and not negative")
        picked = np.hstack([weights, *(weights[:, [pick.hand]] for pick in self.problem.picks)])
        more = np.ones((len(self.dealt.kinds) - len(picked), picked.shape[1]))
        return np.ascontiguousarray(np.vstack([picked, more]), np.float64)


def _needs(problem: Problem) -> tuple[int, int]:
    """In how many ways hands may need cards, and kinds be split."""
    sizes = sorted(problem.sizes)
    return prod(size + 1 for size in sizes[:-1]), sum(comb(n + len(sizes) - 1, n) for n in problem.copies)


def wants_pools(problem: Problem) -> bool:
    """Are pools built much sooner than the graph?"""
    needs, splits = _needs(problem)
    five = len(problem.sizes) == GRAPH_HANDS and needs * splits > FIVE_SPLITS
    return not has_graph(problem) or needs > GRAPH_NEEDS or five


def has_graph(problem: Problem) -> bool:
    """Is the graph made for so many hands and copies?"""
    return len(problem.sizes) <= GRAPH_HANDS and max(problem.copies, default=0) <= GRAPH_COPIES


def _bytes(numbers: Sequence[int]) -> U8:
    return np.array(numbers, np.uint8)


def _rows(rows: Sequence[Sequence[int]], columns: int) -> U8:
    return np.array(rows, np.uint8).reshape(len(rows), columns)

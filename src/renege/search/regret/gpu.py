"""CFR on a GPU: the engine of `renege.search.regret.cfr` with one thread per node, or per traversal.

The tree and the tables stay on the device between iterations. Sums are made by atomics, in any order, so numbers agree
with the CPU's up to rounding: about 1e-12 of the payoffs in a sweep.
"""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from renege.native.arrays import F64
from renege.native.gpu.device import Gpu, blocks_for, launch_rows
from renege.search.regret.cfr import Tables, TreeEngine
from renege.search.regret.trees import Tree

PROGRAM = "regret.cu"


class OnGpu(TreeEngine):
    """A tree on a device. It is checked by the kernel on the CPU before it goes there."""

    def __init__(self, gpu: Gpu, tree: Tree) -> None:
        super().__init__(tree)
        self.gpu, info = gpu, tree.info
        chances = np.cumsum(tree.weights)
        chances[-1] = 1.0
        nodes = tree.sets, tree.children, tree.weights, tree.payoffs, chances
        sets = info.seats, info.first_slots, info.parents, info.slot_sets, info.depths
        self._sets, self._children, self._weights, self._payoffs, self._chances = map(gpu.put, nodes)
        self._seats, self._first_slots, self._parents, self._slot_sets, self._depths = map(gpu.put, sets)
        self._values = gpu.empty(tree.nodes, np.float64)
        self._gains, self._strategy = gpu.empty(info.slots, np.float64), gpu.empty(info.slots, np.float64)
        self._reaches = gpu.empty(max(1, len(info)), np.float64)

    def sweep(self, seat: int, strategy: F64) -> tuple[F64, float]:
        sum_ = self.gpu.zeros(1, np.float64)
        self._sweep(seat, self.gpu.put(strategy))
        grid = min(blocks_for(self.gpu, self.tree.deals), 4 * self.gpu.multiprocessors)
        entry = self.gpu.kernel(PROGRAM, "add_up")
        self.gpu.launch(entry, grid, self._values, np.uint64(self.tree.deals), sum_)
        return self._gains.numpy(), float(sum_.numpy()[0])

    @contextmanager
    def _working(self, tables: Tables) -> Generator[tuple[Any, Any, Any], None, None]:
        regrets, average = self.gpu.put(tables.regrets), self.gpu.put(tables.average)
        for seat in self.tree.seats:
            self._match(seat, regrets, self._strategy)
        yield self._strategy, regrets, average
        tables.regrets[:], tables.average[:] = regrets.numpy(), average.numpy()

    def _launch(self, entry: str, rows: int, *arguments: Any) -> None:
        launch_rows(self.gpu, PROGRAM, entry, rows, *arguments)

    def _sweep(self, seat: int, strategy: Any) -> None:
        """Leaves a seat's gains in `_gains`, and what each deal is worth to it at the head of `_values`."""
        levels = self.tree.levels.tolist()
        spans = list(pairwise(levels))
        slots, deals = self.tree.info.slots, self.tree.deals
        self._launch("clear", slots, np.uint64(slots), self._gains)
        self._launch("begin", deals, self._weights, np.uint64(deals), self._values)
        shape = (self._seats, self._first_slots)
        for first, last in spans[:-1]:
            nodes = (np.uint64(first), np.uint64(last), np.uint32(seat))
            given = (self._sets, self._children, *shape, *nodes, strategy, self._values)
            self._launch("down", last - first, *given)
        for first, last in reversed(spans):
            nodes = (np.uint64(first), np.uint64(last), np.uint32(seat))
            given = (self._sets, self._children, self._payoffs, *shape, *nodes, strategy, self._gains, self._values)
            self._launch("up", last - first, *given)

    def _by_set(self, entry: str, seat: int, *tables: Any) -> None:
        count = len(self.tree.info)
        given = (self._seats, self._first_slots, np.uint64(count), np.uint32(seat), *tables)
        self._launch(entry, count, *given)

    def _learn(self, seat: int, strategy: Any, regrets: Any) -> None:
        self._sweep(seat, strategy)
        self._by_set("regret_more", seat, self._gains, strategy, regrets)

    def _match(self, seat: int, regrets: Any, strategy: Any) -> None:
        self._by_set("match", seat, regrets, strategy)

    def _average(self, seat: int, strategy: Any, weight: float, average: Any) -> None:
        info = self.tree.info
        shape = (self._seats, self._first_slots, self._parents, self._slot_sets, self._depths)
        for depth in range(int(info.depths.max(initial=-1)) + 1):
            which = (np.uint64(len(info)), np.uint32(seat), np.int32(depth))
            given = (*shape, *which, strategy, np.float64(weight), self._reaches, average)
            self._launch("average_more", len(info), *given)

    def _sample(
        self, seat: int, strategy: Any, weight: float, regrets: Any, average: Any, seed: int, lanes: range
    ) -> None:
        tree = (self._sets, self._children, self._payoffs, self._seats, self._first_slots, self._chances)
        which = (np.int32(self.tree.deals), np.uint32(seat), strategy, np.float64(weight), regrets, average)
        numbers = (np.uint64(seed), np.uint64(lanes.start), np.uint64(len(lanes)))
        self._launch("sample", len(lanes), *tree, *which, *numbers)

"""CFR on a GPU: the engine of `renege.search.regret.cfr` with one thread per node, or per traversal.

The tree and the tables stay on the device between iterations. Sums are made by atomics, in any order, so numbers agree
with the CPU's up to rounding: about 1e-12 of the payoffs in a sweep.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from renege.core.game import SEATS
from renege.native.arrays import F64
from renege.native.gpu.device import Gpu
from renege.search.regret.cfr import CpuTree, Tables, first_lane
from renege.search.regret.trees import Tree

PROGRAM = "regret.cu"


class OnGpu:
    """A tree on a device. It is checked by the kernel on the CPU before it goes there."""

    def __init__(self, gpu: Gpu, tree: Tree) -> None:
        CpuTree(tree)
        info = tree.info
        self.gpu, self.tree = gpu, tree
        self._sets, self._children = gpu.put(tree.sets), gpu.put(tree.children)
        self._weights, self._payoffs = gpu.put(tree.weights), gpu.put(tree.payoffs)
        chances = np.cumsum(tree.weights)
        chances[-1] = 1.0
        self._chances = gpu.put(chances)
        self._seats, self._first_slots = gpu.put(info.seats), gpu.put(info.first_slots)
        self._parents, self._slot_sets = gpu.put(info.parents), gpu.put(info.slot_sets)
        self._depths = gpu.put(info.depths)
        self._values = gpu.empty(tree.nodes, np.float64)
        self._gains, self._strategy = gpu.empty(info.slots, np.float64), gpu.empty(info.slots, np.float64)
        self._reaches = gpu.empty(max(1, len(info)), np.float64)

    # -- the engine

    def sweep(self, seat: int, strategy: F64) -> tuple[F64, float]:
        there, sum_ = self.gpu.put(strategy), self.gpu.zeros(1, np.float64)
        self._sweep(seat, there)
        grid = min(self._blocks(self.tree.deals), 4 * self.gpu.multiprocessors)
        self._launch("add_up", grid, self._values, np.uint64(self.tree.deals), sum_)
        return self._gains.numpy(), float(sum_.numpy()[0])

    def plus(self, tables: Tables, iterations: int) -> None:
        regrets, average = self.gpu.put(tables.regrets), self.gpu.put(tables.average)
        for seat in SEATS:
            self._match(seat, regrets)
        for _ in range(iterations):
            tables.iterations += 1
            for seat in SEATS:
                self._sweep(seat, self._strategy)
                self._by_set("regret_more", seat, self._gains, self._strategy, regrets)
                self._match(seat, regrets)
                self._average(seat, float(tables.iterations), average)
        tables.regrets[:], tables.average[:] = regrets.numpy(), average.numpy()

    def sample(self, tables: Tables, iterations: int, batch: int, seed: int) -> None:
        regrets, average = self.gpu.put(tables.regrets), self.gpu.put(tables.average)
        for seat in SEATS:
            self._match(seat, regrets)
        for _ in range(iterations):
            for seat in SEATS:
                lane = first_lane(tables.iterations, seat, batch)
                self._sample(seat, float(tables.iterations + 1), regrets, average, seed, lane, batch)
                self._match(seat, regrets)
            tables.iterations += 1
        tables.regrets[:], tables.average[:] = regrets.numpy(), average.numpy()

    # -- its parts

    def _launch(self, entry: str, grid: int, *arguments: Any) -> None:
        self.gpu.launch(self.gpu.kernel(PROGRAM, entry), grid, *arguments)

    def _blocks(self, rows: int) -> int:
        return max(1, -(-rows // self.gpu.block))

    def _sweep(self, seat: int, strategy: Any) -> None:
        """Leaves a seat's gains in `_gains`, and what each deal is worth to it at the head of `_values`."""
        levels = self.tree.levels.tolist()
        spans = list(pairwise(levels))
        slots, deals = self.tree.info.slots, self.tree.deals
        self._launch("clear", self._blocks(slots), np.uint64(slots), self._gains)
        self._launch("begin", self._blocks(deals), self._weights, np.uint64(deals), self._values)
        shape = (self._seats, self._first_slots)
        for first, last in spans[:-1]:
            nodes = (np.uint64(first), np.uint64(last), np.uint32(seat))
            given = (self._sets, self._children, *shape, *nodes, strategy, self._values)
            self._launch("down", self._blocks(last - first), *given)
        for first, last in reversed(spans):
            nodes = (np.uint64(first), np.uint64(last), np.uint32(seat))
            given = (self._sets, self._children, self._payoffs, *shape, *nodes, strategy, self._gains, self._values)
            self._launch("up", self._blocks(last - first), *given)

    def _by_set(self, entry: str, seat: int, *tables: Any) -> None:
        count = len(self.tree.info)
        given = (self._seats, self._first_slots, np.uint64(count), np.uint32(seat), *tables)
        self._launch(entry, self._blocks(count), *given)

    def _match(self, seat: int, regrets: Any) -> None:
        self._by_set("match", seat, regrets, self._strategy)

    def _average(self, seat: int, weight: float, average: Any) -> None:
        info = self.tree.info
        shape = (self._seats, self._first_slots, self._parents, self._slot_sets, self._depths)
        for depth in range(int(info.depths.max(initial=-1)) + 1):
            which = (np.uint64(len(info)), np.uint32(seat), np.int32(depth))
            given = (*shape, *which, self._strategy, np.float64(weight), self._reaches, average)
            self._launch("average_more", self._blocks(len(info)), *given)

    def _sample(
        self, seat: int, weight: float, regrets: Any, average: Any, seed: int, first_lane: int, lanes: int
    ) -> None:
        tree = (self._sets, self._children, self._payoffs, self._seats, self._first_slots, self._chances)
        which = (np.int32(self.tree.deals), np.uint32(seat), self._strategy, np.float64(weight), regrets, average)
        numbers = (np.uint64(seed), np.uint64(first_lane), np.uint64(lanes))
        self._launch("sample", self._blocks(lanes), *tree, *which, *numbers)

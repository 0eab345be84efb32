"""State tables of Texas 42 on a GPU: `renege.native.state_tables` for many deals at once, with the same answers.

A launch takes one level of all deals of a batch: first from seven tiles a hand down, every state marking those that a
trick can lead to, then up again, every state looking at the values of those. A state is a thread.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.native import solve as native_solve
from renege.native.arrays import I16, U8, U32
from renege.native.cards import MAX_CARDS
from renege.native.gpu.device import Gpu
from renege.native.solve import Solved, SolveQuery
from renege.native.state_tables import LEVELS, StateTable, StateTables, TableShape, by_shape, levels, rounds, table_of

PROGRAM = "state_tables.cu"
BATCH = 256  # deals of a batch, 15 MB each: enough to fill any device, and to make nothing of the launches
FEW_TILES, MOST_OF_FEW = 6, 2048  # a deal of six tiles a hand takes a tenth, and more of them make a batch
FIRST_BATCH = 32  # where there is a limit in time
MOST_DEALS = 65535  # of one launch


class DealBatch:
    """Deals of one shape on a device, to be solved level by level: what `solve` does with each of its batches."""

    def __init__(self, gpu: Gpu, shape: TableShape, rounds: U8) -> None:
        self.gpu, self.shape, self.deals = gpu, shape, len(rounds)
        self.numbers = levels(shape)
        self._ranks, self._levels, self._rounds = map(gpu.put, (self.numbers.ranks, self.numbers.levels, rounds))
        self._values = gpu.empty((self.deals, self.numbers.values), np.uint8)
        self._kind = f"{shape.players}{'_sevens' if shape.sevens else ''}"
        self.begin()

    def begin(self) -> None:
        """Nothing is marked but the deals themselves."""
        self._bits = self.gpu.zeros((self.deals, self.numbers.words), np.uint32)
        self._counts = self.gpu.zeros((self.deals, LEVELS, 2), np.uint32)
        self._each_deal("whole_begin", self._bits, self._values)

    def reach(self, left: int) -> None:
        """Marks the successors of the states with this many tiles left."""
        self._each_part(f"whole_reach_{self._kind}", left, self._bits, self._counts)

    def look_back(self, left: int) -> None:
        """Computes the values of the states with this many tiles left."""
        self._each_part(f"whole_values_{self._kind}", left, self._bits, self._values)

    def solve(self, *, but_the_first: bool = False) -> None:
        """All levels, down and up; or all but the deals themselves."""
        for left in range(self.shape.tiles, 0, -1):
            self.reach(left)
        for left in range(1, self.shape.tiles + 1 - but_the_first):
            self.look_back(left)

    def roots(self) -> I16:
        """What the deals are worth, once they are solved."""
        found = self.gpu.empty(self.deals, np.int16)
        self._each_deal("whole_roots", self._values, found)
        return found.numpy()

    def plays(self, turn: int) -> I16:
        """`int16[deals, 32]`: the value of each tile that the seat to move may play, -1 where it may not.

        That seat plays `turn` seats after the leader of the trick; the levels below the deals' own must be solved.
        """
        found = self.gpu.filled((self.deals, MAX_CARDS), np.int16, 0xFF)
        numbers = (np.uint32(self.shape.tiles), np.uint32(self.deals), np.uint32(turn))
        kernel, blocks = self.gpu.kernel(PROGRAM, f"whole_plays_{self._kind}"), -(-8 * self.deals // self.gpu.block)
        self.gpu.launch(kernel, blocks, self._ranks, self._levels, self._rounds, *numbers, self._values, found)
        return found.numpy()

    def counts(self) -> U32:
        """`uint32[deals, 8, 2]`: states and tricks, by tiles left."""
        return self._counts.numpy()

    def tables(self) -> list[StateTable]:
        """The state table of each deal. They are sorted here, which takes longer than to solve them."""
        sizes = self.counts()[:, :, 0].sum(axis=1, dtype=np.uint64)
        ends = np.cumsum(sizes, dtype=np.uint64)
        there, found = self.gpu.put(ends - sizes), self.gpu.empty(int(ends[-1]), np.uint64)
        for left in range(1, self.shape.tiles + 1):
            entry = f"whole_keep_{self.shape.players}"
            self._each_part(entry, left, self._bits, self._values, there, found)
        return [table_of(np.sort(words)) for words in np.split(found.numpy(), ends[:-1].astype(np.intp))]

    def _each_deal(self, entry: str, *arrays: Any) -> None:
        numbers = (np.uint32(self.shape.tiles), np.uint32(self.shape.players), np.uint32(self.deals))
        kernel, blocks = self.gpu.kernel(PROGRAM, entry), -(-self.deals // self.gpu.block)
        self.gpu.launch(kernel, blocks, self._levels, self._rounds, *numbers, *arrays)

    def _each_part(self, entry: str, left: int, *arrays: Any) -> None:
        """A block for as many words of a leader's bits as it has threads."""
        parts = -(-self.numbers.words_of_leader[left] // self.gpu.block)
        grid = (parts * self.shape.players, self.deals)
        given = (self._ranks, self._levels, self._rounds, np.uint32(self.shape.tiles), np.uint32(left))
        self.gpu.launch(self.gpu.kernel(PROGRAM, entry), grid, *given, *arrays)


def solve(gpu: Gpu, query: SolveQuery, *, batch: int = BATCH, keep: bool = False) -> StateTables:
    """`native.state_tables.solve` on the device, `batch` deals at a time, 15 MB each for seven tiles a hand."""
    rows = len(query.states)
    values, counts = np.empty(rows, np.int16), np.zeros((rows, LEVELS, 2), np.uint64)
    kept: dict[int, StateTable] = {}
    for shape, of_shape in by_shape(query).items():
        for part in _parts(of_shape, batch):
            deals = DealBatch(gpu, shape, rounds(query.some(part), shape))
            deals.solve()
            values[part], counts[part] = deals.roots(), deals.counts()
            if keep:
                kept |= zip(part.tolist(), deals.tables(), strict=True)
    found = [kept[row] for row in range(rows)] if keep else None
    return StateTables(values, counts[:, :, 0], counts[:, :, 1], found)


def solve_values(gpu: Gpu, query: SolveQuery) -> Solved:
    """`native.solve.solve` from state tables, for positions with no trick under way; targets are ignored.

    Nodes are the tricks that were looked at. Rows that there is no time for have the bounds known from the start.
    """
    out = native_solve.solve(replace(query, targets=None, most_nodes=0, most_seconds=None))
    groups = {(shape, 0): rows for shape, rows in by_shape(query).items()}
    for part, (shape, _) in _in_time(groups, query.most_seconds):
        deals = DealBatch(gpu, shape, rounds(query.some(part), shape))
        deals.solve()
        out.lower[part] = out.upper[part] = deals.roots()
        out.nodes[part] = deals.counts()[:, :, 1].sum(axis=1)
    return out


def solve_plays(gpu: Gpu, query: SolveQuery) -> Solved:
    """`native.solve.solve_plays` from state tables, wherever in a trick; the rest as in `solve_values`."""
    out = native_solve.solve_plays(replace(query, targets=None, most_nodes=0, most_seconds=None))
    turns = query.states[:, 5] >> 2 & 3
    groups = {
        (shape, turn): rows[turns[rows] == turn]
        for shape, rows in by_shape(query, in_trick=True).items()
        for turn in np.unique(turns[rows]).tolist()
    }
    for part, (shape, turn) in _in_time(groups, query.most_seconds):
        deals = DealBatch(gpu, shape, rounds(query.some(part), shape))
        deals.solve(but_the_first=True)
        out.lower[part] = out.upper[part] = deals.plays(turn)
        out.nodes[part] = deals.counts()[:, :, 1].sum(axis=1)
    return out


def _in_time(
    groups: dict[tuple[TableShape, int], NDArray[np.intp]], most_seconds: float | None
) -> Iterator[tuple[NDArray[np.intp], tuple[TableShape, int]]]:
    """Batches of rows of one kind, as many as the time is enough for, if the next takes as long as the last."""
    began = time.perf_counter()
    for kind, rows in groups.items():
        most = BATCH if kind[0].tiles > FEW_TILES else MOST_OF_FEW
        size = most if most_seconds is None else FIRST_BATCH
        while len(rows):
            started = time.perf_counter()
            yield rows[:size], kind
            rows = rows[size:]
            if most_seconds is None:
                continue
            took = (time.perf_counter() - started) / size
            left = most_seconds - (time.perf_counter() - began)
            size = min(4 * size, most, int(left / took))
            if size < 1:
                return


def _parts(rows: NDArray[np.intp], batch: int) -> list[NDArray[np.intp]]:
    if not 1 <= batch <= MOST_DEALS:
        raise ValueError(f"batch is {batch}; it must be 1..{MOST_DEALS}")
    return [rows[first : first + batch] for first in range(0, len(rows), batch)]

"""Open hands solved on a GPU: the calls of `renege.native.solve`, with the same values.

A search is a thread, and of `solve_plays` every play is one. Where the bounds meet they are the CPU's. With `targets`
the answer is: whether the takers get so many; how far beyond that a bound came depends on what a search remembered, and
so on `slots`. With equal slots `solve` finds the same bounds by as many nodes. A play of `solve_plays` is searched by
itself and knows nothing of the others, so it takes some nodes more, and `most_nodes` is for each play.
"""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from renege.native import cards as native
from renege.native.arrays import I16, U32, U64
from renege.native.cards import MAX_CARDS, Duty, Tables
from renege.native.gpu.device import Gpu, bytes_on
from renege.native.solve import Solved, SolveQuery, check_slots

PROGRAM = "solve.cu"
BLOCK = 64  # threads of a block, as the program has them
BLOCKS_EACH = 6  # blocks for each multiprocessor: as many as their shared memory lets in
SLOTS = 1 << 14  # trick boundaries that a thread remembers, 8 bytes each
NOTHING_REFUSED = 2**64 - 1
# by seats that play and duty: the entry point that plays so
ENTRIES = {
    (4, Duty.FOLLOW_SUIT): "solve_four",
    (3, Duty.FOLLOW_SUIT): "solve_three",
    (4, Duty.STRONGEST): "solve_four_sevens",
    (3, Duty.STRONGEST): "solve_three_sevens",
    (4, Duty.CALLED_ACE): "solve_called",
}


class Slots:
    """The transposition tables of a device's threads, kept from call to call; each search marks its own entries."""

    def __init__(self, gpu: Gpu, slots: int, blocks: int) -> None:
        self.slots, self.blocks = slots, blocks
        self.words = gpu.zeros((blocks * BLOCK, slots), np.uint64)
        self.marks = gpu.zeros(blocks * BLOCK, np.uint32)


_KEPT: WeakKeyDictionary[Gpu, Slots] = WeakKeyDictionary()


def solve(gpu: Gpu, query: SolveQuery, *, slots: int = SLOTS, merge: bool = True) -> Solved:
    """`native.solve.solve` on the device; `slots` are those of each thread."""
    bounds, nodes = np.zeros((len(query.states), 2), np.int16), np.zeros(len(query.states), np.uint64)
    _fill(gpu, query, bounds, nodes, slots, merge=merge, plays=False)
    return Solved(bounds[:, 0], bounds[:, 1], nodes)


def solve_plays(gpu: Gpu, query: SolveQuery, *, slots: int = SLOTS, merge: bool = True) -> Solved:
    """`native.solve.solve_plays` on the device; `slots` are those of each thread, `most_nodes` is for each play."""
    rows = len(query.states)
    bounds, nodes = np.full((rows, MAX_CARDS, 2), -1, np.int16), np.zeros(rows, np.uint64)
    _fill(gpu, query, bounds, nodes, slots, merge=merge, plays=True)
    return Solved(bounds[:, :, 0], bounds[:, :, 1], nodes)


def _fill(gpu: Gpu, query: SolveQuery, bounds: I16, nodes: U64, slots: int, *, merge: bool, plays: bool) -> None:
    check_slots(slots)
    for entry, rows in _kinds(query.tables, query.states):
        launch = Launch(gpu, entry, query.some(rows), slots, plays=plays)
        launch.start(merge=merge)
        bounds[rows], nodes[rows] = launch.found()


class Launch:
    """Questions of one kind in the device's memory, and the answers to them."""

    def __init__(self, gpu: Gpu, entry: str, query: SolveQuery, slots: int, *, plays: bool = False) -> None:
        self.gpu, self.entry, self.query = gpu, entry, query
        self.rows = len(query.states)
        self.plays = max(1, int(np.bitwise_count(query.states[:, :4]).max(initial=0))) if plays else 0
        self.order = bytes_on(gpu, query.tables), bytes_on(gpu, query.tables.sight)
        takers, maximisers, targets = query.by_row.astype(np.uint32)
        self.given = gpu.put(query.states), gpu.put(takers | maximisers << 4 | targets << 8)
        needed = -(-self.rows * max(1, self.plays) // BLOCK)
        self.memory = _memory(gpu, slots, min(gpu.multiprocessors * BLOCKS_EACH, needed))
        self.blocks = min(self.memory.blocks, needed)
        self._out: tuple[Any, Any, Any] | None = None

    def start(self, *, merge: bool = True) -> None:
        """Sets the device to work."""
        gpu, width = self.gpu, MAX_CARDS if self.plays else 1
        self._out = (
            gpu.filled((self.rows, width, 2), np.int16, 0xFF),
            gpu.zeros(self.rows, np.uint64),
            gpu.put(np.array([0, NOTHING_REFUSED], np.uint64)),
        )
        seconds = self.query.most_seconds
        most_time = 0 if seconds is None else min(max(int(seconds * 1e9), 1), 1 << 62)
        limits = np.uint64(self.rows), np.uint32(self.plays), np.uint64(self.query.most_nodes), np.uint64(most_time)
        memory = self.memory.words, np.uint32(self.memory.slots), self.memory.marks
        kernel = gpu.kernel(PROGRAM, self.entry)
        gpu.launch(
            kernel, self.blocks, *self.order, *self.given, *limits, np.uint32(merge), *memory, *self._out, block=BLOCK
        )

    def found(self) -> tuple[Any, Any]:
        """Bounds, `int16[B, 2]` or `int16[B, 32, 2]`, and nodes; a row that cannot be raises `ValueError`."""
        assert self._out is not None
        bounds, nodes, progress = self._out
        if int(progress.numpy()[1]) != NOTHING_REFUSED:
            native.legal_masks(self.query.tables, self.query.states)  # which says why
        found = bounds.numpy()
        return (found if self.plays else found[:, 0]), nodes.numpy()


def _memory(gpu: Gpu, slots: int, blocks: int) -> Slots:
    """Slots for so many blocks: those of the last call if they will do."""
    kept = _KEPT.get(gpu)
    if kept is None or kept.slots != slots or kept.blocks < blocks:
        _KEPT.pop(gpu, None)  # first, that both need not fit
        kept = _KEPT[gpu] = Slots(gpu, slots, max(blocks, 1))
    return kept


def _kinds(tables: Tables, states: U32) -> list[tuple[str, Any]]:
    """The entry point for each kind of row, and which rows those are; mostly all are of one kind."""
    if not len(states):
        return []
    terms = states[:, 5]
    kinds = np.bitwise_count(terms >> 4 & 15).astype(np.int64) << 4 | (terms >> 8 & 15).astype(np.int64)
    found = np.unique(kinds).tolist()
    for kind in found:
        if (kind >> 4, kind & 15) not in ENTRIES:
            native.legal_masks(tables, states)  # which says why not
    if len(found) == 1:
        return [(ENTRIES[found[0] >> 4, Duty(found[0] & 15)], slice(None))]
    return [(ENTRIES[kind >> 4, Duty(kind & 15)], np.flatnonzero(kinds == kind)) for kind in found]

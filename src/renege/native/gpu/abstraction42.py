"""MCCFR on the abstraction of straight 42, on a GPU: `renege.native.abstraction42` with the same answers bit for bit.

Lanes are independent and sums are integers, so a ledger that was trained here has the same numbers at the same keys as
one that was trained on the CPU.
"""

import numpy as np

from renege.native import abstraction42 as native
from renege.native.abstraction42 import WAYS, BatchStatistics, Ledger, Looks, Sheets42, read_sums
from renege.native.arrays import U32
from renege.native.cards import check_lanes
from renege.native.gpu.device import Gpu, bytes_on, launch_rows

PROGRAM = "abstraction42.cu"
BLOCK = 128  # threads: a lane keeps its turns in local memory, and more would only wait for it
BLOCKS_EACH = 7  # for each multiprocessor: as many as have registers there


class LedgerOnDevice:
    """A ledger in the memory of a GPU, taken from one of the CPU's; `fetch` writes it back."""

    def __init__(self, gpu: Gpu, sheets: Sheets42, ledger: Ledger) -> None:
        self.gpu, self.ledger = gpu, ledger
        self.sheets = bytes_on(gpu, sheets)
        self.keys, self.regret, self.average, self.gain, self.share = map(gpu.put, ledger.arrays)

    def traverse(self, n: int, seed: int, first_lane: int = 0) -> BatchStatistics:
        """`native.abstraction42.traverse` on the device."""
        check_lanes(seed, first_lane, n, 1)
        sums, begun = self.gpu.zeros(native.SUMS, np.uint64), self.gpu.zeros(1, np.uint64)
        lanes = (np.uint64(seed), np.uint64(first_lane), np.uint64(n), begun)
        table = (self.keys, self.regret, self.gain, self.share, np.uint32(self.ledger.slots))
        block = min(BLOCK, self.gpu.block)
        blocks = max(1, min(self.gpu.multiprocessors * BLOCKS_EACH, -(-n // block)))
        self.gpu.launch(self.gpu.kernel(PROGRAM, "traverse"), blocks, self.sheets, *table, *lanes, sums, block=block)
        return read_sums(sums.numpy())

    def fold(self, weight: float) -> None:
        """`native.abstraction42.fold` on the device."""
        if not 0 <= weight <= 1:
            raise ValueError(f"weight is {weight}; it must be 0..1")
        count = self.ledger.slots * WAYS
        for sums, found in ((self.regret, self.gain), (self.average, self.share)):
            given = (sums, found, np.float32(weight), np.uint64(count))
            launch_rows(self.gpu, PROGRAM, "fold", count, *given)

    def fetch(self) -> Ledger:
        """The ledger of the CPU with what this one has."""
        there = (self.keys, self.regret, self.average, self.gain, self.share)
        for array, found in zip(self.ledger.arrays, there, strict=True):
            self.gpu.fetch(found, array)
        return self.ledger


def look(gpu: Gpu, sheets: Sheets42, states: U32, voids: U32) -> Looks:
    """`native.abstraction42.look` on the device."""
    native.look(sheets, states, voids)  # refuses what cannot be looked at
    count = len(states)
    keys, open_, tiles = gpu.empty(count, np.uint64), gpu.empty(count, np.uint8), gpu.empty((count, WAYS), np.uint8)
    given = (bytes_on(gpu, sheets), gpu.put(states), gpu.put(voids), np.uint64(count))
    launch_rows(gpu, PROGRAM, "look_at", count, *given, keys, open_, tiles)
    return Looks(keys.numpy(), open_.numpy(), tiles.numpy())


def contracts(gpu: Gpu, sheets: Sheets42, n: int, seed: int, first_lane: int = 0) -> U32:
    """`native.abstraction42.contracts` on the device."""
    check_lanes(seed, first_lane, n, 1)
    out = gpu.empty((n, 8), np.uint32)
    given = (bytes_on(gpu, sheets), np.uint64(seed), np.uint64(first_lane), np.uint64(n))
    launch_rows(gpu, PROGRAM, "contracts", n, *given, out)
    return out.numpy()

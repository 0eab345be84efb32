"""The abstraction of straight 42 in the C++ kernel, typed: keys (abstract information sets), ways (actions), MCCFR.

`docs/regret42.md` says what a key and a way are. A `Ledger` is the regret table: a hash table by open addressing with
room for `slots` keys. `traverse` plays lanes against its strategy and adds to `gain` and `share`; `fold` adds those to
`regret` and `average`. Within a batch the strategy is fixed and sums are integers, so a ledger depends on the seed and
the batches alone, not on threads or device; only the slots of the keys do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renege import _kernel
from renege._kernel import Sheets42, Tables
from renege.native.arrays import F32, U8, U32, U64
from renege.native.cards import check_lanes, check_threads, checked_array

WAYS = 6
NO_KEY = 0
DECLARATIONS = 9
UNIT = 2.0**-24
MOST_SLOTS = 1 << 28
SUMS = 10


@dataclass(frozen=True, slots=True)
class Looks:
    """`keys uint64[B]`, 0 without a choice; `open uint8[B]`, bit w for way w; `tiles uint8[B, 6]`, 255 where none."""

    keys: U64
    open: U8
    tiles: U8


@dataclass(frozen=True, slots=True)
class BatchStatistics:
    """Statistics of a batch: nodes visited, nodes dropped because the hash table was full, lanes and payoff by role.

    In `lanes[r]` lanes the seat of role r (declarer, left, partner, right) tried every action; `paid[r]` is their total
    payoff under the strategy, 1 for made and -1 for set from the declarer's side.
    """

    nodes: int
    dropped: int
    lanes: tuple[int, ...]
    paid: tuple[float, ...]


class Ledger:
    """`keys uint64[S]`, 0 where none; `regret`, `average float32[S, 6]`; `gain`, `share uint64[S, 6]` of a batch."""

    def __init__(self, slots: int) -> None:
        if not 1 <= slots <= MOST_SLOTS or slots & (slots - 1):
            raise ValueError(f"slots is {slots}; it must be a power of two, at most 2**28")
        self.keys: U64 = np.zeros(slots, np.uint64)
        self.regret: F32 = np.zeros((slots, WAYS), np.float32)
        self.average: F32 = np.zeros((slots, WAYS), np.float32)
        self.gain: U64 = np.zeros((slots, WAYS), np.uint64)
        self.share: U64 = np.zeros((slots, WAYS), np.uint64)

    @property
    def arrays(self) -> tuple[U64, F32, F32, U64, U64]:
        return self.keys, self.regret, self.average, self.gain, self.share

    @property
    def slots(self) -> int:
        return len(self.keys)

    @property
    def used(self) -> int:
        """How many keys it has."""
        return int(np.count_nonzero(self.keys))

    def grown(self, slots: int) -> "Ledger":
        """Return a copy with more slots."""
        after, places = Ledger(slots), self.order()
        to = np.empty(len(places), np.uint32)
        _kernel.claim_slots_42(after.keys, self.keys[places], to)
        after.regret[to], after.average[to] = self.regret[places], self.average[places]
        return after

    def order(self) -> NDArray[np.intp]:
        """The places of the keys that it has, by key: ledgers are compared in this order."""
        (used,) = self.keys.nonzero()
        return used[np.argsort(self.keys[used])]


def sheets(orders: Sequence[Tables]) -> Sheets42:
    """The orders of the seven pips, doubles and follow-me, as the calls below want them."""
    return Sheets42(list(orders))


def look(sheets: Sheets42, states: U32, voids: U32) -> Looks:
    """`states [B, 8]` of straight 42, `voids uint32[B]`, bit 8 * seat + suit where a seat could not follow."""
    states = checked_array("states", states, np.uint32, (None, 8))
    voids = checked_array("voids", voids, np.uint32, (len(states),))
    found = Looks(
        np.empty(len(states), np.uint64), np.empty(len(states), np.uint8), np.empty((len(states), WAYS), np.uint8)
    )
    _kernel.look_at_42(sheets, states, voids, found.keys, found.open, found.tiles)
    return found


def contracts(sheets: Sheets42, n: int, seed: int, first_lane: int = 0, threads: int = 1) -> U32:
    """`states [n, 8]` at the first lead: deals in which somebody bids, and the contract that four rulebooks come to."""
    check_lanes(seed, first_lane, n, threads)
    out = np.empty((n, 8), np.uint32)
    _kernel.contracts_42(sheets, out, seed, first_lane, threads)
    return out


def traverse(
    sheets: Sheets42, ledger: Ledger, n: int, seed: int, first_lane: int = 0, threads: int = 1
) -> BatchStatistics:
    """Play n lanes against the fixed strategy of the ledger, adding to `gain` and `share`."""
    check_lanes(seed, first_lane, n, threads)
    sums = np.zeros(SUMS, np.uint64)
    _kernel.traverse_42(
        sheets, ledger.keys, ledger.regret, ledger.gain, ledger.share, n, sums, seed, first_lane, threads
    )
    return read_sums(sums)


def read_sums(sums: U64) -> BatchStatistics:
    """The sums of a batch as the kernel leaves them."""
    nodes, dropped, *of_roles = (int(value) for value in sums)
    paid = sums[6:].view(np.int64).astype(np.float64) * UNIT
    return BatchStatistics(nodes, dropped, tuple(of_roles[:4]), tuple(float(value) for value in paid))


def fold(ledger: Ledger, weight: float, threads: int = 1) -> None:
    """Add a batch to the ledger; what was there before is multiplied by `weight`."""
    check_threads(threads)
    if not 0 <= weight <= 1:
        raise ValueError(f"weight is {weight}; it must be 0..1")
    _kernel.fold_42(ledger.regret.reshape(-1), ledger.gain.reshape(-1), weight, threads)
    _kernel.fold_42(ledger.average.reshape(-1), ledger.share.reshape(-1), weight, threads)

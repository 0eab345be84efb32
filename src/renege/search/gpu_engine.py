"""The engine of a search on a GPU: the same answers as the CPU's, for many more worlds at once.

A thread of a device is slow, and only their number makes up for it. Early in a deal of 42 all threads together make
whole tables. What would take one thread longer than there is time for, a search early in a deal of Schafkopf, the CPU
does.
"""

import math
import time
from collections.abc import Callable

import numpy as np

from renege.belief.gpu_worlds import DeviceWorlds
from renege.belief.worlds import Worlds
from renege.native.arrays import I32, U8, U32, U64
from renege.native.cards import Duty, Tables
from renege.native.engine import CPU
from renege.native.gpu import rollouts, solve
from renege.native.gpu import state_tables as whole
from renege.native.gpu.device import Gpu
from renege.native.rollouts import Scene
from renege.native.solve import Solved, SolvedPlays
from renege.native.tractor import House, TractorOrder

NODE = 3e-6  # seconds that a thread takes for a card
# cards that one search of 20 takes at least, by the cards of a hand: to find a value, and to answer a question
VALUE = {4: 1_000, 5: 8_000, 6: 33_000, 7: 135_000, 8: 1_000_000}
QUESTION = {4: 280, 5: 1_200, 6: 6_000, 7: 34_000, 8: 200_000}
# tiles of a hand with which a whole table of 42 is made sooner than a thread has searched
TABLE_FROM, MOST_TILES, TILES_42 = 5, 7, 28
FIRST_ROUNDS = 1 << 14  # rounds of Tractor that are played before anybody looks at the clock
FROM_DEVICE = 1 << 10  # worlds for which it is worth to draw them on the device


class GpuEngine:
    """A device, and the CPU beside it."""

    name = "gpu"
    most_worlds = 1 << 14
    first_worlds = 1 << 10  # a search takes a thread as long as a thousand take it together

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu
        self._drawn: DeviceWorlds | None = None  # of the last belief: a search draws from one at a time

    def at_once(self, worlds: int) -> int:
        return max(worlds, self.most_worlds)

    def next_batch(self, worlds: int, took: float, left: float) -> int:
        # A device hardly notices more of them until it is full; even if it did, four times as many would be in time.
        return max(2, 4 * worlds if 4 * took <= left else int(worlds * left / took / 2))

    def draw(self, worlds: Worlds, n: int, seed: int, *, first_lane: int) -> U64:
        """`worlds.draw`, on the device where they are many."""
        if n < FROM_DEVICE:
            return worlds.draw(n, seed, first_lane=first_lane)
        if self._drawn is None or self._drawn.worlds is not worlds:
            self._drawn = DeviceWorlds(self.gpu, worlds)
        return self._drawn.draw(n, seed, first_lane=first_lane)

    def solve(
        self,
        tables: Tables,
        states: U32,
        takers: int | U8,
        maximisers: int | U8 | None = None,
        *,
        targets: int | U8 | None = None,
        most_seconds: float | None = None,
    ) -> Solved:
        if _has_table(tables, states, in_trick=False):
            return whole.solve_values(self.gpu, tables, states, takers, maximisers, most_seconds=most_seconds)
        if _too_long(states, targets, most_seconds):
            return CPU.solve(tables, states, takers, maximisers, targets=targets, most_seconds=most_seconds)
        return solve.solve(self.gpu, tables, states, takers, maximisers, targets=targets, most_seconds=most_seconds)

    def solve_plays(
        self,
        tables: Tables,
        states: U32,
        takers: int | U8,
        maximisers: int | U8 | None = None,
        *,
        targets: int | U8 | None = None,
        most_seconds: float | None = None,
    ) -> SolvedPlays:
        if _has_table(tables, states, in_trick=True):
            return whole.solve_plays(self.gpu, tables, states, takers, maximisers, most_seconds=most_seconds)
        if _too_long(states, targets, most_seconds):
            return CPU.solve_plays(tables, states, takers, maximisers, targets=targets, most_seconds=most_seconds)
        return solve.solve_plays(
            self.gpu, tables, states, takers, maximisers, targets=targets, most_seconds=most_seconds
        )

    def rollouts(
        self,
        order: TractorOrder,
        scene: Scene,
        worlds: U64,
        kitties: I32,
        candidates: U64,
        house: House,
        *,
        buried: U64 | None = None,
        solve_from: int = 0,
        most_seconds: float = math.inf,
    ) -> I32:
        def some(rows: slice) -> I32:
            below = None if buried is None else buried[rows]
            asked = order, scene, worlds[rows], kitties[rows], candidates, house
            return rollouts.rollouts(self.gpu, *asked, buried=below, solve_from=solve_from)

        return _in_time(some, len(worlds), len(candidates), most_seconds)

    def solve_candidates(
        self,
        order: TractorOrder,
        scene: Scene,
        worlds: U64,
        kitties: I32,
        candidates: U64,
        house: House,
        *,
        buried: U64 | None = None,
        most_seconds: float = math.inf,
    ) -> I32:
        if len(worlds) and int(np.bitwise_count(worlds[0]).sum(axis=1).max()) > rollouts.MOST_SOLVED:
            asked = order, scene, worlds, kitties, candidates, house
            return CPU.solve_candidates(*asked, buried=buried, most_seconds=most_seconds)

        def some(rows: slice) -> I32:
            below = None if buried is None else buried[rows]
            asked = order, scene, worlds[rows], kitties[rows], candidates, house
            return rollouts.solve_candidates(self.gpu, *asked, buried=below)

        return _in_time(some, len(worlds), len(candidates), most_seconds)


def _has_table(tables: Tables, states: U32, *, in_trick: bool) -> bool:
    """Are these all positions of 42 with a whole table, and early enough in the deal for it to pay?"""
    if not len(states) or tables.cards != TILES_42:
        return False
    terms = states[:, 5]
    tiles = int(np.bitwise_count(states[:, :4]).max())  # of the seat to move, who has not played to this trick
    return (
        TABLE_FROM <= tiles <= MOST_TILES
        and bool((terms >> 8 & 15 != Duty.CALLED_ACE).all())
        and (in_trick or not (terms >> 2 & 3).any())
    )


def _too_long(states: U32, targets: int | U8 | None, most_seconds: float | None) -> bool:
    """Would a thread be at a search for more than half of the time?"""
    if most_seconds is None or not len(states):
        return False
    cards = int(np.bitwise_count(states[0, :4]).max())
    nodes = (VALUE if targets is None else QUESTION).get(max(cards, 4), math.inf)
    return nodes * NODE > most_seconds / 2


def _in_time(some: Callable[[slice], I32], worlds: int, candidates: int, most_seconds: float) -> I32:
    """Rows as far as the time goes, since the rounds themselves have no clock; the others are -1."""
    if math.isinf(most_seconds):
        return some(slice(0, worlds))
    until = time.perf_counter() + most_seconds
    out = np.full((worlds, candidates), -1, np.int32)
    done, size = 0, max(1, FIRST_ROUNDS // max(1, candidates))
    while done < worlds and (began := time.perf_counter()) < until:
        rows = slice(done, min(done + size, worlds))
        out[rows] = some(rows)
        now = time.perf_counter()
        done, size = rows.stop, max(1, min(4 * size, int(size * (until - now) / (now - began) / 2)))
    return out

"""Engines of a search by the name of their device, `cpu` or `gpu`, and that of a GPU: the same answers as the CPU's,
for many more worlds at once.

A single thread of a device is slow. Early in a deal of 42 all threads together compute the state table of each deal; a
search that would take one thread too long, as early in a deal of Schafkopf, is left to the CPU.
"""

import math
import time
import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from renege.belief.gpu_worlds import DeviceWorlds
from renege.belief.worlds import Table, Worlds
from renege.native import rollouts as native_rollouts
from renege.native import solve as native_solve
from renege.native import tractor_solve
from renege.native.arrays import I32, U64
from renege.native.cards import Duty
from renege.native.engine import CPU, A, Engine, Q
from renege.native.gpu import rollouts, solve
from renege.native.gpu import state_tables as whole
from renege.native.gpu.device import Gpu, NoGpu, NoGpuWarning, find_gpu
from renege.native.rollouts import RolloutQuery
from renege.native.solve import Solved, SolveQuery

DEVICES = ("cpu", "gpu")
NODE = 3e-6  # seconds that a thread takes for a card
# cards that one search of 20 takes at least, by the cards of a hand: to find a value, and to answer a question
VALUE = {4: 1_000, 5: 8_000, 6: 33_000, 7: 135_000, 8: 1_000_000}
QUESTION = {4: 280, 5: 1_200, 6: 6_000, 7: 34_000, 8: 200_000}
# tiles of a hand with which a whole table of 42 is made sooner than a thread has searched
TABLE_FROM, MOST_TILES, TILES_42 = 5, 7, 28
FIRST_ROUNDS = 1 << 14  # rounds of Tractor that are played before anybody looks at the clock
FROM_DEVICE = 1 << 10  # worlds for which it is worth to draw them on the device


class GpuEngine(Engine):
    """A device, and the CPU beside it."""

    name = "gpu"
    most_worlds = 1 << 14
    first_worlds = 1 << 10  # a search takes a thread as long as a thousand take it together

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu
        self._drawn: DeviceWorlds | None = None  # of the last belief: a search draws from one at a time
        self._here: dict[Callable[..., Any], Callable[..., Any]] = {  # the questions that a device has an answer to
            native_solve.solve: self.solve,
            native_solve.solve_plays: self.solve_plays,
            native_rollouts.rollouts: self.rollouts,
            tractor_solve.solve_candidates: self.solve_candidates,
        }

    def at_once(self, worlds: int) -> int:
        return max(worlds, self.most_worlds)

    def next_batch(self, worlds: int, took: float, left: float) -> int:
        # A device hardly notices more of them until it is full; even if it did, four times as many would be in time.
        return max(2, 4 * worlds if 4 * took <= left else int(worlds * left / took / 2))

    def draw(self, worlds: Worlds, n: int, seed: int, *, first_lane: int) -> U64:
        """`worlds.draw`, on the device where they are many and the table is the graph."""
        if n < FROM_DEVICE or worlds.table is not Table.GRAPH:
            return worlds.draw(n, seed, first_lane=first_lane)
        if self._drawn is None or self._drawn.worlds is not worlds:
            self._drawn = DeviceWorlds(self.gpu, worlds)
        return self._drawn.draw(n, seed, first_lane=first_lane)

    def run(self, question: Callable[[Q], A], query: Q) -> A:
        """A question that has no answer here is the CPU's."""
        return self._here.get(question, question)(query)

    def solve(self, query: SolveQuery) -> Solved:
        if _has_table(query, in_trick=False):
            return whole.solve_values(self.gpu, query)
        return native_solve.solve(query) if _too_long(query) else solve.solve(self.gpu, query)

    def solve_plays(self, query: SolveQuery) -> Solved:
        if _has_table(query, in_trick=True):
            return whole.solve_plays(self.gpu, query)
        return native_solve.solve_plays(query) if _too_long(query) else solve.solve_plays(self.gpu, query)

    def rollouts(self, query: RolloutQuery) -> I32:
        return _in_time(partial(rollouts.rollouts, self.gpu), query)

    def solve_candidates(self, query: RolloutQuery) -> I32:
        worlds = query.worlds
        if len(worlds) and int(np.bitwise_count(worlds[0]).sum(axis=1).max()) > rollouts.MOST_SOLVED:
            return tractor_solve.solve_candidates(query)
        return _in_time(partial(rollouts.solve_candidates, self.gpu), query)


def _has_table(query: SolveQuery, *, in_trick: bool) -> bool:
    """Do all these positions have a state table, and is it early enough in the deal for that to be faster?"""
    states = query.states
    if not len(states) or query.tables.cards != TILES_42:
        return False
    terms = states[:, 5]
    tiles = int(np.bitwise_count(states[:, :4]).max())  # of the seat to move, who has not played to this trick
    return (
        TABLE_FROM <= tiles <= MOST_TILES
        and bool((terms >> 8 & 15 != Duty.CALLED_ACE).all())
        and (in_trick or not (terms >> 2 & 3).any())
    )


def _too_long(query: SolveQuery) -> bool:
    """Would a thread be at a search for more than half of the time?"""
    if query.most_seconds is None or not len(query.states):
        return False
    cards = int(np.bitwise_count(query.states[0, :4]).max())
    nodes = (VALUE if query.targets is None else QUESTION).get(max(cards, 4), math.inf)
    return nodes * NODE > query.most_seconds / 2


def _in_time(answer: Callable[[RolloutQuery], I32], query: RolloutQuery) -> I32:
    """Rows as far as the time goes, since the rounds themselves have no clock; the others are -1."""
    if math.isinf(query.most_seconds):
        return answer(query)
    until = time.perf_counter() + query.most_seconds
    worlds, candidates = query.shape
    out = np.full(query.shape, -1, np.int32)
    done, size = 0, max(1, FIRST_ROUNDS // max(1, candidates))
    while done < worlds and (began := time.perf_counter()) < until:
        rows = slice(done, min(done + size, worlds))
        out[rows] = answer(query.some(rows))
        now = time.perf_counter()
        done, size = rows.stop, max(1, min(4 * size, int(size * (until - now) / (now - began) / 2)))
    return out


@cache
def gpu_or_none() -> Gpu | None:
    """The GPU; where there is none, None and one warning that says why."""
    try:
        return find_gpu()
    except NoGpu as missing:
        warnings.warn(f"{missing}; the CPU does the work", NoGpuWarning, stacklevel=3)
        return None


@cache
def engine_named(device: str) -> Engine:
    """The engine of `cpu` or `gpu`. Where no GPU is found the CPU does the work, and one warning says why."""
    if device not in DEVICES:
        raise ValueError(f"{device!r} is no device: {' or '.join(DEVICES)}")
    if device == "cpu":
        return CPU
    gpu = gpu_or_none()
    return CPU if gpu is None else GpuEngine(gpu)

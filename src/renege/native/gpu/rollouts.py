"""Rollouts of Tractor on a GPU: the calls of `renege.native.rollouts`, with the same answers.

A world and a candidate are a thread. Ends of more than four cards a hand are too large for one to solve: where those
are asked for the CPU does the work.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from renege.native import rollouts as native
from renege.native.arrays import I32
from renege.native.gpu.device import Gpu, bytes_on
from renege.native.rollouts import RolloutQuery
from renege.native.tractor import PACKING

PROGRAM = "rollouts.cu"
BLOCK = 128
BLOCKS_EACH, SOLVING_EACH = 4, 2  # blocks for each multiprocessor: as many as its registers let in
MOST_SOLVED = 4  # cards of a hand that a thread can solve
DESK = 128 * 56 + 72 * 16  # bytes of a desk: slots, and room for plays


def rollouts(gpu: Gpu, query: RolloutQuery) -> I32:
    """`native.rollouts.rollouts` on the device. It has no clock: give it as many worlds as there is time for."""
    if query.solve_from > MOST_SOLVED:
        return native.rollouts(query)
    _check(query)
    return RolloutBatch(gpu, query).roll_out(query.solve_from).numpy()


def solve_candidates(gpu: Gpu, query: RolloutQuery) -> I32:
    """`int32[W, K]`: the attackers' points in the end if after each candidate all play as well as possible.

    All hands lie open, and have at most four cards.
    """
    _check(query)
    worlds, candidates = query.worlds, query.candidates
    if len(worlds) and int(np.bitwise_count(worlds).sum(axis=2).max()) > MOST_SOLVED:
        raise ValueError(f"a hand has more than {MOST_SOLVED} cards, which is more than a thread can solve")
    if len(candidates) and not candidates[:, 0].all():
        raise ValueError(f"candidates row {int((candidates[:, 0] == 0).argmax())}: no card is played")
    return RolloutBatch(gpu, query).solve().numpy()


class RolloutBatch:
    """Worlds and candidates in the device's memory. Results stay there, `int32[W, K]`."""

    def __init__(self, gpu: Gpu, query: RolloutQuery) -> None:
        self.gpu, self.query, self.shape = gpu, query, query.shape
        scene, (worlds, candidates) = query.scene, query.shape
        self._given = (
            bytes_on(gpu, query.order),
            bytes_on(gpu, PACKING),
            gpu.put(np.concatenate([scene.table, scene.played[None]])),
            np.uint32(scene.leader | scene.banker << 2 | scene.lying << 4),
            np.uint32(int.from_bytes(scene.voids.tobytes(), "little")),
            np.int32(scene.attackers),
            np.uint64(query.house.word),
            gpu.put(query.worlds),
            gpu.put(query.kitties),
            gpu.put(query.kitty_piles),
            gpu.put(query.candidates),
            np.uint32(max(1, candidates)),
            np.uint64(worlds * candidates),
        )

    def roll_out(self, solve_from: int = 0) -> Any:
        """Every candidate in every world, played to the end by the rules of thumb."""
        query = self.query
        whims = np.uint32(int(query.noise * 2**32)), np.uint64(query.seed), np.uint64(query.first_lane)
        if not solve_from:
            return self._run("roll_out", BLOCKS_EACH, *whims)
        return self._run("roll_out_and_solve", SOLVING_EACH, *whims, np.uint32(solve_from), self._desks())

    def solve(self) -> Any:
        """The same with open hands, as well as possible."""
        return self._run("solve_candidates", SOLVING_EACH, self._desks())

    def _run(self, entry: str, blocks_each: int, *more: Any) -> Any:
        out = self.gpu.empty(self.shape, np.int32)
        blocks = min(self.gpu.multiprocessors * blocks_each, -(-self.shape[0] * self.shape[1] // BLOCK))
        if blocks:
            self.gpu.launch(self.gpu.kernel(PROGRAM, entry), blocks, *self._given, *more, out, block=BLOCK)
        return out

    def _desks(self) -> Any:
        """Working memory of the threads, emptied for each launch."""
        return self.gpu.zeros(self.gpu.multiprocessors * SOLVING_EACH * BLOCK * DESK, np.uint8)


def _check(query: RolloutQuery) -> None:
    """What the CPU refuses is refused, in its words: it looks at the candidates before it begins a world, for which it
    has no time, and at all worlds without a candidate.
    """
    native.rollouts(replace(query, most_seconds=0.0))
    native.rollouts(replace(query, candidates=query.candidates[:0], solve_from=0, most_seconds=math.inf))

"""Rounds of Tractor on a GPU: the calls of `renege.native.rollouts`, with the same answers.

A world and a candidate are a thread. Ends of more than four cards a hand are too large for one to solve: where those
are asked for the CPU does the work.
"""

from typing import Any

import numpy as np

from renege.native import rollouts as native
from renege.native.arrays import I32, U64
from renege.native.cards import check_lanes
from renege.native.gpu.device import Gpu
from renege.native.rollouts import Scene
from renege.native.tractor import PACKING, USUAL, House, TractorOrder

PROGRAM = "rollouts.cu"
BLOCK = 128
BLOCKS_EACH, SOLVING_EACH = 4, 2  # blocks for each multiprocessor: as many as its registers let in
MOST_SOLVED = 4  # cards of a hand that a thread can solve
DESK = 128 * 56 + 72 * 16  # bytes of a desk: slots, and room for plays


def rollouts(
    gpu: Gpu,
    order: TractorOrder,
    scene: Scene,
    worlds: U64,
    kitties: I32,
    candidates: U64,
    house: House = USUAL,
    *,
    buried: U64 | None = None,
    noise: float = 0.0,
    seed: int = 0,
    first_lane: int = 0,
    solve_from: int = 0,
) -> I32:
    """`native_tractor_rollout.rollouts` on the device. It has no clock: give it as many worlds as there is time for."""
    asked = order, scene, worlds, kitties, candidates, house
    if solve_from > MOST_SOLVED:
        return native.rollouts(
            *asked, buried=buried, noise=noise, seed=seed, first_lane=first_lane, solve_from=solve_from
        )
    _check(*asked, buried, noise, solve_from)
    check_lanes(seed, first_lane, len(worlds), 1)
    batch = Batch(gpu, *asked, buried)
    return batch.roll_out(noise, seed, first_lane, solve_from).numpy()


def solve_candidates(
    gpu: Gpu,
    order: TractorOrder,
    scene: Scene,
    worlds: U64,
    kitties: I32,
    candidates: U64,
    house: House = USUAL,
    *,
    buried: U64 | None = None,
) -> I32:
    """`int32[W, K]`: the attackers' points in the end if after each candidate all play as well as possible.

    All hands lie open, and have at most four cards.
    """
    asked = order, scene, worlds, kitties, candidates, house
    _check(*asked, buried)
    if len(worlds) and int(np.bitwise_count(worlds).sum(axis=2).max()) > MOST_SOLVED:
        raise ValueError(f"a hand has more than {MOST_SOLVED} cards, which is more than a thread can solve")
    if len(candidates) and not candidates[:, 0].all():
        raise ValueError(f"candidates row {int((candidates[:, 0] == 0).argmax())}: no card is played")
    return Batch(gpu, *asked, buried).solve().numpy()


class Batch:
    """Worlds and candidates in the device's memory. What comes of them stays there, `int32[W, K]`."""

    def __init__(
        self,
        gpu: Gpu,
        order: TractorOrder,
        scene: Scene,
        worlds: U64,
        kitties: I32,
        candidates: U64,
        house: House,
        buried: U64 | None = None,
    ) -> None:
        self.gpu, self.shape = gpu, (len(worlds), len(candidates))
        lying = int((scene.table[:, 0] != 0).sum())
        seats = scene.leader | scene.banker << 2 | lying << 4
        self._given = (
            gpu.put(np.frombuffer(bytes(order), np.uint8)),
            gpu.put(np.frombuffer(bytes(PACKING), np.uint8)),
            gpu.put(np.concatenate([scene.table, scene.played[None]])),
            np.uint32(seats),
            np.uint32(int.from_bytes(scene.voids.tobytes(), "little")),
            np.int32(scene.attackers),
            np.uint64(house.word),
            gpu.put(worlds),
            gpu.put(kitties),
            gpu.put(np.zeros((len(worlds), 2), np.uint64) if buried is None else buried),
            gpu.put(candidates),
            np.uint32(max(1, len(candidates))),
            np.uint64(len(worlds) * len(candidates)),
        )

    def roll_out(self, noise: float = 0.0, seed: int = 0, first_lane: int = 0, solve_from: int = 0) -> Any:
        """Every candidate in every world, played to the end by the rules of thumb."""
        whims = np.uint32(int(noise * 2**32)), np.uint64(seed), np.uint64(first_lane)
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
        """What threads solve with, emptied for each launch."""
        return self.gpu.zeros(self.gpu.multiprocessors * SOLVING_EACH * BLOCK * DESK, np.uint8)


def _check(
    order: TractorOrder,
    scene: Scene,
    worlds: U64,
    kitties: I32,
    candidates: U64,
    house: House,
    buried: U64 | None,
    noise: float = 0.0,
    solve_from: int = 0,
) -> None:
    """What the CPU refuses is refused, in its words: it looks at the candidates before it begins a world, for which it
    has no time, and at all worlds without a candidate.
    """
    asked = order, scene, worlds, kitties
    native.rollouts(*asked, candidates, house, buried=buried, noise=noise, solve_from=solve_from, most_seconds=0.0)
    native.rollouts(*asked, candidates[:0], house, buried=buried)

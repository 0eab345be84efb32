"""What works out the questions of a search: the CPU, or a device that comes to the same answers, only sooner.

A game's search asks for many worlds at once (`Game.search`), and `Searcher` and `search.weigh` choose the engine.
"""

import math
import time
from typing import Any, Protocol

import numpy as np

from renege._kernel import Tables
from renege.native import rollouts as native_tractor_rollout
from renege.native import solve as native_solve
from renege.native import tractor_solve as native_tractor_solve
from renege.native.arrays import I32, U8, U32, U64
from renege.native.rollouts import Scene
from renege.native.solve import Solved, SolvedPlays
from renege.native.tractor import House, TractorOrder
from renege.native.tractor_solve import Rounds

FIRST = 8  # worlds that are tried before anything is given up
MOST_WORLDS = 2_000  # by then the faults of the method are larger than the noise


class Engine(Protocol):
    """The kernel's questions that a search asks, as `native_solve` and `native_tractor_rollout` have them."""

    @property
    def name(self) -> str: ...

    @property
    def most_worlds(self) -> int:
        """So many worlds are enough."""
        ...

    @property
    def first_worlds(self) -> int:
        """How many worlds to try first, where there is a limit in time."""
        ...

    def draw(self, worlds: Any, n: int, seed: int, *, first_lane: int) -> U64:
        """The deals of `renege.belief.Worlds`."""
        ...

    def at_once(self, worlds: int) -> int:
        """How many worlds to ask for together, where a CPU would ask for so many."""
        ...

    def next_batch(self, worlds: int, took: float, left: float) -> int:
        """How many worlds to try next, if the last ones took so long and so much time is left."""
        ...

    def solve(
        self,
        tables: Tables,
        states: U32,
        takers: int | U8,
        maximisers: int | U8 | None = None,
        *,
        targets: int | U8 | None = None,
        most_seconds: float | None = None,
    ) -> Solved: ...

    def solve_plays(
        self,
        tables: Tables,
        states: U32,
        takers: int | U8,
        maximisers: int | U8 | None = None,
        *,
        targets: int | U8 | None = None,
        most_seconds: float | None = None,
    ) -> SolvedPlays: ...

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
    ) -> I32: ...

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
        """`int32[W, K]`: the attackers' points if all hands lie open and everybody plays on as well as possible.

        Worlds that there was no time for are -1 throughout.
        """
        ...


class Cpu:
    """One core."""

    name = "cpu"
    most_worlds = MOST_WORLDS
    first_worlds = FIRST
    solve = staticmethod(native_solve.solve)
    solve_plays = staticmethod(native_solve.solve_plays)
    rollouts = staticmethod(native_tractor_rollout.rollouts)

    def draw(self, worlds: Any, n: int, seed: int, *, first_lane: int) -> U64:
        return worlds.draw(n, seed, first_lane=first_lane)

    def at_once(self, worlds: int) -> int:
        return worlds

    def next_batch(self, worlds: int, took: float, left: float) -> int:
        # no more than half of the time that is left, lest one batch eats all of it unseen
        return max(2, min(2 * worlds, int(left * worlds / took / 2)))

    @staticmethod
    def solve_candidates(
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
        until = time.perf_counter() + most_seconds
        points = np.full((len(worlds), len(candidates)), -1, np.int32)
        leaders, bankers = np.array([scene.leader], np.uint8), np.array([scene.banker], np.uint8)
        attackers = np.array([scene.attackers], np.int32)
        for row, world in enumerate(worlds):
            left = until - time.perf_counter()
            if left <= 0:
                break
            one = Rounds(
                world[None],
                scene.table[None],
                leaders,
                bankers,
                kitties[row : row + 1].astype(np.uint16),
                attackers,
                scene.played[None],
                scene.voids[None],
                None if buried is None else buried[row : row + 1],
            )
            solved = native_tractor_solve.solve_plays(order, one, house, most_seconds=left)
            if (solved.lower == solved.upper).all():
                values = {tuple(pile): value for pile, value in zip(solved.plays.tolist(), solved.lower, strict=True)}
                points[row] = [scene.attackers + values[tuple(pile)] for pile in candidates.tolist()]
        return points


CPU: Engine = Cpu()

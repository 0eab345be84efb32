"""Engines: where the kernel calls of a search run, on the CPU or on a device that gives the same answers faster.

A game's search asks for many worlds at once (its `Strategy`), and `Searcher` and `search.weigh` choose the engine.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from renege.native.arrays import U64

Q = TypeVar("Q")
A = TypeVar("A")

FIRST = 8  # worlds that are tried before anything is given up
MOST_WORLDS = 2_000  # by then the faults of the method are larger than the noise


class Engine:
    """Runs the kernel calls of a search, and says how many worlds it wants at once. This one is a core of the CPU."""

    name = "cpu"
    most_worlds = MOST_WORLDS  # the most worlds that a search may use
    first_worlds = FIRST  # how many worlds to try first, where there is a limit in time

    def draw(self, worlds: Any, n: int, seed: int, *, first_lane: int) -> U64:
        """The deals of `renege.belief.Worlds`."""
        return worlds.draw(n, seed, first_lane=first_lane)

    def at_once(self, worlds: int) -> int:
        """How many worlds to ask for together, where a CPU would ask for so many."""
        return worlds

    def next_batch(self, worlds: int, took: float, left: float) -> int:
        """How many worlds to try next, if the last ones took so long and so much time is left."""
        # no more than half of the time that is left, lest one batch eats all of it unseen
        return max(2, min(2 * worlds, int(left * worlds / took / 2)))

    def run(self, question: Callable[[Q], A], query: Q) -> A:
        """Call a function of the kernel with a query, such as `native.solve.solve` with a `SolveQuery`."""
        return question(query)


CPU = Engine()

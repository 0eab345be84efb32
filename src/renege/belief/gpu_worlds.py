"""Sampling worlds on a GPU: the draws of `renege.belief.worlds`, lane by lane the same."""

from typing import Any

import numpy as np

from renege.belief.worlds import Worlds
from renege.native.arrays import F64, U64
from renege.native.gpu.device import Gpu, launch_rows

PROGRAM = "worlds.cu"
# the types of the table's parts
PARTS = {
    "layers": np.uint8, "options": np.uint8, "first": np.uint32, "begin": np.uint32, "edges": np.uint32,
    "counts": np.uint64, "common": np.uint64, "kinds": np.uint8, "forks": np.uint8,
}  # fmt: skip


class DeviceWorlds:
    """All deals of a problem, with their table in the device's memory. Only the graph can be there: `ValueError` for
    problems that are counted in pools.
    """

    def __init__(self, gpu: Gpu, worlds: Worlds) -> None:
        self.gpu, self.worlds = gpu, worlds
        self._host = {name: np.frombuffer(part, PARTS[name]) for name, part in worlds.parts().items()}
        self._parts = {name: gpu.put(part) for name, part in self._host.items()}
        self._chances: tuple[F64, Any] | None = None

    def draw(self, n: int, seed: int, *, weights: F64 | None = None, first_lane: int = 0) -> U64:
        """`Worlds.draw` on the device."""
        return self.worlds.gathered(self.launch(n, seed, weights=weights, first_lane=first_lane).numpy())

    def launch(self, n: int, seed: int, *, weights: F64 | None = None, first_lane: int = 0) -> Any:
        """The same, left in the device's memory: `uint64[n, hand, layer]`, what was picked being a hand."""
        self.worlds.check_draw(n, seed, first_lane)
        gpu, hands, copies = self.gpu, len(self.worlds.dealt.sizes), self.worlds.layers
        out = gpu.empty((n, hands, copies), np.uint64)
        if not n:
            return out
        lanes = np.uint64(seed), np.uint64(first_lane), np.uint64(n)
        shape = self._parts["common"], np.uint32(hands), np.uint32(copies)
        depth = np.uint32(len(self._host["kinds"]))
        if weights is None and len(self._host["forks"]):
            live = sum(1 << int(kind) for kind in self._host["kinds"])
            walk = self._parts["forks"], self._parts["kinds"], depth, self._host["counts"][0], np.uint64(live)
            launch_rows(gpu, PROGRAM, "draw_forks", n, *walk, *shape, *lanes, out)
            return out
        graph = (self._parts[name] for name in ("first", "begin", "edges", "counts"))
        states = len(self._host["begin"]) - 1
        given = self._parts["layers"], self._parts["options"], depth, *graph
        limbs = np.uint32(len(self._host["counts"]) // states)
        chances = np.uint64(0) if weights is None else self._weighted(weights)
        launch_rows(gpu, PROGRAM, "draw_worlds", n, *given, limbs, chances, *shape, *lanes, out)
        return out

    def _weighted(self, weights: F64) -> Any:
        """The chances of the edges under some weights; those of the last draw are kept."""
        if self._chances is None or not np.array_equal(self._chances[0], weights):
            self._chances = np.array(weights), self.gpu.put(self.worlds.chances(weights))
        return self._chances[1]

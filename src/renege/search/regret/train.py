"""Regret minimisation (external-sampling MCCFR) on the abstraction of a game, saved to a file and resumable.

The play of straight 42 is trained, from the first lead on; deals and contracts are those that four rulebooks bid.
Iteration i is one deal in which one seat tries every action (`native.abstraction42`). Iterations come in batches; the
batch that ends at iteration n has weight n, as in linear CFR, so that early strategies are forgotten.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from renege.core.game import Game
from renege.games.abstraction import abstraction_of
from renege.native import abstraction42 as native
from renege.native.abstraction42 import BatchStatistics, Ledger, Sheets42
from renege.native.gpu.abstraction42 import LedgerOnDevice
from renege.search.devices import gpu_or_none
from renege.search.regret.abstract_strategy import AbstractStrategy, from_weights
from renege.search.regret.archive import check_format, open_arrays, save_arrays

FORMAT = "renege regret42 1"
_ARRAYS = ("keys", "regret", "average")
FULLEST = 0.6  # of a table, before it grows
BATCH = 20_000
LEAST_WEIGHT = 20.0  # of a key in the strategy: what was met less often is left to the rules of thumb


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a training: iterations, keys visited, nodes, the payoff of the last batch, and the remaining regret.

    `paid` is what the declarers win a deal, made 1 and set -1, when all play by the strategy of that moment. `regret`
    is the sum over keys of what the best way would have gained a deal. In a game of two with perfect recall it would
    bound how far the average strategy is from an equilibrium. Here it bounds nothing, but it falls. Keys and regret are
    those of the last look at the ledger.
    """

    iterations: int
    keys: int
    nodes: int
    paid: float
    regret: float
    dropped: int


def _room(batch: int) -> int:
    """Slots for what a first batch meets: about a hundred keys an iteration, later fewer, a million in all."""
    return 1 << min(max((128 * batch).bit_length(), 14), 22 if batch > 40_000 else 20)


class LedgerOnCpu:
    """A ledger to be trained here, as `LedgerOnDevice` is on a GPU."""

    def __init__(self, ledger: Ledger, sheets: Sheets42, threads: int) -> None:
        self.ledger, self.threads, self.sheets = ledger, threads, sheets

    def traverse(self, n: int, seed: int, first_lane: int = 0) -> BatchStatistics:
        return native.traverse(self.sheets, self.ledger, n, seed, first_lane, self.threads)

    def fold(self, weight: float) -> None:
        native.fold(self.ledger, weight, self.threads)

    def fetch(self) -> Ledger:
        return self.ledger


def engine_for(ledger: Ledger, sheets: Sheets42, threads: int, device: str) -> LedgerOnCpu | LedgerOnDevice:
    """The engine for a device. Where no GPU is found the CPU does the work, and one warning says why."""
    gpu = gpu_or_none() if device == "gpu" else None
    return LedgerOnCpu(ledger, sheets, threads) if gpu is None else LedgerOnDevice(gpu, sheets, ledger)


class Training:
    """A training: the regret table of a game's abstraction, and its number of iterations."""

    def __init__(self, game: Game, seed: int = 1, batch: int = BATCH, ledger: Ledger | None = None) -> None:
        if batch < 1:
            raise ValueError(f"batch is {batch}; it must be 1 or more")
        self.game, self.seed, self.batch = game, seed, batch
        self.sheets = abstraction_of(game).sheets()
        self.ledger = Ledger(_room(batch)) if ledger is None else ledger
        self.iterations = self.nodes = self.dropped = 0
        self.weight = 0.0  # of all iterations, the last counting 1

    def run(self, iterations: int, threads: int = 1, device: Literal["cpu", "gpu"] = "cpu") -> Iterator[Progress]:
        """Run batches up to a total of iterations, and yield the progress after each."""
        engine = engine_for(self.ledger, self.sheets, threads, device)
        used, regret = self.ledger.used, self.regret()
        while self.iterations < iterations:
            n = min(self.batch, iterations - self.iterations)
            found = engine.traverse(n, self.seed, self.iterations)
            before = self.iterations / (self.iterations + n)
            engine.fold(before)
            self.weight = self.weight * before + n
            self.iterations += n
            self.nodes += found.nodes
            self.dropped += found.dropped
            if self.due() or self.iterations >= iterations:
                self.ledger = engine.fetch()
                used, regret = self.ledger.used, self.regret()
                if used > FULLEST * self.ledger.slots:
                    self.ledger = self.ledger.grown(2 * self.ledger.slots)
                    engine = engine_for(self.ledger, self.sheets, threads, device)
            declarers = (found.paid[0] + found.paid[2] - found.paid[1] - found.paid[3]) / sum(found.lanes)
            yield Progress(self.iterations, used, self.nodes, declarers, regret, self.dropped)

    def due(self) -> bool:
        """Is it time to look at the ledger? After a few batches at first, and more and more seldom."""
        batches = self.iterations // self.batch
        return batches % max(1, min(25, batches // 8)) == 0

    def regret(self) -> float:
        """What the best way would have gained a deal, summed over the keys, for one seat of the four on average."""
        best = self.ledger.regret.max(axis=1)
        return float(best[best > 0].sum(dtype=np.float64)) / max(self.weight, 1.0)

    def strategy(self, least: float = LEAST_WEIGHT) -> AbstractStrategy:
        """The average strategy, as an agent plays it."""
        return from_weights(self.game.name, self.ledger.keys, self.ledger.average, least)

    def save(self, file: Path) -> None:
        """Write all that is needed to resume it, atomically."""
        places = self.ledger.order()
        numbers = np.array([self.seed, self.batch, self.iterations, self.nodes, self.dropped], np.uint64)
        ledger = {name: getattr(self.ledger, name)[places] for name in _ARRAYS}
        about = {"format": FORMAT, "numbers": numbers, "weight": self.weight, "slots": self.ledger.slots}
        save_arrays(file, about | ledger, compress=False)


def load_training(game: Game, file: Path) -> Training:
    """A training as it was saved."""
    with open_arrays(file, "training") as found:
        check_format(found, FORMAT)
        kept = len(found["keys"])
        small = Ledger(1 << max(0, (kept - 1).bit_length()))
        for name in _ARRAYS:
            getattr(small, name)[:kept] = found[name]
        seed, batch, *rest = (int(number) for number in found["numbers"])
        training = Training(game, seed, batch, small.grown(int(found["slots"])))
        training.iterations, training.nodes, training.dropped = rest
        training.weight = float(found["weight"])
        return training

"""A trained strategy over an abstraction: the probability of each way (action) at each key (information set).

Its file is a compressed archive of numpy arrays: the keys in order, each as what it is more than the one before, and
for each the shares of the ways in 255ths.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renege.search.regret.archive import check_format, open_arrays, save_arrays

FORMAT = "renege strategy 1"
WHOLE = 255


@dataclass(frozen=True, eq=False)
class AbstractStrategy:
    """`keys uint64[K]`, rising; `shares uint8[K, ways]`, 255 of them in each row but for rounding."""

    game: str
    keys: NDArray[np.uint64]
    shares: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.keys)

    def shares_of(self, key: int) -> tuple[int, ...] | None:
        """The shares of the ways at a key; None where the strategy does not know it."""
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        return tuple(int(share) for share in self.shares[place])

    def save(self, file: Path) -> None:
        steps = np.diff(self.keys, prepend=np.uint64(0))
        save_arrays(file, {"format": FORMAT, "game": self.game, "steps": steps, "shares": self.shares})


def from_weights(
    game: str, keys: NDArray[np.uint64], weights: NDArray[np.float32], least: float = 0.0
) -> AbstractStrategy:
    """The strategy by how much each way was taken; keys that together weigh no more than `least` are left out."""
    heavy = weights.sum(axis=1) > least
    keys, weights = keys[heavy], weights[heavy]
    order = np.argsort(keys)
    taken = weights[order].astype(np.float64)
    shares = np.rint(taken / taken.sum(axis=1, keepdims=True) * WHOLE)
    return AbstractStrategy(game, keys[order], shares.astype(np.uint8))


def load_strategy(file: Path) -> AbstractStrategy:
    """A strategy from its file; one that is none is refused with its name."""
    with open_arrays(file) as found:
        check_format(found, FORMAT)
        steps, shares = found["steps"], found["shares"]
        fits = steps.ndim == 1 and shares.ndim == 2 and len(steps) == len(shares)
        if not fits or steps.dtype != np.uint64 or shares.dtype != np.uint8:
            raise ValueError("steps must be uint64[K] and shares uint8[K, ways]")
        if len(steps) and not steps[1:].all():
            raise ValueError("a key is there twice")
        return AbstractStrategy(str(found["game"]), np.cumsum(steps, dtype=np.uint64), shares)

"""Statistics of a match: the mean of its pairs with a confidence interval, and variance reduction by a control variate.

A pair of deals is one observation, so that the two plays of a deal never count as two. A control variate is a number
with mean zero that goes with the luck of a pair; what they explain is taken off by coefficients fitted on other pairs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from renege.native.arrays import F64
from renege.search.intervals import t_quantile

FOLDS = 10
FEWEST = 30  # pairs for a verdict: with fewer, scores of a few steps may look certain by chance


@dataclass(frozen=True, slots=True)
class PairEstimate:
    """The mean of the pair scores, its standard error and the half width of its interval, infinite for one pair."""

    pairs: int
    mean: float
    error: float  # the standard error; a pair is one observation
    margin: float

    @property
    def low(self) -> float:
        return self.mean - self.margin

    @property
    def high(self) -> float:
        return self.mean + self.margin

    @property
    def covers_zero(self) -> bool:
        return self.low <= 0 <= self.high

    def __str__(self) -> str:
        if math.isinf(self.margin):
            return f"{self.mean:+.3f}, no interval yet"
        return f"{self.mean:+.3f}, 95 % interval {self.low:+.3f} to {self.high:+.3f}"


class Running:
    """The estimate as the pairs come in, in any order."""

    def __init__(self) -> None:
        self.pairs, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, score: float) -> None:
        self.pairs += 1
        off = score - self.mean
        self.mean += off / self.pairs
        self._squares += off * (score - self.mean)

    @property
    def estimate(self) -> PairEstimate:
        if self.pairs < 2:
            return PairEstimate(self.pairs, self.mean, math.inf, math.inf)
        error = math.sqrt(self._squares / (self.pairs - 1) / self.pairs)
        return PairEstimate(self.pairs, self.mean, error, t_quantile(self.pairs - 1) * error)


def estimates(scores: Sequence[float]) -> list[PairEstimate]:
    """The estimate after each pair."""
    running, found = Running(), list[PairEstimate]()
    for score in scores:
        running.add(score)
        found.append(running.estimate)
    return found


def estimate(scores: Sequence[float]) -> PairEstimate:
    """The mean of the pair scores, with its interval."""
    if not scores:
        raise ValueError("no pair was played: there is nothing to estimate")
    return estimates(scores)[-1]


def without_luck(scores: Sequence[float], luck: Sequence[Sequence[float]], folds: int = FOLDS) -> list[float]:
    """The scores with the control variates subtracted; coefficients are cross-fitted on the pairs of the other folds.

    Each of them must have mean zero over deals, so that taking them off shifts nothing.
    """
    y, x = np.array(scores, np.float64), np.array(luck, np.float64).reshape(len(scores), -1)
    fold = np.arange(len(y)) % folds
    coefficients = np.array([_slopes(x[fold != k], y[fold != k]) for k in range(folds)])
    adjusted: F64 = y - (coefficients[fold] * x).sum(axis=1)
    return [float(score) for score in adjusted]


def _slopes(x: F64, y: F64) -> F64:
    """The coefficients of a regression with a constant; none where there are too few pairs to tell."""
    if len(x) < x.shape[1] + 2:
        return np.zeros(int(x.shape[1]))
    across: F64 = x - x.mean(axis=0)
    return np.array(np.linalg.pinv(across) @ (y - y.mean()), np.float64)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is at least as large as this share of them."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]

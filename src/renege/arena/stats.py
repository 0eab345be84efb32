"""How sure a match is: the mean of its pairs with an interval, and what luck can be taken out of it.

A pair of deals is one observation, so that the two plays of a deal never count as two. A control variate is a number
with mean zero that goes with the luck of a pair; what it explains is taken off by a coefficient fitted on other pairs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
FOLDS = 10
LARGE = 100  # degrees of freedom from which on the expansion about the normal is as good as exact
FEWEST = 30  # pairs for a verdict: with fewer, scores of a few steps may look certain by chance

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of pair scores and the half width of its interval, infinite for one pair."""

    pairs: int
    mean: float
    error: float
    """The standard error; a pair is one observation."""
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
    def estimate(self) -> Estimate:
        if self.pairs < 2:
            return Estimate(self.pairs, self.mean, math.inf, math.inf)
        error = math.sqrt(self._squares / (self.pairs - 1) / self.pairs)
        return Estimate(self.pairs, self.mean, error, t_quantile(self.pairs - 1) * error)


def estimates(scores: Sequence[float]) -> list[Estimate]:
    """The estimate after each pair."""
    running, found = Running(), list[Estimate]()
    for score in scores:
        running.add(score)
        found.append(running.estimate)
    return found


def estimate(scores: Sequence[float]) -> Estimate:
    """The mean of the pair scores, with its interval."""
    if not scores:
        raise ValueError("no pair was played: there is nothing to estimate")
    return estimates(scores)[-1]


def without_luck(scores: Sequence[float], luck: Sequence[float], folds: int = FOLDS) -> list[float]:
    """The scores less what luck explains; the coefficient for a pair is fitted on the pairs of the other folds.

    The luck must have mean zero over deals, so that taking it off shifts nothing.
    """
    y, x = np.array(scores, np.float64), np.array(luck, np.float64)
    fold = np.arange(len(y)) % folds
    coefficients = np.array([_slope(x[fold != k], y[fold != k]) for k in range(folds)])
    adjusted: Floats = y - coefficients[fold] * x
    return [float(score) for score in adjusted]


def _slope(x: Floats, y: Floats) -> float:
    if len(x) < 2:
        return 0.0
    spread = float(((x - x.mean()) ** 2).sum())
    return float(((x - x.mean()) * (y - y.mean())).sum()) / spread if spread else 0.0


@cache
def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """How many standard errors the interval reaches to either side, by Student's t."""
    if freedom >= LARGE:
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        return (
            z
            + (z**3 + z) / (4 * freedom)
            + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        )
    low, high = 0.0, math.pi / 2  # of the angle: t = tan(angle) * sqrt(freedom)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
    return math.tan((low + high) / 2) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """The chance that Student's t lies within tan(angle) * sqrt(freedom) of zero: a finite sum for whole degrees."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    total = term = cosine if odd else 1.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= cosine**2 * (k - 1) / k
        total += term
    if odd:
        return 2 / math.pi * (angle + (sine * total if freedom > 1 else 0.0))
    return sine * total


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is at least as large as this share of them."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]

"""Confidence intervals of a mean from few values: quantiles of Student's t."""

import math
from functools import cache
from statistics import NormalDist

CONFIDENCE = 0.95
LARGE = 100  # degrees of freedom from which on the expansion about the normal is as good as exact


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

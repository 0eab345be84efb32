"""Plot of a match: the running mean with its interval, and the distribution of the pairs."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from renege.arena.stats import PairEstimate, estimates
from renege.figures.style import FAINT, OURS, PALE, PUBLISHED, WIDTH, label, save, styled

MOST_BARS, BINS = 13, 25
STEADY = 10  # pairs before which the interval is too wide to draw beside the rest


def draw_match(scores: Sequence[float], path: Path, title: str, unit: str) -> None:
    """Draw a match to a file; its ending says in which format."""
    with styled():
        figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=[3, 2])
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
        _running(left, estimates(scores), unit)
        _histogram(right, np.array(scores, np.float64), unit)
        save(figure, path)


def _running(axes: Axes, found: list[PairEstimate], unit: str) -> None:
    label(axes, "Running mean, 95 % interval", "pairs", unit)
    drawn = [at for at in found if at.pairs >= min(STEADY, len(found)) and not math.isinf(at.margin)]
    at = [one.pairs for one in drawn]
    axes.axhline(0, color=FAINT, linewidth=0.9)
    axes.fill_between(at, [one.low for one in drawn], [one.high for one in drawn], color=PALE, linewidth=0)
    axes.plot(at, [one.mean for one in drawn], color=OURS)


def _histogram(axes: Axes, scores: np.ndarray[tuple[int], np.dtype[np.float64]], unit: str) -> None:
    label(axes, "Pairs by their score", unit, "pairs")
    values, counts = np.unique(scores, return_counts=True)
    if len(values) <= MOST_BARS:  # a bar for each score that came up
        gaps = np.diff(values)
        axes.bar(values, counts, width=0.8 * (gaps.min() if len(gaps) else 1.0), color=PALE)
    else:
        axes.hist(scores, bins=BINS, color=PALE)
    axes.axvline(float(scores.mean()), color=PUBLISHED, linewidth=1.2, label="mean")
    axes.legend(loc="upper right", fontsize=8.5)

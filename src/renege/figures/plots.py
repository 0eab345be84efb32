"""Plots of commands: where hidden cards may be, how a match goes, how far a strategy can be exploited.

Each is drawn to a file, whose ending says in which format.
"""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from renege.arena.stats import PairEstimate, estimates
from renege.belief.belief import Belief, name_pile
from renege.core.game import KITTY
from renege.core.notation import NotationError
from renege.figures.style import FAINT, OURS, PALE, PUBLISHED, THIRD, WIDTH, drawing, label
from renege.search.regret.strategy import TrainedStrategy

MOST_BARS, BINS = 13, 25
STEADY = 10  # pairs before which the interval is too wide to draw beside the rest
NAMES = {"cfr+": "CFR+", "mccfr": "external sampling"}
UNITS = {"cfr+": "iterations", "mccfr": "traversals"}
GOAL = 1.0  # per cent of the payoff range


def heat_map(belief: Belief, path: Path, title: str) -> None:
    """A heat map of the odds of every hidden card: a row for each holder, a column for each card."""
    problem, deck = belief.compiled.problem, belief.view.game.deck
    expected = belief.worlds.expected()
    shown = [place for place, copies in enumerate(problem.copies) if copies]
    if not shown:
        raise NotationError("no card is hidden any more: there is nothing to draw")
    piles = [i for i, pile in enumerate(belief.compiled.piles) if pile >= KITTY]
    shares = expected[np.ix_(shown, piles)].T
    with drawing(path, max(WIDTH, 0.26 * len(shown) + 1.4), 0.42 * len(piles) + 1.2) as figure:
        axes = figure.subplots()
        image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=max(problem.copies, default=1), aspect="auto")
        axes.set_title(title)
        axes.set_xticks(range(len(shown)), [deck.names[problem.kinds[place]] for place in shown], rotation=90)
        axes.set_yticks(range(len(piles)), [name_pile(belief.compiled.piles[i]) for i in piles])
        axes.grid(visible=False)
        figure.colorbar(image, ax=axes, label="copies expected", pad=0.01)


def draw_match(scores: Sequence[float], path: Path, title: str, unit: str) -> None:
    """The running mean of a match with its interval, and the distribution of the pairs."""
    with drawing(path) as figure:
        left, right = figure.subplots(1, 2, width_ratios=[3, 2])
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
        _running(left, estimates(scores), unit)
        _histogram(right, np.array(scores, np.float64), unit)


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


def draw_regret(runs: Sequence[TrainedStrategy], path: Path) -> None:
    """The runs of one game, side by side: CFR+ by iterations, MCCFR by traversals, PIMC as a line."""
    with drawing(path) as figure:
        panels = figure.subplots(1, len(runs), sharey=True, squeeze=False)[0]
        figure.suptitle(f"Exploitability of {runs[0].made.game}", x=0.01, ha="left", fontsize=11)
        for axes, run in zip(panels, runs, strict=True):
            _panel(axes, run)
        panels[0].legend(loc="lower left", fontsize=8.5)
        for axes in panels[1:]:
            axes.set_ylabel("")


def _panel(axes: Axes, run: TrainedStrategy) -> None:
    label(axes, NAMES[run.made.method], UNITS[run.made.method], "% of the payoff range")
    axes.set_xscale("log")
    axes.set_yscale("log")
    seats = len(run.curve.points[0].values) if run.curve.points else 1
    each = run.made.batch * seats if run.made.method == "mccfr" else 1
    points = [point for point in run.curve.points if point.largest > 0]
    shares = [100 * point.largest / run.payoff_range for point in points]
    axes.plot([each * point.iterations for point in points], shares, color=OURS, marker="o", markersize=3.5)
    axes.axhline(
        100 * run.beside["open hands"] / run.payoff_range, color=PUBLISHED, linewidth=1.2, label="open hands (PIMC)"
    )
    axes.axhline(100 * run.beside["uniform"] / run.payoff_range, color=THIRD, linewidth=1.2, label="every act alike")
    axes.axhline(GOAL, color=FAINT, linewidth=0.9, linestyle="--", label="1 %")

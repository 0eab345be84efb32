"""How exploitability fell, as a picture: CFR+ by its iterations, sampling by its traversals, open hands as a line."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from renege.game import SEATS
from renege.search.learnt import Learnt
from renege.study.style import FAINT, OURS, PUBLISHED, THIRD, WIDTH, label, save, styled

NAMES = {"cfr+": "CFR+", "mccfr": "external sampling"}
UNITS = {"cfr+": "iterations", "mccfr": "traversals"}
GOAL = 1.0  # per cent of the payoff range


def draw_regret(runs: Sequence[Learnt], path: Path) -> None:
    """Draw the runs of one game to a file, side by side; its ending says in which format."""
    with styled():
        figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
        panels = figure.subplots(1, len(runs), sharey=True, squeeze=False)[0]
        figure.suptitle(f"Exploitability of {runs[0].made.game}", x=0.01, ha="left", fontsize=11)
        for axes, run in zip(panels, runs, strict=True):
            _panel(axes, run)
        panels[0].legend(loc="lower left", fontsize=8.5)
        for axes in panels[1:]:
            axes.set_ylabel("")
        save(figure, path)


def _panel(axes: Axes, run: Learnt) -> None:
    label(axes, NAMES[run.made.method], UNITS[run.made.method], "% of the payoff range")
    axes.set_xscale("log")
    axes.set_yscale("log")
    each = run.made.batch * len(SEATS) if run.made.method == "mccfr" else 1
    points = [point for point in run.curve.points if point.largest > 0]
    shares = [100 * point.largest / run.payoff_range for point in points]
    axes.plot([each * point.iterations for point in points], shares, color=OURS, marker="o", markersize=3.5)
    axes.axhline(
        100 * run.beside["open hands"] / run.payoff_range, color=PUBLISHED, linewidth=1.2, label="open hands (PIMC)"
    )
    axes.axhline(100 * run.beside["uniform"] / run.payoff_range, color=THIRD, linewidth=1.2, label="every act alike")
    axes.axhline(GOAL, color=FAINT, linewidth=0.9, linestyle="--", label="1 %")

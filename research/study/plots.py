"""The study's charts: the paper's Figures 5, 6, 8 and 9, and what it did not draw."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

from collections.abc import Sequence
from math import factorial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter, StrMethodFormatter
from numpy.typing import NDArray

from renege.figures.style import FAINT, FOURTH, INK, OURS, PALE, PUBLISHED, THIRD, WIDTH, chart, label
from study import claims
from study.compare import Holdings
from study.measure import Blocks
from study.paper import STEPS, ZONES
from study.run import Study
from study.summary import seconds

PERCENT = PercentFormatter(1, decimals=0, symbol=" %")
MARKERS: dict[str, Any] = {"marker": "o", "markersize": 4}


def blocks(study: Study) -> Figure:
    """Figure 5, with the exact distribution, and the same leads as Algorithm 2 cuts them."""
    found = study.experiment
    figure, axes = chart("Blocks in a lead (the paper's Fig. 5)", "blocks n", "leads", 3.8)
    at = np.arange(1, STEPS + 1)
    leads = study.plan.leads
    axes.bar(at, found.drawn.by_blocks[1:], color=PALE, width=0.8, label="drawn, cut as the paper's notebook does")
    exact = leads * np.array(found.exact.by_blocks[1:])
    axes.plot(at, exact, "o", color=OURS, markersize=5, label="exact expectation")
    for name, cut, colour, dash in (
        ("cut by Algorithm 2 as printed", found.by_printed, PUBLISHED, "-"),
        ("cut by the published program", found.by_program, THIRD, "--"),
    ):
        axes.plot(at, cut.count[1 : STEPS + 1], dash, color=colour, linewidth=1.4, label=name)
    _zones(
        axes, [f"{name}\n{100 * share.drawn:.2f} %" for name, share in zip(claims.ZONE_NAMES, found.zones, strict=True)]
    )
    axes.set_xticks(at)
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.86), fontsize=8.5)
    return figure


def _zones(axes: Axes, names: Sequence[str]) -> None:
    """Dotted lines between the zones, and a name over each."""
    top = axes.get_ylim()[1] * 1.22
    axes.set_ylim(0, top)
    axes.set_xlim(0.3, STEPS + 0.7)
    for (low, high), name in zip(ZONES, names, strict=True):
        axes.text((low + high) / 2, 0.98 * top, name, ha="center", va="top", fontsize=8.5, color=INK)
        if low > 1:
            axes.axvline(low - 0.5, color=FAINT, linewidth=0.9, linestyle=":")


def tractors(study: Study) -> Figure:
    """Figure 6, from one block on; the paper shows ten and more."""
    figure, axes = chart("Tractors in a lead (the paper's Fig. 6)", "blocks n", "mean number of tractors", 3.2)
    at = np.arange(1, STEPS + 1)
    axes.bar(at, study.experiment.drawn.tractors_by_blocks[1:], color=PALE, width=0.8, label="drawn")
    exact = study.experiment.exact.tractors_by_blocks[1:]
    axes.plot(at, exact, "o", color=OURS, markersize=5, label="exact expectation")
    axes.axvline(claims.HIGH - 0.5, color=FAINT, linewidth=0.9, linestyle=":")
    axes.set_xlim(0.3, STEPS + 0.7)
    axes.set_ylim(0, 1.4)
    axes.text(claims.HIGH - 0.3, 1.36, "drawn in the paper: n = 10 to 16", va="top", fontsize=8.5)
    axes.set_xticks(at)
    axes.legend(loc="upper left", fontsize=8.5)
    return figure


def real(study: Study) -> Figure:
    """Blocks in the experiment's leads and in what hands hold."""
    figure, axes = chart("Blocks: the experiment, real suits and real hands", "blocks n", "share of leads", 3.6)
    at = np.arange(19)

    def line(shares: Sequence[float], name: str, colour: str, dash: str) -> None:
        axes.plot(at[1 : len(shares)], shares[1:], dash, color=colour, label=name, **MARKERS)

    def shares(found: Blocks) -> list[float]:
        return [count / sum(found.count) for count in found.count]

    line(study.experiment.exact.by_blocks, "experiment: 1 to 25 cards of 16 ranks", FAINT, "-")
    sides: list[tuple[Holdings, str, str, str]] = [
        (study.real.trump_leads, "1 to 25 cards of a real trump suit (18 kinds)", PUBLISHED, "--"),
        (study.real.trump_hands, "all trumps of a dealt hand", OURS, "-"),
        (study.real.plain_hands, "all cards of a plain suit in a dealt hand", THIRD, "-"),
    ]
    for holdings, name, colour, dash in sides:
        line(shares(holdings.blocks), name, colour, dash)
    axes.set_xticks(at[1:])
    axes.yaxis.set_major_formatter(PERCENT)
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper right", fontsize=8.5)
    return figure


def orders(study: Study) -> Figure:
    """How many orders the paper counts, how many there are, and how many are tried."""
    found = study.matching
    figure, axes = chart(
        "Orders of a lead's blocks: counted, possible, tried", "orders (at most)", "share of leads", 3.4
    )
    for values, name, colour in (
        ([factorial(n) for n in found.blocks.tolist()], "n! as the paper counts them", FAINT),
        (found.orders, "distinct orders", THIRD),
        (found.visited, "tried by the program", PUBLISHED),
    ):
        _cumulative(axes, np.array(values, np.float64), name, colour)
    axes.axvline(claims.BUDGET, color=FAINT, linewidth=0.9, linestyle=":")
    axes.text(claims.BUDGET * 1.3, 0.04, "the paper's budget\nfor one second", fontsize=8.5, color=INK)
    axes.set_xscale("log")
    axes.set_xlim(1, 3e13)
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PERCENT)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.2), fontsize=8.5)
    return figure


def _cumulative(axes: Axes, values: NDArray[np.float64], name: str, colour: str) -> None:
    """The share of values up to each; 400 points draw as well as 20,000."""
    shares = np.linspace(0, 1, 401)
    axes.plot(np.quantile(values, shares, method="inverted_cdf"), shares, color=colour, label=name, drawstyle="steps")


def latency(study: Study) -> Figure:
    """How long a verdict takes: over all leads, and by their number of cards."""
    found = study.matches
    figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))
    label(left, "Verdicts given within a time", "time", "share of leads")
    for values, name, colour in ((found.published, "published matcher", PUBLISHED), (found.ours, "ours", OURS)):
        _cumulative(left, values, name, colour)
    left.set_xscale("log")
    left.yaxis.set_major_formatter(PERCENT)
    left.set_xticks([1e-8, 1e-6, 1e-4, 1e-2])
    left.xaxis.set_major_formatter(FuncFormatter(_time_tick))
    left.set_ylim(0, 1.02)
    left.legend(loc="lower right", fontsize=8.5)
    label(right, "Growth with the number of cards", "cards led", "time")
    for share, dash, name in ((1.0, "-", "worst"), (0.5, ":", "median")):
        sizes, published, ours = zip(*found.by_size(share), strict=True)
        right.plot(sizes, published, dash, color=PUBLISHED, label=f"published, {name}")
        right.plot(sizes, ours, dash, color=OURS, label=f"ours, {name}")
    right.set_yscale("log")
    right.yaxis.set_major_formatter(FuncFormatter(_time_tick))
    right.set_xticks([1, 5, 10, 15, 20, 25])
    right.legend(loc="upper left", fontsize=8.5)
    return figure


def growth(study: Study) -> Figure:
    """Table II: the time to cut a lead into blocks."""
    found = study.phases
    figure, axes = chart("Cutting a lead into blocks (the paper's Table II)", "cards M", "time of a lead", 3.2)
    for times, name, colour in (
        (found.cutting, "published: map, sort, Algorithm 2", PUBLISHED),
        (found.shape, "ours: shape", OURS),
    ):
        axes.plot(found.cards, times, color=colour, label=f"{name} (M^{found.exponent(times):.1f})", **MARKERS)
    least = found.cards.index(8)
    linear = [found.cutting[least] * m / 8 for m in found.cards[least:]]
    axes.plot(found.cards[least:], linear, ":", color=FAINT, label="if it were linear, as printed")
    axes.yaxis.set_major_formatter(FuncFormatter(_time_tick))
    axes.set_xticks(found.cards)
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", fontsize=8.5)
    return figure


def errors(study: Study) -> Figure:
    """Wrong winners by the number of cards led; odd numbers hide tractors, so they stand apart."""
    figure = Figure(figsize=(WIDTH, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    label(left, "Odd numbers of cards", "cards led", "tricks settled wrongly")
    label(right, "Even numbers of cards", "cards led", "")
    looks = ((PUBLISHED, "-"), (FOURTH, ":"), (THIRD, "--"), (INK, "-"))
    for axes, odd in ((left, 1), (right, 0)):
        for found, (colour, dash) in zip(study.errors, looks, strict=True):
            points = [(n, rate) for n, rate in zip(found.sizes, found.rates, strict=True) if n % 2 == odd]
            axes.plot(*zip(*points, strict=True), linestyle=dash, color=colour, label=found.name, **MARKERS)
        axes.yaxis.set_major_formatter(PERCENT)
        axes.set_xticks(range(2 + odd, 25, 4))
        axes.set_ylim(bottom=0)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8.5)
    return figure


def runs(study: Study) -> Figure:
    """Figures 8 and 9: time and memory of each run."""
    figure = Figure(figsize=(WIDTH, 2.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    at = range(1, len(study.runs.judged) + 1)
    judged, empty = study.runs.judged, study.runs.empty
    for axes, title, unit, printed, ours, idle in (
        (
            left,
            "Time of a run (the paper's Fig. 8)",
            "seconds",
            claims.RUN_SECONDS,
            [run.seconds for run in judged],
            [run.seconds for run in empty],
        ),
        (
            right,
            "Peak memory of a run (Fig. 9)",
            "MB",
            claims.RUN_MEGABYTES,
            [run.memory / 1e6 for run in judged],
            [run.memory / 1e6 for run in empty],
        ),
    ):
        label(axes, title, "run", unit)
        axes.plot(at, ours, "o", color=OURS, label="renege spoj (Python)")
        axes.plot(at, idle, "o", color=PALE, label="with no case to judge")
        axes.axhline(printed, color=PUBLISHED, linewidth=1.4, label="printed, a C++ program")
        axes.set_ylim(bottom=0)
        axes.set_xticks(list(at))
    right.legend(loc="center", fontsize=8.5)
    return figure


def _time_tick(time: float, _: object) -> str:
    return seconds(time) if time else "0"


CHARTS = {
    "fig5-blocks": blocks,
    "fig6-tractors": tractors,
    "real-hands": real,
    "orders": orders,
    "latency": latency,
    "growth": growth,
    "errors": errors,
    "fig8-runs": runs,
}

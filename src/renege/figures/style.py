"""How the study's figures look: one palette that colour-blind readers can tell apart, and files that do not change
unless their numbers do."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# The colours of Okabe and Ito. Ours is always blue, the published method always vermillion.
OURS, PUBLISHED, THIRD, FOURTH = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
MORE = "#E69F00", "#56B4E9", "#B09A00", "#000000"  # the yellow darker than theirs, to be seen on white
PALE, INK, FAINT = "#B9D3E6", "#222222", "#8A8A8A"
WIDTH = 7.6  # inches

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.7,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "text.color": INK,
    "legend.edgecolor": "none",
    "legend.framealpha": 0.85,
    "lines.linewidth": 1.8,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "path",  # a reader's machine need not have the font
    "svg.hashsalt": "renege",  # else the ids in the file differ from run to run
}
styled = partial(mpl.rc_context, _STYLE)  # with styled(): ...


@contextmanager
def drawing(file: Path, width: float = WIDTH, height: float = 3.6) -> Generator[Figure, None, None]:
    """A figure in this style, saved in the end."""
    with styled():
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        save(figure, file)


def chart(title: str, x: str, y: str, height: float = 3.4) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    label(axes, title, x, y)
    return figure, axes


def label(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def save(figure: Figure, file: Path) -> None:
    """Write the figure; a date in the file would make every copy of it new."""
    metadata = {"Date": None, "Creator": None} if file.suffix == ".svg" else {}
    figure.savefig(file, metadata=metadata, dpi=130)

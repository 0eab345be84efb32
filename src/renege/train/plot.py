# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""The curve of a training as a picture: the matches, and how sure the network has become."""

from pathlib import Path
from typing import Any

import matplotlib

from renege.train.folder import read_curve

matplotlib.use("Agg")

from matplotlib import pyplot  # after the backend is chosen


def draw_curve(folder: Path) -> None:
    """Writes `curve.svg`; nothing where no round is done yet."""
    lines = read_curve(folder)
    if not lines:
        return
    figure, (top, bottom) = pyplot.subplots(2, 1, figsize=(8, 7), sharex=True)
    matches: dict[str, list[tuple[float, dict[str, Any]]]] = {}
    for line in lines:
        for found in line.get("matches", ()):
            matches.setdefault(found["against"], []).append((line["decisions"], found))
    for other, points in matches.items():
        means = [found["mean"] for _, found in points]
        ends = [
            [found["mean"] - found["low"] for _, found in points],
            [found["high"] - found["mean"] for _, found in points],
        ]
        top.errorbar([at for at, _ in points], means, ends, marker="o", capsize=3, label=f"over {other}")
    top.axhline(0, color="grey", linewidth=0.8)
    top.set_ylabel("lead a deal, 95 % interval")
    if matches:
        top.legend()
    for name, label in (("entropy", "plays"), ("call_entropy", "calls")):
        bottom.plot([line["decisions"] for line in lines], [line[name] for line in lines], label=label)
    bottom.set_xlabel("decisions")
    bottom.set_ylabel("entropy")
    bottom.legend()
    figure.tight_layout()
    figure.savefig(folder / "curve.svg")
    pyplot.close(figure)

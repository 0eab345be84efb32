"""How far does regret minimisation come? Learns every strategy of docs/regret.md, draws and writes what it came to.

A strategy that has been learnt, or begun, is taken up from its file, so this may be stopped and started again. With
`--device gpu` the same runs are made on a GPU; `--only` takes those whose name has a word in it and leaves the page
alone.
"""

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from renege.figures.plots import draw_regret
from renege.search.regret.strategy import TrainedStrategy

PAGE = Path(__file__).parent.parent / "docs" / "regret.md"
MARK = "<!-- written by bench/regret.py from here on -->"
GAMES = {"42": "Texas 42", "schafkopf": "Schafkopf", "tractor": "Tractor"}
UNITS = {"42": "marks", "schafkopf": "cents", "tractor": "levels"}


@dataclass(frozen=True)
class Run:
    game: str
    method: str
    iterations: int
    batch: int = 0

    @property
    def name(self) -> str:
        return f"{self.game}-{self.method.replace('+', '-plus')}"

    @property
    def arguments(self) -> list[str]:
        sampled = ["--method", self.method, "--batch", str(self.batch)] if self.batch else []
        return ["regret", self.game, *sampled, "--iterations", str(self.iterations)]


RUNS = [
    Run("42", "cfr+", 200),
    Run("42", "mccfr", 1000, 1000),
    Run("schafkopf", "cfr+", 100),
    Run("schafkopf", "mccfr", 500, 20_000),
    Run("tractor", "cfr+", 1000),
    Run("tractor", "mccfr", 2000, 1000),
]


def learn(run: Run, folder: Path, device: str) -> TrainedStrategy:
    """A run to its end."""
    file = folder / f"{run.name}.npz"
    command = [*run.arguments, "--out", str(file), "--device", device]
    print(" ".join(run.arguments), flush=True)
    subprocess.run([sys.executable, "-m", "renege", *command], stdout=subprocess.DEVNULL, check=True)
    return TrainedStrategy.load(file)


def section(game: str, runs: list[tuple[Run, TrainedStrategy]]) -> list[str]:
    """A game: its size, its picture, and a table for each method."""
    first = runs[0][1]
    lines = [f"## {GAMES[game]}", ""]
    lines.append(
        f"{first.deals:,} deals, {first.nodes:,} nodes, {len(first.info):,} information sets with {first.info.slots:,} "
        f"slots. Payoffs lie {first.payoff_range:g} {UNITS[game]} apart. Open hands (PIMC) leave a seat "
        f"{first.beside['open hands']:.5f} {UNITS[game]} to gain ({_share(first.beside['open hands'], first)}), "
        f"playing every act alike {first.beside['uniform']:.4f} ({_share(first.beside['uniform'], first)})."
    )
    lines += ["", f"![Exploitability of the shrunk game](strength/regret-{game}.svg)", ""]
    for run, learnt in runs:
        lines += [f"`renege {' '.join(run.arguments)} --out FILE`", ""]
        lines += ["| iterations | exploitability | of the payoff range | gain of seats 0, 1, 2, 3 | worth to seat 0 |"]
        lines += ["|---|---|---|---|---|"]
        for point in learnt.curve.points:
            gains = ", ".join(f"{gain:.5f}" for gain in point.gains)
            share, value = _share(point.largest, learnt), point.values[0]
            lines.append(f"| {point.iterations:,} | {point.largest:.6f} | {share} | {gains} | {value:+.5f} |")
        lines.append("")
    return lines


def _share(gain: float, learnt: TrainedStrategy) -> str:
    return f"{100 * gain / learnt.payoff_range:.4f} %"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--folder", type=Path, required=True, help="for the strategies, which come to some 150 MB")
    reader.add_argument("--device", default="cpu")
    reader.add_argument("--only", default="", help="runs whose name has this in it; the page is then left alone")
    asked = reader.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    chosen = [run for run in RUNS if asked.only in run.name]
    found = [(run, learn(run, asked.folder, asked.device)) for run in chosen]
    if asked.only:
        return
    lines: list[str] = []
    for game in GAMES:
        runs = [(run, learnt) for run, learnt in found if run.game == game]
        draw_regret([learnt for _, learnt in runs], PAGE.parent / "strength" / f"regret-{game}.svg")
        lines += section(game, runs)
    kept, mark, _ = PAGE.read_text("utf-8").partition(MARK)
    PAGE.write_text(f"{kept}{mark}\n\n" + "\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()

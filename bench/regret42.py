"""How does regret minimisation over whole 42 learn? Trains to one number of iterations after another, plays each
strategy in the arena and draws docs/strength/42-regret42.svg.

With `--speed` it only trains a few batches, on a GPU beside the CPU if there is one, and says how fast that was and
whether the two ledgers are equal. A training that was begun in the folder is carried on.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np

from renege.games.texas42.abstraction import sheets
from renege.native.abstraction42 import Ledger
from renege.native.gpu import NoGpu, find_gpu
from renege.search.regret.train import engine_for

PICTURE = Path(__file__).parent.parent / "docs" / "strength" / "42-regret42.svg"


def train(folder: Path, iterations: int, device: str, batch: int, threads: int) -> Path:
    """A strategy after so many iterations of one training."""
    file = folder / f"strategy-{iterations}.npz"
    if not file.exists():
        asked = ["--iterations", str(iterations), "--device", device, "--batch", str(batch), "--threads", str(threads)]
        subprocess.run([sys.executable, "-m", "renege", "regret42", "train", "--out", str(folder / "all.npz"), *asked],
                       check=True)  # fmt: skip
        (folder / "all.npz").rename(file)
    return file


def play(folder: Path, agent: str, file: Path, against: str, pairs: int, workers: int) -> dict[str, Any]:
    """A match to its end; what `renege arena --json` says of it."""
    log = folder / f"{agent}-{file.stem}-{against.replace(':', '-')}.jsonl"
    match = ["arena", "42", f"{agent}:{file}", against, "--pairs", str(pairs), "--workers", str(workers)]
    command = [sys.executable, "-m", "renege", *match, "--out", str(log), "--json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def draw(points: list[dict[str, Any]], history: list[dict[str, Any]], against: list[str]) -> None:
    """Strength and regret against iterations."""
    from matplotlib.figure import Figure

    from renege.figures.style import FAINT, OURS, PUBLISHED, THIRD, WIDTH, label, save, styled

    with styled():
        figure = Figure(figsize=(WIDTH, 3.4), layout="constrained")
        left, right = figure.subplots(1, 2)
        label(left, "Strength, 95 % interval", "iterations", "marks a hand")
        for name, colour in zip(against, (OURS, PUBLISHED, THIRD), strict=False):
            here = [point for point in points if point["against"] == name]
            means = np.array([point["mean"] for point in here])
            spread = np.array([[point["mean"] - point["low"], point["high"] - point["mean"]] for point in here]).T
            left.errorbar([p["iterations"] for p in here], means, spread, color=colour, label=f"over {name}",
                          marker="o", capsize=2)  # fmt: skip
        left.axhline(0, color=FAINT, linewidth=0.9)
        left.set_xscale("log")
        left.legend(fontsize=8.5)
        label(right, "Regret a deal, summed over keys", "iterations", "marks")
        right.plot([at["iterations"] for at in history], [at["regret"] for at in history], color=OURS)
        right.set_xscale("log")
        right.set_yscale("log")
        save(figure, PICTURE)


def speed(batch: int, batches: int, threads: int) -> None:
    """Iterations a second on the CPU and on a GPU, and whether both come to the same."""
    ledgers: dict[str, Ledger] = {}
    devices: list[tuple[str, Literal["cpu", "gpu"]]] = [(f"CPU, {threads} threads", "cpu")]
    try:
        devices.append((repr(find_gpu()), "gpu"))
    except NoGpu as missing:
        print(f"no GPU: {missing}")
    for name, device in devices:
        engine, nodes, dropped = engine_for(Ledger(1 << 22), sheets(), threads, device), 0, 0
        engine.traverse(batch, 1)  # builds the program, and meets most keys
        engine.fold(0.0)
        begun = perf_counter()
        for number in range(1, batches + 1):
            found = engine.traverse(batch, 1, number * batch)
            engine.fold(number / (number + 1))
            nodes, dropped = nodes + found.nodes, dropped + found.dropped
        seconds = perf_counter() - begun
        ledgers[device] = engine.fetch()
        print(f"{name}: {batch * batches / seconds:,.0f} iterations/s, {nodes / seconds:,.0f} turns/s, "
              f"{ledgers[device].used:,} keys, {dropped} dropped")  # fmt: skip
    if len(ledgers) == 2:
        a, b = ledgers["cpu"].order(), ledgers["gpu"].order()
        same = len(a) == len(b) and all(
            (getattr(ledgers["cpu"], kind)[a] == getattr(ledgers["gpu"], kind)[b]).all()
            for kind in ("keys", "regret", "average")
        )
        print("the ledgers are equal bit for bit" if same else "THE LEDGERS DIFFER")


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--folder", type=Path, help="where the training, the strategies and the logs lie")
    reader.add_argument("--marks", default="20000,100000,400000,1600000,4000000", help="iterations, rising")
    reader.add_argument("--against", default="rulebook,searcher:10w")
    reader.add_argument("--agent", default="regret42-pure")
    reader.add_argument("--pairs", type=int, default=500)
    reader.add_argument("--workers", type=int, default=1)
    reader.add_argument("--device", default="cpu")
    reader.add_argument("--batch", type=int, default=20_000)
    reader.add_argument("--threads", type=int, default=1)
    reader.add_argument("--speed", type=int, metavar="BATCHES", help="only say how fast so many batches are trained")
    asked = reader.parse_args()
    if asked.speed:
        speed(asked.batch, asked.speed, asked.threads)
        return
    if asked.folder is None:
        reader.error("--folder is needed")
    asked.folder.mkdir(parents=True, exist_ok=True)
    points: list[dict[str, Any]] = []
    against = asked.against.split(",")
    for mark in map(int, asked.marks.split(",")):
        file = train(asked.folder, mark, asked.device, asked.batch, asked.threads)
        for other in against:
            found = play(asked.folder, asked.agent, file, other, asked.pairs, asked.workers)
            low, high = found["interval"]
            points.append({"iterations": mark, "against": other, "mean": found["mean"], "low": low, "high": high})
            print(json.dumps(points[-1]), flush=True)
    lines = (asked.folder / "all.npz.jsonl").read_text("utf-8").splitlines()
    draw(points, [json.loads(line) for line in lines], against)
    print(PICTURE)


if __name__ == "__main__":
    main()

"""How many decisions a second does a network make on one core, by each path that the processor has?

Networks of random weights (hidden x blocks) and rows of Texas 42, version 1, as they come up in random play, in batches
as a search asks for them: one call from Python a batch. Weights do not matter to the time; that a row is mostly 0 does.
All paths come to the same numbers, and this is checked. Machines drift, so the jobs take turns in short slots and a
ratio is taken within each round; all run pinned to one core where the system allows it.
"""

import argparse
import json
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playouts import Job, measure, pin, ratios, repeat
from rich.console import Console
from rich.table import Table

from renege.envs import BatchEnv
from renege.native.arrays import U8
from renege.nets import NetFile
from renege.nets.file import Layer, NetPath, net_paths

SHAPES = ((128, 1), (256, 2), (512, 3))  # hidden, blocks
BATCHES = (1, 8, 64, 256)
BASE = "portable"


@dataclass(frozen=True)
class Case:
    hidden: int
    blocks: int
    batch: int

    def __str__(self) -> str:
        return f"{self.hidden}x{self.blocks}, batch of {self.batch}"

    def job(self, path: str) -> str:
        return f"{self}, {path}"


CASES = [Case(*shape, batch) for shape in SHAPES for batch in BATCHES]


def seen_rows(count: int) -> U8:
    """Rows that seats of 42 see, a few steps of random play apart."""
    env = BatchEnv("renege/texas42-v1", count, seed=1)
    env.run(100)
    return env.observation.copy()


def random_net(width: int, hidden: int, blocks: int, actions: int) -> NetFile:
    rng = np.random.default_rng(1)

    def layer(shape: tuple[int, int], outputs: int, most: int) -> Layer:
        scale = rng.random(outputs) * 3 / (most * np.sqrt(hidden))
        whole = rng.integers(-most, most + 1, shape).astype(np.int16)
        return Layer(whole, scale.astype(np.float32), rng.normal(size=outputs).astype(np.float32))

    inner = [layer((hidden, hidden), hidden, 127) for _ in range(2 * blocks)]
    first, last = layer((width, hidden), hidden, 32767), layer((actions, hidden), actions, 2047)
    return NetFile({}, (first, *inner, last))


def jobs() -> dict[str, Job]:
    rows = seen_rows(max(BATCHES))
    actions = len(BatchEnv("renege/texas42-v1", 1, seed=1).encoding.actions)
    nets = {shape: random_net(rows.shape[1], *shape, actions) for shape in SHAPES}
    found: dict[str, Job] = {}
    for case in CASES:
        net, given = nets[case.hidden, case.blocks], rows[: case.batch]
        for path in net_paths():
            if not np.array_equal(net.logits(given, path=path), net.logits(given, path=BASE)):
                raise SystemExit(f"{path} came to other numbers than {BASE}")
            found[case.job(path)] = looking(net, given, path)
    return found


def looking(net: NetFile, rows: U8, path: NetPath) -> Job:
    calls = max(1, 64 // len(rows))

    def once(turn: int) -> int:
        for _ in range(calls):
            net.logits(rows, path=path)
        return calls * len(rows)

    return repeat(once)


def show(speeds: dict[str, list[float]], core: int | None) -> None:
    caption = f"the fastest round; in brackets, times {BASE} in the same round, median"
    table = Table(title="thousand decisions a second of a network, one core", caption=caption)
    for column in ("", *net_paths()):
        table.add_column(column, justify="right" if column else "left")
    for case in CASES:
        cells: list[str] = []
        for path in net_paths():
            times = statistics.median(ratios(speeds, case.job(path), case.job(BASE)))
            cells.append(f"{max(speeds[case.job(path)]) / 1e3:.1f} ({times:.1f}x)")
        table.add_row(str(case), *cells)
    console = Console()
    console.print(table)
    where = "not pinned" if core is None else f"pinned to core {core}"
    console.print(f"{where}, {time.strftime('%Y-%m-%d')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=25, help="turns of each job (at least 2)")
    parser.add_argument("--seconds", type=float, default=0.03, help="length of a turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round's numbers here")
    asked = parser.parse_args()
    core = pin()
    speeds = measure(jobs(), max(2, asked.rounds), asked.seconds)
    show(speeds, core)
    if asked.json:
        report = {
            "decisions_per_second": speeds,
            "fastest": {name: max(values) for name, values in speeds.items()},
            "pinned": core is not None,
        }
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

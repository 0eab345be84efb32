"""Regret minimisation on a GPU beside one core: sweeps and traversals a second, and how far the numbers are apart.

python bench/gpu_regret.py 42 --iterations 100 --batch 1000000
"""

import argparse
import time

import numpy as np

from renege.cli.regret import shrunk_called
from renege.native.gpu import find_gpu
from renege.search.regret.cfr import Tables, TreeEngine, averaged, exploitability
from renege.search.regret.gpu import OnGpu
from renege.search.regret.trees import tree_of


def seconds(engine: TreeEngine, tables: Tables, iterations: int, batch: int) -> float:
    """How long more iterations take: of CFR+, or of sampling where there is a batch."""
    began = time.perf_counter()
    if batch:
        engine.sample(tables, iterations, batch, 1)
    else:
        engine.plus(tables, iterations)
    return time.perf_counter() - began


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("game", choices=["42", "schafkopf", "tractor"])
    reader.add_argument("--rules", action="append", metavar="NAME=CHOICE")
    reader.add_argument("--iterations", type=int, default=100)
    reader.add_argument("--batch", type=int, default=1_000_000, help="traversals of a seat in an iteration on the GPU")
    reader.add_argument("--cpu-iterations", type=int, default=5)
    asked = reader.parse_args()
    tree = tree_of(shrunk_called(asked.game, asked.rules))
    print(tree, flush=True)
    gpu = find_gpu()
    cpu, there = TreeEngine(tree), OnGpu(gpu, tree)
    print(gpu)
    few, most = asked.cpu_iterations, asked.iterations
    ours, theirs = Tables.blank(tree), Tables.blank(tree)
    there.plus(Tables.blank(tree), 1)  # the program is built and loaded
    slow = seconds(cpu, ours, few, 0) / few
    seconds(there, theirs, few, 0)
    apart = np.abs(ours.regrets - theirs.regrets).max() / tree.payoff_range
    print(f"after {few} iterations of CFR+ the regrets are {apart:.1e} of the payoff range apart")
    fast = seconds(there, theirs, most, 0) / most
    nodes = 4 * tree.nodes
    print(f"CFR+: one core {slow * 1e3:.1f} ms an iteration ({nodes / slow:.3g} nodes/s), ", end="")
    print(f"GPU {fast * 1e3:.2f} ms ({nodes / fast:.3g} nodes/s): {slow / fast:.0f} times")
    found = exploitability(there, averaged(tree.info, theirs))
    print(f"exploitability after {few + most} iterations: {found.largest / tree.payoff_range:.3g} of the payoff range")
    ours, theirs = Tables.blank(tree), Tables.blank(tree)
    slow = seconds(cpu, ours, few, 10_000) / (4 * few * 10_000)
    fast = seconds(there, theirs, most, asked.batch) / (4 * most * asked.batch)
    print(f"sampling: one core {1 / slow:,.0f} traversals/s, GPU {1 / fast:,.0f}: {slow / fast:.0f} times")
    found = exploitability(there, averaged(tree.info, theirs))
    print(
        f"exploitability after {most} batches of {asked.batch:,}: {found.largest / tree.payoff_range:.3g} of the range"
    )


if __name__ == "__main__":
    main()

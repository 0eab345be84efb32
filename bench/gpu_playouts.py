"""Random deals dealt and played out on a GPU, beside the CPU's cores.

    python bench/gpu_playouts.py [--deals 4e9] [--repeats 7]

Each number is the median of several runs, timed by the device's own events after one to warm up. The sums of the first
deals are held against the CPU's before anything is timed.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable

import numpy as np

from renege.games import texas42
from renege.games.schafkopf.packed import tables as schafkopf_tables
from renege.native import cards as native
from renege.native.gpu import NoGpu, find_gpu, playouts
from renege.native.gpu.device import Gpu, bytes_on

CHECKED = 2_000_000
CPU_DEALS = 400_000
GAMES = {
    "Texas 42, fives are trumps": native.tables(texas42.order("5")),
    "Texas 42, follow me": native.tables(texas42.order("follow-me")),
    "Schafkopf, Wenz": schafkopf_tables("wenz"),
    "Schafkopf, Rufspiel": schafkopf_tables("rufspiel E"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Random deals played out on a GPU, beside the CPU's cores.")
    parser.add_argument("--deals", type=float, default=4e9, help="deals of a run on the device")
    parser.add_argument("--repeats", type=int, default=7)
    asked = parser.parse_args()
    try:
        gpu = find_gpu()
    except NoGpu as missing:
        raise SystemExit(f"nothing to measure: {missing}") from None
    cores = os.cpu_count() or 1
    print(f"{gpu.name}, {gpu.multiprocessors} multiprocessors; {cores} CPU cores ({native.features().path} path)\n")
    print("| deals | on the GPU | one core | all cores | GPU : core | GPU : all cores |")
    print("|---|---|---|---|---|---|")
    for name, tables in GAMES.items():
        found = playouts.random_deals(gpu, tables, CHECKED, 1)
        assert found == native.random_deals(tables, CHECKED, 1, threads=cores)
        rate = measure(gpu, tables, int(asked.deals), asked.repeats)
        one, every = (cpu_rate(tables, threads) for threads in (1, cores))
        print(f"| {name} | {rate:.3g}/s | {one:.3g}/s | {every:.3g}/s | {rate / one:,.0f} | {rate / every:,.0f} |")
    fives = GAMES["Texas 42, fives are trumps"]
    hands = native.deals((1 << 28) - 1, [7] * 4, 100_000, 1).tolist()
    states = np.tile(np.stack([native.state(row, 0) for row in hands]), (40, 1))

    def given_tables() -> float:
        there = gpu.put(states)
        return gpu.seconds(lambda: playouts.launch_playouts(gpu, fives, there, 1))

    given_tables()
    rate = len(states) / median(asked.repeats, given_tables)
    print(f"\nplayouts of {len(states):,} given tables of 42 that lie on the device: {rate:.3g}/s")


def measure(gpu: Gpu, tables: native.Tables, deals: int, repeats: int) -> float:
    """Deals a second."""
    entry, order = playouts.entry_for(tables, native.duty_of(tables)), bytes_on(gpu, tables)
    assert entry is not None

    def run() -> float:
        return gpu.seconds(lambda: playouts.launch_random_deals(gpu, entry, order, deals, 1, 0))

    run()
    return deals / median(repeats, run)


def median(repeats: int, run: Callable[[], float]) -> float:
    return statistics.median(run() for _ in range(repeats))


def cpu_rate(tables: native.Tables, threads: int) -> float:
    deals = CPU_DEALS * threads
    began = time.perf_counter()
    native.random_deals(tables, deals, 1, threads=threads)
    return deals / (time.perf_counter() - began)


if __name__ == "__main__":
    main()

"""Whole tables of Texas 42 on a GPU: how many a second, and where the time goes.

    python bench/gpu_whole.py [--batches 16 64 256] [--declarations 5 doubles follow-me] [--repeats 7] [--blocks 256]

Deals of seven tiles a hand, seat 0 leads. Each number is the median of several runs, timed by the device's own events
after one to warm up. Before anything is timed, the values of some deals and their counts are held against the CPU's.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable

import numpy as np

from renege.games import texas42
from renege.native import cards as native
from renege.native import solve as native_solve
from renege.native import state_tables as native_whole
from renege.native.arrays import U32
from renege.native.gpu import NoGpu, find_gpu
from renege.native.gpu.device import Gpu
from renege.native.gpu.solve import solve_plays as search_plays
from renege.native.gpu.state_tables import DealBatch, solve
from renege.native.gpu.state_tables import solve_plays as solve_plays_by_table
from renege.native.solve import SolveQuery

DECK = (1 << 28) - 1
SIDE = 0b0101
CHECKED = 4  # deals whose counts the CPU finds too
TILES = 7
# Instructions of PTX for a trick in the innermost loop, as NVRTC 13 writes them. It takes more: the plays before the
# last come between.
OPERATIONS = {"reach": 28, "values": 32}


def main() -> None:
    parser = argparse.ArgumentParser(description="Whole tables of Texas 42 on a GPU, beside the CPU's cores.")
    parser.add_argument("--batches", type=int, nargs="+", default=[16, 64, 256], help="deals of a batch")
    parser.add_argument("--declarations", nargs="+", default=["5", "doubles", "follow-me"])
    parser.add_argument("--blocks", type=int, nargs="+", default=[256], help="threads of a block, at most 256")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--cpu-deals", type=int, default=4, help="deals that one core solves, and each of all cores")
    asked = parser.parse_args()
    try:
        gpu = find_gpu()
    except NoGpu as missing:
        raise SystemExit(f"nothing to measure: {missing}") from None
    print(f"{gpu.name}, {gpu.multiprocessors} multiprocessors; {os.cpu_count()} CPU cores\n")
    for block in asked.blocks:
        gpu.block = block
        for name in asked.declarations:
            measure(gpu, name, asked.batches, asked.repeats)
    gpu.block = Gpu.block
    end_to_end(gpu, asked.declarations[0], max(asked.batches))
    plays(gpu, asked.declarations[0])
    cpu(asked.declarations[0], asked.cpu_deals)


def dealt(deals: int) -> U32:
    """The same deals for every declaration, the larger batch beginning as the smaller."""
    return np.stack([native.state(hands, 0) for hands in native.deals(DECK, [TILES] * 4, deals, 42).tolist()])


def batch_of(gpu: Gpu, tables: native.Tables, deals: int) -> DealBatch:
    shape = native_whole.TableShape(TILES, 4, sevens=False)
    return DealBatch(gpu, shape, native_whole.rounds(SolveQuery(tables, dealt(deals), SIDE), shape))


def measure(gpu: Gpu, name: str, batches: list[int], repeats: int) -> None:
    tables = native.tables(texas42.order(name))
    print(f"## {name}, {gpu.block} threads a block\n")
    print("| deals | ms | tables/s | states/s | tricks marked/s |\n|---|---|---|---|---|")
    batch = None
    for deals in sorted(batches):
        batch = batch_of(gpu, tables, deals)
        check(batch, tables)
        seconds = median(repeats, lambda batch=batch: gpu.seconds(lambda: (batch.begin(), batch.solve())))
        states, tricks = batch.counts().sum(axis=(0, 1), dtype=np.uint64).tolist()
        rates = f"{deals / seconds:,.0f} | {states / seconds:.3g} | {tricks / seconds:.3g}"
        print(f"| {deals} | {1e3 * seconds:.2f} | {rates} |")
    if batch is not None:
        print()
        phases(batch, repeats)


def check(batch: DealBatch, tables: native.Tables) -> None:
    """Solves the batch once; all values against the solver's, a few counts against the CPU's whole tables."""
    batch.solve()
    states = dealt(batch.deals)
    expected = native_solve.solve(SolveQuery(tables, states, SIDE), threads=os.cpu_count() or 1)
    assert (batch.roots() == expected.lower).all()
    few = native_whole.solve(SolveQuery(tables, states[:CHECKED], SIDE), threads=os.cpu_count() or 1)
    counts = batch.counts()[:CHECKED]
    assert (counts[:, :, 0] == few.states).all()
    assert (counts[:, :, 1] == few.transitions).all()


def phases(batch: DealBatch, repeats: int) -> None:
    """Where the time of the last batch goes, level by level."""
    down, up = range(TILES, 0, -1), range(1, TILES + 1)
    work: dict[str, Callable[[], object]] = {"begin": batch.begin}
    work |= {f"reach {left}": lambda left=left: batch.reach(left) for left in down}
    work |= {f"values {left}": lambda left=left: batch.look_back(left) for left in up}
    taken: dict[str, list[float]] = {phase: [] for phase in work}
    for _ in range(repeats):
        for phase, run in work.items():
            taken[phase].append(batch.gpu.seconds(run))
    times = {phase: statistics.median(found) for phase, found in taken.items()}
    all_of_it, counts = sum(times.values()), batch.counts().sum(axis=0, dtype=np.uint64).tolist()
    print("| phase | us a deal | share | states a deal | tricks a deal | ns a trick |\n|---|---|---|---|---|---|")
    for phase, seconds in times.items():
        states, tricks = counts[int(phase.split()[-1])] if " " in phase else (0, 0)
        each = f"{1e9 * seconds / tricks:.4f}" if tricks else "-"
        row = f"{1e6 * seconds / batch.deals:.2f} | {seconds / all_of_it:.1%} | {states / batch.deals:,.0f}"
        print(f"| {phase} | {row} | {tricks / batch.deals:,.0f} | {each} |")
    print()
    estimate(batch, times)


def estimate(batch: DealBatch, times: dict[str, float]) -> None:
    """What the device did at least: bytes moved, and operations in the innermost loop."""
    states, tricks = (int(count) for count in batch.counts().sum(axis=(0, 1), dtype=np.uint64))
    words = 4 * batch.numbers.words * batch.deals
    for phase, looked in (("reach", 4), ("values", 1)):
        seconds = sum(taken for name, taken in times.items() if name.startswith(phase))
        moved = words + looked * tricks + (0 if phase == "reach" else states)
        done = OPERATIONS[phase] * tricks
        print(f"{phase}: {1e3 * seconds:.2f} ms for {batch.deals} deals; the bits once, {words / 1e9:.2f} GB, and")
        print(f"  {tricks:.3g} tricks that look at {looked} bytes each: {moved / seconds / 1e9:,.0f} GB/s, or")
        print(f"  {32 * tricks / seconds / 1e9:,.0f} GB/s if each were a sector of its own;", end=" ")
        print(f"about {done / seconds / 1e12:.2f} T operations/s at the least", end="")
        print(" (of all tricks: many are cut off)\n" if phase == "values" else "\n")


def end_to_end(gpu: Gpu, name: str, deals: int) -> None:
    """The host's work and the transfers included."""
    tables, states = native.tables(texas42.order(name)), dealt(deals)
    solve(gpu, SolveQuery(tables, states, SIDE), batch=deals)
    began = time.perf_counter()
    solve(gpu, SolveQuery(tables, states, SIDE), batch=deals)
    rate = deals / (time.perf_counter() - began)
    print(f"whole.solve of {deals} deals, {name}, by the clock on the wall: {rate:,.0f} tables/s")
    began = time.perf_counter()
    solve(gpu, SolveQuery(tables, states[:16], SIDE), keep=True)
    print(f"with keep=True: {16 / (time.perf_counter() - began):,.1f} tables/s, fetched and sorted\n")


def plays(gpu: Gpu, name: str) -> None:
    """Every play of positions at a lead: from whole tables, by a thread for each play, and by one core."""
    tables = native.tables(texas42.order(name))
    print("| tiles | positions | from tables/s | a thread a play/s | one core/s |\n|---|---|---|---|---|")
    for tiles in (4, 5, 6, 7):
        for rows in (32, 256, 2048):
            states = np.stack([native.state(h, 0) for h in native.deals(DECK, [tiles] * 4, rows, 7).tolist()])
            few = states[: 4 ** (9 - tiles)]
            ours = solve_plays_by_table(gpu, SolveQuery(tables, states, SIDE))
            began = time.perf_counter()
            solve_plays_by_table(gpu, SolveQuery(tables, states, SIDE))
            from_tables = rows / (time.perf_counter() - began)
            by_threads = float("nan")
            if tiles < TILES:
                began = time.perf_counter()
                found = search_plays(gpu, SolveQuery(tables, states, SIDE))
                by_threads = rows / (time.perf_counter() - began)
                assert (found.lower == ours.lower).all()
            began = time.perf_counter()
            found = native_solve.solve_plays(SolveQuery(tables, few, SIDE))
            one_core = len(few) / (time.perf_counter() - began)
            assert (found.lower == ours.lower[: len(few)]).all()
            print(f"| {tiles} | {rows} | {from_tables:,.0f} | {by_threads:,.0f} | {one_core:,.0f} |", flush=True)
    print()


def cpu(name: str, deals: int) -> None:
    tables = native.tables(texas42.order(name))
    for threads in (1, os.cpu_count() or 1):
        states = dealt(deals * threads)
        began = time.perf_counter()
        native_whole.solve(SolveQuery(tables, states, SIDE), threads=threads)
        rate = len(states) / (time.perf_counter() - began)
        print(f"CPU, {threads} threads, {name}: {rate:.2f} tables/s ({len(states)} deals)")


def median(repeats: int, run: Callable[[], float]) -> float:
    run()
    return statistics.median(run() for _ in range(repeats))


if __name__ == "__main__":
    main()

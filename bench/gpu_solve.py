"""How many deals, plays, rounds of Tractor and worlds a second does a GPU solve, roll out and draw?

    python bench/gpu_solve.py [--deals N] [--repeats N] [--only NAME] [--slots BITS] [--blocks N]

Beside each stand one core and all cores of the machine, and how many times faster the device is. Times are medians of
repeats by the device's own events, without the copies to it and back; the first repeat is thrown away. Deals of 42:
seat 0 leads, and has called fives, of which it holds most. Schafkopf: seat 0 leads; a solo in leaves by the seat with
most trumps, and a Rufspiel on the ace of acorns. A node is a card played. It needs numpy and what `[gpu]` names, no
more.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from renege.belief import Problem, Worlds
from renege.belief.gpu_worlds import DeviceWorlds
from renege.games import schafkopf, texas42, tractor
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native import solve as native_solve
from renege.native import tractor as native_tractor
from renege.native.arrays import U8, U32
from renege.native.gpu import Gpu, find_gpu
from renege.native.gpu import rollouts as gpu_rollouts
from renege.native.gpu import solve as gpu_solve
from renege.native.rollouts import PublicState, RolloutQuery, rollouts
from renege.native.solve import SolveQuery

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Speed:
    """Things a second."""

    what: str
    device: float
    core: float
    cores: float
    more: str = ""

    def told(self) -> str:
        ratios = f"{self.device / self.core:>8,.0f} x core  {self.device / self.cores:>7,.1f} x {CORES} cores"
        return f"{self.what:<44} {self.device:>13,.0f} /s {ratios}   {self.more}"


def on_device(gpu: Gpu, work: Callable[[], Any], repeats: int) -> float:
    work()
    gpu.synchronize()
    return statistics.median(gpu.seconds(work) for _ in range(repeats))


def on_cpu(work: Callable[[int, int], Any], n: int) -> tuple[float, float]:
    """Things a second on one core and on all: `work(n, threads)`, with as many as take about a second."""
    found: list[float] = []
    for threads in (1, CORES):
        some = min(n, 4 * threads)
        while True:
            began = time.perf_counter()
            work(some, threads)
            took = time.perf_counter() - began
            if took > 0.7 or some == n:
                break
            some = min(n, max(2 * some, int(some / max(took, 1e-3))))
        found.append(some / took)
    return found[0], found[1]


# -- open hands


@dataclass(frozen=True)
class Deals:
    tables: native.Tables
    states: U32
    takers: U8


def deals_42(n: int) -> Deals:
    orders = [texas42.order(str(pip)) for pip in range(7)]
    follow = np.array([order.follow[7] for order in orders], np.uint32)
    hands = native.deals(texas42.DECK.kinds, [7] * 4, 12 * n + 200, seed=42)
    longest = np.bitwise_count(hands[:, :1] & follow).argmax(axis=1)
    states = np.repeat(native.state([0] * 4, 0)[None], n, axis=0)
    states[:, :4] = hands[longest == 5][:n]
    return Deals(native.tables(orders[5]), states, np.full(n, 0b0101, np.uint8))


def deals_schafkopf(n: int, declaration: str) -> Deals:
    deck, order = schafkopf.LONG, schafkopf.order(declaration)
    ace = deck.spellings["EA"] if declaration == "rufspiel E" else None
    tables = native_schafkopf.order(order, ace)
    hands = native.deals(deck.kinds, [8] * 4, n, seed=3)
    states = native_schafkopf.states(tables, hands, np.zeros(n, np.uint8))
    if ace is None:
        declarers = np.bitwise_count(hands & np.uint32(order.follow[0])).argmax(axis=1)
        return Deals(tables, states, (1 << declarers).astype(np.uint8))
    holders = (hands >> np.uint32(ace) & 1).argmax(axis=1)
    return Deals(tables, states, (1 << holders | 1 << (holders + 1) % 4).astype(np.uint8))


def later(deals: Deals, tricks: int) -> Deals:
    """The same deals after some tricks of any legal cards."""
    states, rng = deals.states, np.random.default_rng(1)
    for _ in range(4 * tricks):
        masks = native.legal_masks(deals.tables, states)
        picks = rng.integers(0, 1 << 30, len(states)) % np.bitwise_count(masks)
        for _ in range(8):
            dropped = picks > 0
            masks[dropped] &= masks[dropped] - 1
            picks = np.maximum(picks - 1, 0)
        cards = np.bitwise_count((masks & -masks.astype(np.int64)).astype(np.uint32) - 1).astype(np.uint8)
        states = native.step(deals.tables, states, cards)
    return replace(deals, states=states)


def solved(gpu: Gpu, what: str, deals: Deals, target: int | None, asked: argparse.Namespace, *, plays: bool) -> Speed:
    n, slots = len(deals.states), 1 << asked.slots
    query = SolveQuery(deals.tables, deals.states, deals.takers, targets=target)
    called = "called" if deals.tables.called is not None else "four"
    launch = gpu_solve.Launch(gpu, f"solve_{called}", query, slots, plays=plays)
    seconds = on_device(gpu, launch.start, asked.repeats)
    nodes = float(launch.found()[1].sum())
    call = native_solve.solve_plays if plays else native_solve.solve
    core, cores = on_cpu(lambda some, threads: call(query.some(slice(some)), threads=threads), n)
    more = f"{nodes / seconds / 1e6:,.0f} M nodes/s, {nodes / n:,.0f} a deal, {seconds * 1e3:,.1f} ms for {n:,}"
    return Speed(what, n / seconds, core, cores, more)


def open_hands(gpu: Gpu, asked: argparse.Namespace) -> Iterator[Speed]:
    n = asked.deals
    tiles = deals_42(n)
    yield solved(gpu, "42, value at the first lead", tiles, None, asked, plays=False)
    yield solved(gpu, "42, makes 30 at the first lead", tiles, 30, asked, plays=False)
    yield solved(gpu, "42, every play with 6 tiles, makes 20", later(tiles, 1), 20, asked, plays=True)
    yield solved(gpu, "42, every play with 5 tiles, value", later(tiles, 2), None, asked, plays=True)
    yield solved(gpu, "42, every play with 4 tiles, value", later(tiles, 3), None, asked, plays=True)
    for name, declaration in (("solo", "solo G"), ("Rufspiel", "rufspiel E")):
        some = deals_schafkopf(max(1, n // 4), declaration)
        yield solved(gpu, f"Schafkopf, {name}, value at the first lead", some, None, asked, plays=False)
        yield solved(gpu, f"Schafkopf, {name}, makes 61 at the first lead", some, 61, asked, plays=False)
        yield solved(gpu, f"Schafkopf, {name}, every play with 5, value", later(some, 3), None, asked, plays=True)


# -- Tractor


def rounds(n: int) -> tuple[Any, PublicState, Any, Any, Any]:
    """Worlds at the first lead: the same banker's hand in all, 25 cards each, hearts and fives being trumps."""
    order = native_tractor.order(tractor.order("H5"))
    pack = np.random.default_rng(5).permuted(np.tile(np.repeat(np.arange(54), 2), (1, 1)), axis=1)[0]
    mine, rest = pack[:25], np.tile(pack[25:], (n, 1))
    rest = np.random.default_rng(6).permuted(rest, axis=1)
    worlds = np.zeros((n, 4, 2), np.uint64)
    for seat in range(4):
        cards = np.tile(mine, (n, 1)) if seat == 0 else rest[:, 25 * seat - 25 : 25 * seat]
        counts = (cards[:, :, None] == np.arange(54)).sum(axis=1)
        for layer in (0, 1):
            worlds[:, seat, layer] = ((counts > layer) << np.arange(54, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    points = np.array(tractor.order("H5").points)
    kitties = points[rest[:, 75:]].sum(axis=1).astype(np.int32)
    lows = [1 << card for card in sorted(set(mine.tolist()))[:8]]
    candidates = np.array([(low, 0) for low in lows], np.uint64)
    return order, PublicState(leader=0, banker=0), worlds, kitties, candidates


def tractor_rounds(gpu: Gpu, asked: argparse.Namespace) -> Iterator[Speed]:
    n = max(1, asked.deals // 2)
    query = RolloutQuery(*rounds(n))
    batch, each = gpu_rollouts.RolloutBatch(gpu, query), len(query.candidates)

    def measured(name: str, solve_from: int) -> Speed:
        seconds = on_device(gpu, lambda: batch.roll_out(solve_from=solve_from), asked.repeats)
        solving = replace(query, solve_from=solve_from)
        core, cores = on_cpu(lambda some, threads: rollouts(solving.some(slice(some)), threads=threads), n)
        return Speed(name, n * each / seconds, core * each, cores * each, f"{seconds * 1e3:,.1f} ms for {n * each:,}")

    yield measured("Tractor, whole rounds", 0)
    yield measured("Tractor, whole rounds, last 3 solved", 3)


# -- worlds


def plain(copies: list[int], sizes: list[int]) -> Problem:
    most, least = tuple((n,) * len(sizes) for n in copies), ((0,) * len(sizes),) * len(copies)
    return Problem(tuple(range(len(copies))), tuple(copies), tuple(sizes), most, least)


def drawn(gpu: Gpu, asked: argparse.Namespace) -> Iterator[Speed]:
    def measured(name: str, problem: Problem, n: int, weights: Any) -> Speed:
        worlds = Worlds(problem)
        there = DeviceWorlds(gpu, worlds)
        seconds = on_device(gpu, lambda: there.launch(n, 1, weights=weights), asked.repeats)
        core, cores = on_cpu(lambda some, threads: worlds.draw(some, 1, weights=weights, threads=threads), n)
        return Speed(f"worlds of {name}", n / seconds, core, cores)

    hidden = [2, 2, 1, 2, 1, 2, 2, 1, 2, 2] * 5
    for name, problem, n in (
        ("42", plain([1] * 21, [7] * 3), 64 * asked.deals),
        ("Schafkopf", plain([1] * 24, [8] * 3), 64 * asked.deals),
        ("Tractor", plain(hidden, [25, 25, 25, 10]), 16 * asked.deals),
    ):
        weights = np.linspace(0.5, 2, len(problem.kinds) * len(problem.sizes)).reshape(len(problem.kinds), -1)
        yield measured(name, problem, n, None)
        yield measured(f"{name}, by weight", problem, n, weights)


PARTS: dict[str, Callable[[Gpu, argparse.Namespace], Iterator[Speed]]] = {
    "solve": open_hands,
    "tractor": tractor_rounds,
    "worlds": drawn,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="What a GPU solves, rolls out and draws, beside the CPU.")
    parser.add_argument("--deals", type=int, default=30_000, help="deals in a launch")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=sorted(PARTS))
    parser.add_argument("--slots", type=int, default=gpu_solve.SLOTS.bit_length() - 1, help="2^N slots for a thread")
    parser.add_argument("--blocks", type=int, default=gpu_solve.BLOCKS_EACH, help="blocks for each multiprocessor")
    asked = parser.parse_args()
    gpu_solve.BLOCKS_EACH = asked.blocks
    gpu = find_gpu()
    print(f"{gpu}; {CORES} cores; 2^{asked.slots} slots a thread, {asked.blocks} blocks a multiprocessor", flush=True)
    for name, part in PARTS.items():
        if asked.only in (None, name):
            for row in part(gpu, asked):
                print(row.told(), flush=True)


if __name__ == "__main__":
    main()

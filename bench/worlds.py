"""How long does it take to count the deals that a position leaves open, to know the odds of every card, and to draw?

Positions of 42 and Schafkopf are a first lead and the middle of a deal, where some hands have shown voids; those of
Tractor are a first lead with all 83 cards hidden, without conditions, with suits that some hands lack or have no pair
in, and with hands that have no tractor in a suit besides. Kinds are dealt suit by suit. Times are for one core: to
build the table from a `Problem`, to ask for all odds then, and for a deal in a batch of many. The aims are 150 ns a
deal and 50 µs for the odds of three hands, 5 µs and 20 ms for Tractor.

Many hands are those of `crowded.py`: what one seat knows in the middle of a deal that bots play with three packs and
six seats, or four packs and eight, with so many cards left in a hand; the hard ones are of a toy that shows more.
The aims are 1 s for the table and all odds and 50 µs a deal with three packs and six seats. `too large` are positions
whose table would not hold all that is known.
"""

import argparse
import json
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from crowded import Make, all_of, crowded, hard
from playouts import pin
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from renege.belief import Problem, Run, TooManyStates, Worlds, run_watch

Caps = dict[int, dict[int, Sequence[int]]]


def problem(copies: Sequence[int], sizes: Sequence[int], caps: Caps) -> Problem:
    """`caps[hand][most]` are the places of which the hand has at most so many."""
    most = [[n] * len(sizes) for n in copies]
    for hand, by_most in caps.items():
        for cap, places in by_most.items():
            for place in places:
                most[place][hand] = min(cap, most[place][hand])
    kinds, least = tuple(range(len(copies))), ((0,) * len(sizes),) * len(copies)
    return Problem(kinds, tuple(copies), tuple(sizes), tuple(map(tuple, most)), least)


def lacks(**places: Sequence[int]) -> Caps:
    return {int(name[1:]): {0: own} for name, own in places.items()}


def positions() -> dict[str, Problem]:
    # A hand of 25 is seen, 4 pairs in it, so that 83 cards of 50 kinds are hidden. Trumps are the last 18 kinds.
    hidden = [2, 2, 1, 2, 1, 2, 2, 1, 2, 2, 1, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 1]
    hidden += [2, 2, 1, 2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 2]
    caps: Caps = {0: {0: range(11)}, 1: {1: range(11, 22), 0: range(11)}, 2: {1: range(32, 50)}}
    capped = problem(hidden, (25, 25, 25, 8), caps)
    trumps = [run_watch(hand, 32, [0] * 18, range(18), hidden[32:], Run(2, -1, forbidden=True)) for hand in (0, 1)]
    return {
        "42, first lead": problem([1] * 21, (7, 7, 7), {}),
        "42, 12 left": problem([1] * 12, (4, 4, 4), lacks(h0=range(3), h1=range(2, 6), h2=range(7, 9))),
        "Schafkopf, first lead": problem([1] * 24, (8, 8, 8), {}),
        "Schafkopf, 18 left": problem([1] * 18, (6, 6, 6), lacks(h0=range(4), h1=range(4, 8))),
        "Schafkopf, 15 left": problem([1] * 15, (5, 5, 5), lacks(h0=range(4), h1=range(3, 6), h2=[8, 9])),
        "bridge, first lead": problem([1] * 39, (13, 13, 13), {}),
        "Tractor, 83 left": problem(hidden, (25, 25, 25, 8), {}),
        "Tractor, no pairs": capped,
        "Tractor, no tractors": replace(capped, watches=tuple(trumps)),
    }


def seconds(work: Callable[[], object], rounds: int, least: float = 0.02) -> float:
    """The median time of some rounds; a round repeats what is too short to be timed."""
    began = time.perf_counter()
    work()
    times = max(1, int(least / (time.perf_counter() - began)))
    found: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        for _ in range(times):
            work()
        found.append((time.perf_counter() - began) / times)
    return statistics.median(found)


def measure(given: Problem, deals: int, rounds: int) -> dict[str, float]:
    worlds = Worlds(given)
    weights = np.random.default_rng(1).random((len(given.kinds), len(given.sizes)))
    seed = iter(range(1 << 62))
    return {
        "deals": float(worlds.count()),
        "states": worlds.states,
        "build_seconds": seconds(lambda: Worlds(given), rounds),
        "odds_seconds": seconds(worlds.odds, rounds),
        "draw_seconds": seconds(lambda: worlds.draw(deals, seed=next(seed)), rounds) / deals,
        "weighted_draw_seconds": seconds(lambda: worlds.draw(deals, next(seed), weights=weights), rounds) / deals,
    }


def many_hands(packs: int, seats: int, kitty: int, left: int, positions: int, make: Make) -> dict[str, float]:
    """The median and the worst of some positions in the middle of a deal."""
    found: list[tuple[float, ...]] = []
    too_large = 0
    for given in all_of(packs, seats, kitty, left, range(positions), make):
        began = time.perf_counter()
        try:
            worlds = Worlds(given)
        except TooManyStates:
            too_large += 1
            continue
        built = time.perf_counter()
        worlds.odds()
        weighed = time.perf_counter()
        a_deal = seconds(lambda one=worlds: one.draw(200, seed=1), 5) / 200
        found.append((built - began, weighed - built, a_deal, worlds.states))
    report = {"positions": float(positions), "too_large": float(too_large)}
    columns = zip(("build_seconds", "odds_seconds", "draw_seconds", "states"), zip(*found, strict=True), strict=True)
    for name, values in columns:
        report |= {name: statistics.median(values), f"worst_{name}": max(values)}
    return report


def show_many(report: dict[str, dict[str, float]], positions: int) -> Table:
    title = f"Many hidden hands: median and worst of {positions} positions each"
    table = Table(title=title, box=SIMPLE, padding=(0, 0, 0, 1))
    for column in ("cards left in a hand", "states", "build", "odds", "a deal", "too large"):
        table.add_column(column, justify="left" if column.startswith("cards") else "right", no_wrap=True)
    shapes = [(shape, make) for make in (crowded, hard) for shape in ((3, 6, 6), (4, 8, 8))]
    for (packs, seats, kitty), make in shapes:
        for left in (22, 18, 13, 8):
            name = f"{packs} packs, {seats} seats, {left}{', hard' if make is hard else ''}"
            report[name] = found = many_hands(packs, seats, kitty, left, positions, make)
            cells = [f"{found['states']:,.0f} / {found['worst_states']:,.0f}"]
            for key in ("build_seconds", "odds_seconds", "draw_seconds"):
                cells.append(f"{show(found[key])} / {show(found['worst_' + key])}")
            table.add_row(name, *cells, f"{found['too_large']:.0f}")
    return table


def show(duration: float) -> str:
    for unit, size in (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)):
        if duration < 1000 * size:
            return f"{duration / size:.3g} {unit}"
    return f"{duration:.3g} s"


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast are hidden cards counted, weighed and dealt?")
    parser.add_argument("--deals", type=int, default=20_000, help="deals in a batch")
    parser.add_argument("--rounds", type=int, default=9, help="batches timed")
    parser.add_argument("--positions", type=int, default=20, help="positions of many hands for each size")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here")
    asked = parser.parse_args()
    core = pin()
    table = Table(title="Hidden cards on one core", box=SIMPLE, padding=(0, 0, 0, 1))
    for column in ("", "deals", "states", "build", "odds", "a deal", "weighted"):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    report: dict[str, dict[str, float]] = {}
    for name, given in positions().items():
        report[name] = found = measure(given, asked.deals, asked.rounds)
        times = [show(value) for key, value in found.items() if key.endswith("seconds")]
        table.add_row(name, f"{found['deals']:.1e}", f"{found['states']:,}", *times)
    console = Console(width=120)
    console.print(table)
    console.print(show_many(report, asked.positions))
    console.print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:,.0f} MB")
    console.print("not pinned" if core is None else f"pinned to core {core}")
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

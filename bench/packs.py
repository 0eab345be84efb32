"""How many follows of Tractor with three to six packs are judged a second on one core?

Leads are units as they are led: a single, a tuple, a tractor or a throw of two units of a trump suit, each kind of lead
as likely; or 1 to 26 trumps at random, which are throws of many units. Followers hold 26 cards dealt from what the lead
leaves, at random or with every trump that is left, and play the widest tuples first or cards of the suit at random. A
verdict includes checking the row and finding the lead's shape. The slowest row is judged over and over.
"""

import argparse
import statistics
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from playouts import pin
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from renege.games.tractor.order import TRUMP, order
from renege.native import tractor_packs as kernel
from renege.native.arrays import U64

ORDER = order("S2")
HAND = 26
TRUMPS = np.array([suit == TRUMP for suit in ORDER.led_suit])
STEPS = [[card for card in range(kernel.KINDS) if mask >> card & 1] for mask in ORDER.steps[TRUMP]]
Copies = NDArray[np.int8]  # [rows, 54]
Follows = tuple[U64, U64, U64]


def piles(copies: Copies, packs: int) -> U64:
    """`copies [n, 54]` -> `uint64[n, packs]`."""
    bits = np.uint64(1) << np.arange(copies.shape[1], dtype=np.uint64)
    return np.stack([((copies > k) * bits).sum(axis=1, dtype=np.uint64) for k in range(packs)], axis=1)


def taken(source: Copies, wish: NDArray[np.float64], sizes: NDArray[np.int64]) -> Copies:
    """From each row of `source [n, 54]` its `sizes` cards of greatest `wish [n, 54, packs]`, a number for each copy."""
    there = source[:, :, None] > np.arange(wish.shape[2])
    ranked = np.where(there, wish, -1.0).reshape(len(source), -1)
    place = np.argsort(np.argsort(-ranked, axis=1), axis=1)
    return ((place < sizes[:, None]) & (ranked >= 0)).reshape(there.shape).sum(axis=2, dtype=np.int8)


def unit_leads(rows: int, packs: int, seed: int) -> Copies:
    """Singles, tuples, tractors, and throws of two units, each as often."""
    rng, leads = np.random.default_rng(seed), np.zeros((rows, kernel.KINDS), np.int8)
    for row in range(rows):
        for _ in range(1 + (row % 4 == 3)):
            kind = row % 4 if row % 4 < 3 else int(rng.integers(3))
            width = 1 if kind == 0 else int(rng.integers(2, packs + 1))
            length = int(rng.integers(2, 4)) if kind == 2 else 1
            bottom = int(rng.integers(len(STEPS) - length + 1))
            for step in range(bottom, bottom + length):
                card = STEPS[step][int(rng.integers(len(STEPS[step])))]
                leads[row, card] = min(packs, leads[row, card] + width)
    return leads


def random_leads(rows: int, packs: int, seed: int) -> Copies:
    """1 to 26 trumps."""
    rng = np.random.default_rng(seed)
    whole = np.tile((packs * TRUMPS).astype(np.int8), (rows, 1))
    return taken(whole, rng.random((*whole.shape, packs)), rng.integers(1, HAND + 1, size=rows))


def follows(leads: Copies, packs: int, seed: int, full: bool) -> Follows:
    """Leads, hands and plays; `full` gives the follower every trump that the lead leaves, up to 26."""
    rng, rows = np.random.default_rng(seed), len(leads)
    shape = (rows, kernel.KINDS, packs)
    hands = taken(packs - leads, rng.random(shape) + (TRUMPS[:, None] if full else 0), np.full(rows, HAND))
    careful = (rng.random(rows) < 0.5)[:, None, None]
    together = rng.random((rows, kernel.KINDS, 1)) + hands[:, :, None]  # so that the copies of a tuple stay together
    wish = np.where(careful, together, rng.random(shape)) + 10 * TRUMPS[:, None]
    plays = taken(hands, wish, leads.sum(axis=1, dtype=np.int64))
    return piles(leads, packs), piles(hands, packs), piles(plays, packs)


def seconds(cases: Follows, repeats: int) -> float:
    order, best = kernel.order(ORDER), float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        kernel.judge_follows(order, *cases)
        best = min(best, time.perf_counter() - began)
    return best


def slowest(cases: Follows, rows: int = 2000) -> float:
    """Of the first rows the one that takes longest, judged many times at once."""
    found = []
    for row in range(min(rows, len(cases[0]))):
        one: Follows = tuple(np.repeat(pile[row : row + 1], 20, axis=0) for pile in cases)  # pyright: ignore
        found.append((seconds(one, 2), row))
    _, row = max(found)
    many: Follows = tuple(np.repeat(pile[row : row + 1], 2000, axis=0) for pile in cases)  # pyright: ignore
    return seconds(many, 3) / 2000


def measured(rows: int, repeats: int) -> Iterator[tuple[str, str, str, str]]:
    for packs in (3, 4, 6):
        for name, leads in (("units", unit_leads(rows, packs, 1)), ("any cards", random_leads(rows, packs, 2))):
            for full in (False, True):
                cases = follows(leads, packs, 3, full)
                speeds = [rows / seconds(cases, 1) / 1e6 for _ in range(repeats)]
                label = f"{packs} packs, {name} led, {'all trumps held' if full else 'hands at random'}"
                middle, spread = statistics.median(speeds), f"{min(speeds):.1f} to {max(speeds):.1f}"
                yield label, f"{middle:.1f} M/s", spread, f"{1e6 * slowest(cases):.2f} us"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=7)
    asked = parser.parse_args()
    pin()
    table = Table("follows judged", "median", "range", "slowest row", box=SIMPLE)
    for line in measured(asked.rows, asked.repeats):
        table.add_row(*line)
    Console().print(table)


if __name__ == "__main__":
    main()

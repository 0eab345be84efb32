"""How many follows of Tractor are judged a second on one core, and how long can one take?

Leads are those of the paper's experiment: 1 to 25 cards, each size as likely, drawn from the 16 steps of a trump suit.
Followers hold 25 cards, dealt from what the lead leaves, in two ways: at random, where most are short of the suit and
the verdict comes early; and with every trump that is left. Of the second, those rows where nothing but the question of
runs is left are timed once more by themselves. Followers play pairs first, as one who is careful would, or cards of the
suit at random. A verdict includes checking the row and finding the lead's shape. The worst is that of the slowest row,
judged over and over. Winners are looked for among three ruffs of a throw of hearts.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from playouts import pin
from rich.console import Console
from rich.table import Table

from renege import native, native_tractor
from renege.games.tractor.order import TRUMP, order
from renege.native_tractor import Duty
from renege.study.paper import draw_leads

ORDER = order("S2")
HAND = 25
Piles = NDArray[np.uint64]
Copies = NDArray[np.int8]  # [rows, 54]
Columns = Sequence[Piles]
Judge = Callable[..., object]


class Follows(NamedTuple):
    leads: Piles
    hands: Piles
    plays: Piles


def piles(copies: Copies) -> Piles:
    """`copies [n, 54]` -> `uint64[n, 2]`."""
    bits = np.uint64(1) << np.arange(copies.shape[1], dtype=np.uint64)
    return np.stack([((copies >= k) * bits).sum(axis=1, dtype=np.uint64) for k in (1, 2)], axis=1)


def taken(source: Copies, wish: NDArray[np.float64], sizes: NDArray[np.int64]) -> Copies:
    """From each row of `source [n, 54]` its `sizes` cards of greatest `wish [n, 54, 2]`, a number for each copy."""
    there = np.stack([source >= 1, source >= 2], axis=2)
    ranked = np.where(there, wish, -1.0).reshape(len(source), -1)
    place = np.argsort(np.argsort(-ranked, axis=1), axis=1)
    return ((place < sizes[:, None]) & (ranked >= 0)).reshape(there.shape).sum(axis=2, dtype=np.int8)


def trump_leads(rows: int, seed: int) -> Copies:
    """The paper's leads on the steps of the trump suit; of the cards that share a step, the first."""
    leads = np.zeros((rows, native_tractor.KINDS), np.int8)
    line = [step.bit_length() - 1 for step in ORDER.steps[TRUMP]]
    leads[:, line] = draw_leads(rows, seed)
    return leads


def follows(rows: int, seed: int, full: bool) -> Follows:
    """Leads, hands and plays; `full` gives the follower every trump that the lead leaves, up to 25."""
    rng = np.random.default_rng(seed)
    leads = trump_leads(rows, seed)
    trumps = np.array([suit == TRUMP for suit in ORDER.led_suit])
    wish = rng.random((rows, native_tractor.KINDS, 2))
    hands = taken(2 - leads, wish + (trumps[:, None] if full else 0), np.full(rows, HAND))
    pairs_first = (hands == 2)[:, :, None] * (rng.random(rows) < 0.5)[:, None, None]
    shared = rng.random((rows, native_tractor.KINDS, 1)).repeat(2, axis=2)  # so that the copies of a pair stay together
    wish = np.where(pairs_first, shared + 1, rng.random(wish.shape)) + 2 * trumps[:, None]
    plays = taken(hands, wish, leads.sum(axis=1, dtype=np.int64))
    return Follows(piles(leads), piles(hands), piles(plays))


def where_runs_decide(cases: Follows) -> Follows:
    """The rows whose verdict is a matter of runs: some were led, and all duties before them are met."""
    kernel = native_tractor.order(ORDER)
    own = np.uint64(ORDER.follow[TRUMP])
    held, led = (np.bitwise_count(pile & own).sum(axis=1) for pile in (cases.hands, cases.leads))
    duties = native_tractor.judge_follows(kernel, *cases)
    met = (duties == Duty.NONE) | (duties >= Duty.RUN)
    rows = met & (held > led) & (native_tractor.shapes(kernel, cases.leads).lengths > 0)
    chosen = np.resize(np.flatnonzero(rows), len(rows))  # as many as there were, each several times
    return Follows(*(column[chosen] for column in cases))


def ruffs(rows: int, seed: int) -> Piles:
    """`uint64[rows, 4, 2]`: throws of 2 to 12 hearts, pairs first, and three ruffs of each with trumps, pairs first."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 13, size=rows)
    left = np.full((rows, native_tractor.KINDS), 2, np.int8)
    plays: list[Piles] = []
    for suit in (ORDER.suits.index("H"), TRUMP, TRUMP, TRUMP):
        own = np.array([led == suit for led in ORDER.led_suit])
        wish = rng.random((rows, native_tractor.KINDS, 1)).repeat(2, axis=2)
        play = taken(left * own, wish, sizes)
        left = left - play
        plays.append(piles(play))
    return np.stack(plays, axis=1)


def speeds(judge: Judge, columns: Columns, rounds: int) -> Iterator[float]:
    """Rows a second, round by round."""
    judge(*columns)
    for _ in range(rounds):
        began = time.perf_counter()
        judge(*columns)
        yield len(columns[0]) / (time.perf_counter() - began)


def worst_row(judge: Judge, columns: Columns, rows: int = 3000, repeat: int = 1000) -> float:
    """Seconds that the slowest of some rows takes, each judged over and over and its best time counted."""
    worst = 0.0
    for row in range(min(rows, len(columns[0]))):
        same = [np.repeat(column[row : row + 1], repeat, axis=0) for column in columns]
        worst = max(worst, 1 / max(speeds(judge, same, rounds=3)))
    return worst


def jobs(rows: int) -> Iterator[tuple[str, Judge, Columns]]:
    kernel = native_tractor.order(ORDER)
    judge: Judge = partial(native_tractor.judge_follows, kernel)
    full = follows(rows, seed=2026, full=True)
    yield "follows, random hands", judge, follows(rows, seed=2026, full=False)
    yield "follows, many trumps", judge, full
    yield "follows, runs decide", judge, where_runs_decide(full)
    yield "winners, three ruffs", partial(native_tractor.winners, kernel), [ruffs(rows, seed=2026)]
    yield "shapes", partial(native_tractor.shapes, kernel), [full.leads]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000, help="rows in a batch")
    parser.add_argument("--rounds", type=int, default=30, help="batches timed (at least 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here")
    asked = parser.parse_args()
    core = pin()
    table = Table(title="Tractor on one core", caption="median, and the range of the middle half")
    for column in ("", "M rows/s", "middle half", "mean ns", "worst ns"):
        table.add_column(column, justify="left" if not column else "right")
    report: dict[str, dict[str, float]] = {}
    for name, judge, columns in jobs(asked.rows):
        low, middle, high = statistics.quantiles(speeds(judge, columns, max(2, asked.rounds)), n=4)
        worst = worst_row(judge, columns)
        report[name] = {"rows_per_second": middle, "worst_seconds": worst}
        span = f"{low / 1e6:.1f} - {high / 1e6:.1f}"
        table.add_row(name, f"{middle / 1e6:.1f}", span, f"{1e9 / middle:.1f}", f"{worst * 1e9:.0f}")
    console = Console()
    console.print(table)
    where = "not pinned" if core is None else f"pinned to core {core}"
    console.print(f"{native.features().path} path, {where}; tables {native_tractor.TABLE_BYTES} bytes")
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

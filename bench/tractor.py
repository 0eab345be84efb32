"""How many follows of Tractor are judged a second on one core, how long can one take, and what does the published
method need for the same cards?

Leads are those of the paper's experiment: 1 to 25 cards, each size as likely, drawn from the 16 steps of a trump suit.
Followers hold 25 cards, dealt from what the lead leaves, in two ways: at random, where most are short of the suit and
the verdict comes early; and with every trump that is left. Of the second, those rows where nothing but the question of
runs is left are timed once more by themselves. Followers play pairs first, as one who is careful would, or cards of the
suit at random. A verdict includes checking the row and finding the lead's shape. The worst is that of the slowest row,
judged over and over. Winners are looked for among three ruffs of a throw of hearts.

The published method, compiled into the same kernel (`study.compiled`), gets the very same leads and plays. What
is compared is its matcher, for its program settles a trump throw without matching anything. It is asked for less: does
the play match the lead, hands being no input. It tries the orders of the lead's blocks one by one, so its slowest rows
are looked for among those where it placed the most blocks; "most orders" are the worst that were found, leads of up to
25 of all 18 trumps with the most distinct orders (48,048; as the program cuts it, no lead of one suit has more) and
follows that do not match.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from playouts import pin
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from renege.games.tractor.order import TRUMP, order
from renege.native import cards as native
from renege.native import tractor as native_tractor
from renege.native.tractor import FollowBreach

sys.path.insert(0, str(Path(__file__).parent.parent / "research"))  # the published method is there

from study import compiled
from study.paper import ROUND as SETTING
from study.paper import distinct_orders, draw_leads

ORDER = order("S2")
HAND = 25
TRUMPS = np.array([suit == TRUMP for suit in ORDER.led_suit])
Piles = NDArray[np.uint64]
Copies = NDArray[np.int8]  # [rows, 54]
Cards = NDArray[np.uint8]  # as typed, [rows, 25], or their sizes
Columns = Sequence[NDArray[np.generic]]
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


def follows(leads: Copies, seed: int, full: bool) -> Follows:
    """Leads, hands and plays; `full` gives the follower every trump that the lead leaves, up to 25."""
    rng, rows = np.random.default_rng(seed), len(leads)
    wish = rng.random((rows, native_tractor.KINDS, 2))
    hands = taken(2 - leads, wish + (TRUMPS[:, None] if full else 0), np.full(rows, HAND))
    pairs_first = (hands == 2)[:, :, None] * (rng.random(rows) < 0.5)[:, None, None]
    shared = rng.random((rows, native_tractor.KINDS, 1)).repeat(2, axis=2)  # so that the copies of a pair stay together
    wish = np.where(pairs_first, shared + 1, rng.random(wish.shape)) + 2 * TRUMPS[:, None]
    plays = taken(hands, wish, leads.sum(axis=1, dtype=np.int64))
    return Follows(piles(leads), piles(hands), piles(plays))


def where_runs_decide(cases: Follows) -> Follows:
    """The rows whose verdict is a matter of runs: some were led, and all duties before them are met."""
    kernel = native_tractor.order(ORDER)
    own = np.uint64(ORDER.follow[TRUMP])
    held, led = (np.bitwise_count(pile & own).sum(axis=1) for pile in (cases.hands, cases.leads))
    duties = native_tractor.judge_follows(kernel, *cases)
    met = (duties == FollowBreach.NONE) | (duties >= FollowBreach.RUN)
    rows = met & (held > led) & (native_tractor.shapes(kernel, cases.leads).lengths > 0)
    chosen = np.resize(np.flatnonzero(rows), len(rows))  # as many as there were, each several times
    return Follows(*(column[chosen] for column in cases))


@cache
def orders_of(needs: tuple[int, ...]) -> int:
    return distinct_orders(needs)


def most_orders(seed: int, leads: int = 100_000, keep: int = 50, each: int = 40) -> Follows:
    """Where the published matcher tries the most: leads whose blocks have the most orders, and follows that fail."""
    rng = np.random.default_rng(seed)
    trumps = np.tile(2 * TRUMPS.astype(np.int8), (leads, 1))
    drawn = taken(trumps, rng.random((*trumps.shape, 2)), rng.integers(22, HAND + 1, size=leads))
    found = compiled.structures(SETTING, *typed(piles(drawn)))
    orders = np.array([orders_of(found[row].needs) for row in range(leads)])
    chosen = np.argsort(-orders, kind="stable")[:keep]
    cases = follows(drawn[chosen.repeat(each)], seed, full=True)
    fails = ~compiled.matches(SETTING, *published(cases)).conforms
    return Follows(*(column[fails] for column in cases))


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


# --- the same for the published method ----------------------------------------------------------------------


def typed(rows: Piles) -> tuple[Cards, Cards]:
    """Piles `uint64[n, 2]` as plays typed in the order of the deck, and their sizes."""
    kinds = np.arange(native_tractor.KINDS, dtype=np.uint64)
    there = (rows[:, None, :] >> kinds[:, None] & np.uint64(1)).astype(np.bool_).reshape(len(rows), -1)
    sizes = there.sum(axis=1)
    cards = np.argsort(~there, axis=1, kind="stable")[:, :HAND] // 2
    beyond = np.arange(HAND) >= sizes[:, None]
    return np.where(beyond, compiled.BEYOND, cards).astype(np.uint8), sizes.astype(np.uint8)


def published(cases: Follows) -> tuple[Cards, Cards, Cards, Cards]:
    """What `compiled.matches` takes: the same leads and plays; hands are no input."""
    leads, lead_sizes = typed(cases.leads)
    plays, sizes = typed(cases.plays)
    return leads, plays, lead_sizes, sizes


def published_tricks(tricks: Piles) -> tuple[Cards, Cards]:
    cards, sizes = typed(tricks.reshape(-1, 2))
    return cards.reshape(-1, 4, HAND), sizes.reshape(-1, 4)


# --- timing -------------------------------------------------------------------------------------------------


class Job(NamedTuple):
    """The same rows for the two methods."""

    name: str
    ours: Judge
    columns: Columns
    theirs: Judge
    their_columns: Columns
    cost: NDArray[Any]  # [rows] how much the published method tried: its slowest row is looked for among the dearest


class Speed(NamedTuple):
    low: float
    middle: float
    high: float


def speed(judge: Judge, columns: Columns, rounds: int, seconds: float = 4) -> Speed:
    """Rows a second: the quartiles over some rounds, but two are enough when the time is up."""
    found: list[float] = []
    last = time.perf_counter() + seconds
    while len(found) < 2 or (len(found) < rounds and time.perf_counter() < last):
        began = time.perf_counter()
        judge(*columns)
        found.append(len(columns[0]) / (time.perf_counter() - began))
    return Speed(*statistics.quantiles(found, n=4))


def worst_row(judge: Judge, columns: Columns, rows: Sequence[int]) -> float:
    """Seconds that the slowest of some rows takes, each judged over and over and its best time counted."""
    worst = 0.0
    for row in rows:
        same = [column[row : row + 1] for column in columns]
        repeat = min(1000, 1 + int(0.03 / once(judge, same)))  # a call costs some microseconds, whatever the row
        same = [np.repeat(column, repeat, axis=0) for column in same]
        worst = max(worst, min(once(judge, same) for _ in range(4)) / repeat)
    return worst


def once(judge: Judge, columns: Columns) -> float:
    began = time.perf_counter()
    judge(*columns)
    return time.perf_counter() - began


def jobs(rows: int) -> Iterator[Job]:
    kernel = native_tractor.order(ORDER)
    leads = trump_leads(rows, seed=2026)
    full = follows(leads, seed=2026, full=True)
    tricks = ruffs(rows, seed=2026)
    judge, match = partial(native_tractor.judge_follows, kernel), partial(compiled.matches, SETTING)
    for name, cases in (
        ("follows, random hands", follows(leads, seed=2026, full=False)),
        ("follows, many trumps", full),
        ("follows, runs decide", where_runs_decide(full)),
        ("follows, most orders", most_orders(seed=2026)),
    ):
        theirs = published(cases)
        yield Job(name, judge, cases, match, theirs, match(*theirs).placements)
    theirs, settle = published_tricks(tricks), partial(compiled.settle, SETTING)
    winners = partial(native_tractor.winners, kernel)
    yield Job("winners, three ruffs", winners, [tricks], settle, theirs, settle(*theirs).permutations)
    theirs, structures = typed(full.leads), partial(compiled.structures, SETTING)
    yield Job("shapes", partial(native_tractor.shapes, kernel), [full.leads], structures, theirs, theirs[1])


def measure(job: Job, rounds: int) -> dict[str, float]:
    rows = len(job.columns[0])
    dearest = np.argsort(-job.cost.astype(np.int64), kind="stable")[:20].tolist()
    ours, theirs = speed(job.ours, job.columns, rounds), speed(job.theirs, job.their_columns, rounds)
    portable = speed(partial(job.ours, portable=True), job.columns, rounds) if job.name != "shapes" else ours
    return {
        "rows_per_second": ours.middle,
        "rows_per_second_low": ours.low,
        "rows_per_second_high": ours.high,
        "worst_seconds": worst_row(job.ours, job.columns, [*range(min(rows, 3000)), *dearest]),
        "portable_rows_per_second": portable.middle,
        "published_rows_per_second": theirs.middle,
        "published_worst_seconds": worst_row(job.theirs, job.their_columns, dearest),
        "published_most_tried": float(job.cost.max()),
    }


def show(seconds: float) -> str:
    return f"{seconds * 1e9:.0f} ns" if seconds < 1e-6 else f"{seconds * 1e6:,.1f} µs"


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast are follows of Tractor judged, beside the published method?")
    parser.add_argument("--rows", type=int, default=100_000, help="rows in a batch")
    parser.add_argument("--rounds", type=int, default=30, help="batches timed (at least 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here")
    asked = parser.parse_args()
    core = pin()
    table = Table(title="Tractor on one core: M rows/s, and the slowest row", box=SIMPLE, padding=(0, 0, 0, 1))
    for column in ("", "ours", "portable", "published", "ratio", "ours,\nworst", "published,\nworst"):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    report: dict[str, dict[str, float]] = {}
    for job in jobs(asked.rows):
        report[job.name] = found = measure(job, asked.rounds)
        ours, theirs = found["rows_per_second"], found["published_rows_per_second"]
        table.add_row(
            job.name,
            f"{ours / 1e6:.1f}",
            f"{found['portable_rows_per_second'] / 1e6:.1f}",
            f"{theirs / 1e6:#.3g}",
            f"{ours / theirs:,.0f}x",
            *(show(found[key]) for key in ("worst_seconds", "published_worst_seconds")),
        )
    console = Console()
    console.print(table)
    where = "not pinned" if core is None else f"pinned to core {core}"
    console.print(f"{native.features().path} path, {where}; tables {native_tractor.TABLE_BYTES} bytes")
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

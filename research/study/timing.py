"""How long do the published method and ours take, and how much memory? Times in seconds, sizes in bytes.

Both run in the same compiled kernel, on one core, on the same rows. A row is timed by repeating it in a batch, so the
call from Python counts for little, and its best time counts: what is left is the work. Real tables are colder. The
clock is the processor's time of this thread, so that other programs do not show.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.games.tractor.spoj import judge as judge_rounds
from renege.native import tractor as native_tractor
from study import claims, compare, compiled, draws
from study.measure import KERNEL, WORST_24, WORST_FOLLOW, MatchRows
from study.paper import ROUND, TRUMP_LINE, cards_in, lead_cards, phi

Floats = NDArray[np.float64]
Judge = Callable[..., object]
ROUNDS = 3
ENOUGH = 1024  # rows in a batch, so that a call from Python counts for little


def best_time(judge: Judge, columns: Sequence[NDArray[Any]], rounds: int = ROUNDS) -> float:
    """Seconds of the processor for one row of a batch: the best of some rounds."""
    judge(*columns)
    best = float("inf")
    for _ in range(rounds):
        began = time.thread_time()
        judge(*columns)
        best = min(best, time.thread_time() - began)
    return best / len(columns[0])


def row_times(judge: Judge, columns: Sequence[NDArray[Any]], repeats: Sequence[int]) -> Iterator[float]:
    """Seconds for each row, judged `repeats` times over."""
    for row, repeat in enumerate(repeats):
        yield best_time(judge, [np.repeat(column[row : row + 1], repeat, axis=0) for column in columns])


@dataclass(frozen=True, slots=True, eq=False)
class Latency:
    """Seconds for each row."""

    cards: NDArray[np.int64]  # [n] in the lead
    published: Floats  # [n]
    ours: Floats  # [n]

    def by_size(self, share: float) -> tuple[tuple[int, float, float], ...]:
        """For each number of cards the quantile of both."""
        found = [(int(size), self.cards == size) for size in np.unique(self.cards)]
        return tuple(
            (size, float(np.quantile(self.published[own], share)), float(np.quantile(self.ours[own], share)))
            for size, own in found
        )


def match_latency(rows: MatchRows, visited: NDArray[np.int64], most: int) -> Latency:
    """The program's matcher and our verdict on the first `most` of the experiment's leads.

    The program cuts lead and follow and looks for an order that fits. Ours finds the lead's shape and says whether the
    follow is legal from that hand, which is the harder question.
    """
    columns = (rows.lead[0], rows.follow[0], rows.lead[1], rows.follow[1])
    ours = (rows.leads, rows.hands, rows.plays)
    repeats = np.clip(ENOUGH // np.maximum(visited, 1), 4, ENOUGH).tolist()[:most]
    published = np.fromiter(row_times(partial(compiled.matches, ROUND), columns, repeats), np.float64)
    judge = partial(native_tractor.judge_follows, KERNEL)
    exact = np.fromiter(row_times(judge, ours, [4 * ENOUGH] * len(repeats)), np.float64)  # they are short
    return Latency(rows.lead[1][:most].astype(np.int64), published, exact)


def trick_latency(rows: int, sizes: Sequence[int], seed: int) -> Latency:
    """The same question to both: who wins a throw of hearts that three seats ruff?"""
    cards = np.repeat(np.array(sizes), rows)
    published: list[float] = []
    ours: list[float] = []
    for size in sizes:
        plays = draws.ruffs(rows, size, compare.TOGETHER, seed + size)
        columns = compare.trick_columns(plays)
        published += row_times(partial(compiled.settle, ROUND), columns, [ENOUGH] * rows)
        piles = [compare.trick_piles(plays)]
        ours += row_times(partial(native_tractor.winners, KERNEL), piles, [ENOUGH] * rows)
    return Latency(cards, np.array(published), np.array(ours))


@dataclass(frozen=True, slots=True)
class Worst:
    """The lead of 24 cards with the most orders, and a follow that fits none of them."""

    orders: int
    published: float
    ours: float


def worst() -> Worst:
    """Lead and follow together are more than two packs, so each matcher is given them by itself: ours has a follower
    with the trumps that the lead leaves."""
    lead, follow = (compiled.typed([cards_in(blob)]) for blob in (WORST_24, WORST_FOLLOW))
    columns = (lead[0], follow[0], lead[1], follow[1])
    orders = int(compiled.matches(ROUND, *columns).permutations[0])
    (published,) = row_times(partial(compiled.matches, ROUND), columns, [1])
    copies = np.zeros((1, draws.KINDS), np.int8)
    np.add.at(copies[0], lead[0][0][: lead[1][0]], 1)
    rows = [draws.piles(pile) for pile in (copies, *draws.follows(copies, seed=1))]
    (ours,) = row_times(partial(native_tractor.judge_follows, KERNEL), rows, [4 * ENOUGH])
    return Worst(orders, published, ours)


# --- Table II -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phases:
    """Seconds for a lead of M cards, phase by phase."""

    cards: tuple[int, ...]
    windows: tuple[int, ...]  # that Algorithm 2 looks at where it finds no tractor
    projection: tuple[float, ...]  # Python, as `paper` has it
    sorting: tuple[float, ...]  # Python
    cutting: tuple[float, ...]  # the kernel: projection, sorting and Algorithm 2
    shape: tuple[float, ...]  # the kernel: our shape

    def exponent(self, times: Sequence[float], least: int = 8) -> float:
        """The power of M that the times grow with, fitted from `least` cards on."""
        points = [(m, t) for m, t in zip(self.cards, times, strict=True) if m >= least]
        cards, seconds = (np.log(np.array(axis, np.float64)) for axis in zip(*points, strict=True))
        away = cards - cards.mean()
        return float((away * seconds).sum() / (away**2).sum())


def phases(sizes: Sequence[int], rows: int, seed: int, rounds: int) -> Phases:
    """The best time of each phase over random leads of each size; sizes take turns, so that a slow moment of the
    machine falls on all of them."""
    rng = np.random.default_rng(seed)
    jobs: list[tuple[Callable[[], float], ...]] = [_phase_jobs(size, rows, rng) for size in sizes]
    best = np.full((len(sizes), 4), np.inf)
    for _ in range(rounds):
        best = np.minimum(best, [[job() for job in row] for row in jobs])
    windows = tuple(sum(size - length + 1 for length in range(size, 3, -2)) for size in sizes)
    columns = [tuple(column) for column in best.T.tolist()]
    return Phases(tuple(sizes), windows, *columns)


def _phase_jobs(size: int, rows: int, rng: np.random.Generator) -> tuple[Callable[[], float], ...]:
    """Four timings of leads of one size: map, sort, the published cutting, our shape."""
    places = rng.permuted(np.tile(np.arange(2 * len(TRUMP_LINE)), (rows, 1)), axis=1)
    leads = (places < size).reshape(rows, -1, 2).sum(axis=2, dtype=np.int8)
    cards = [lead_cards(lead) for lead in leads[:100]]
    numbers = [[phi(card, ROUND) for card in rng.permutation(lead).tolist()] for lead in cards]
    copies = draws.on_trumps(leads)
    return (
        partial(_python_time, lambda lead: [phi(card, ROUND) for card in lead], cards),
        partial(_python_time, sorted, numbers),
        partial(best_time, partial(compiled.structures, ROUND), draws.typed(copies), 1),
        partial(best_time, partial(native_tractor.shapes, KERNEL), [draws.piles(copies)], 1),
    )


def _python_time(phase: Callable[[Any], object], leads: Sequence[Any]) -> float:
    began = time.thread_time()
    for lead in leads:
        phase(lead)
    return (time.thread_time() - began) / len(leads)


# --- Table V ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command: seconds on the clock, seconds of the processor, the most memory in bytes."""

    seconds: float
    busy: float
    memory: int


@dataclass(frozen=True, slots=True)
class Runs:
    """Ten runs of `renege spoj`, as many with no case to judge, and the judge without a process around it."""

    rounds: int
    tricks: int
    judged: tuple[Run, ...]
    empty: tuple[Run, ...]
    alone: float  # seconds for the rounds

    @property
    def median_seconds(self) -> float:
        return float(np.median([run.seconds for run in self.judged]))

    @property
    def median_memory(self) -> float:
        return float(np.median([run.memory for run in self.judged]))


# The most memory of a child is at least that of the process it was made from, so a small one starts it.
_STARTER = """
import json, os, subprocess, sys, time
for run in range(int(sys.argv[1])):
    with open(sys.argv[2 + run % 2], "rb") as text:
        began = time.perf_counter()
        child = subprocess.Popen(sys.argv[4:], stdin=text, stdout=subprocess.DEVNULL)
        _, child.returncode, used = os.wait4(child.pid, 0)
        took = time.perf_counter() - began
    if child.returncode:
        sys.exit("the judge failed")
    print(json.dumps([took, used.ru_utime + used.ru_stime, used.ru_maxrss]), flush=True)
"""


def spoj_runs(rounds: int, seed: int, runs: int = claims.RUNS) -> Runs:
    """Give the same rounds to `renege spoj` again and again, each time as a process of its own."""
    lines = list(draws.rounds(rounds, seed))
    found = list(_runs("\n".join(lines), "0\n", runs))
    alone = min(_judging_time(lines) for _ in range(ROUNDS))
    return Runs(rounds, len(lines) - 1 - rounds, tuple(found[::2]), tuple(found[1::2]), alone)


def _judging_time(lines: Sequence[str]) -> float:
    began = time.perf_counter()
    for _ in judge_rounds(lines):
        pass
    return time.perf_counter() - began


def _runs(text: str, other: str, runs: int) -> Iterator[Run]:
    """Runs with the one text and the other, in turns."""
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("one", "other")]
        for file, content in zip(files, (text, other), strict=True):
            file.write_text(content, encoding="utf-8")
        judge = [sys.executable, "-m", "renege", "spoj"]
        starter = [sys.executable, "-I", "-S", "-c", _STARTER, str(2 * runs), *map(str, files), *judge]
        done = subprocess.run(starter, check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        seconds, busy, memory = json.loads(line)
        yield Run(seconds, busy, memory * unit)

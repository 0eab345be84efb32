"""How many random plays a second on one core, beside OpenSpiel's C++ rollouts in the same run?

Renege deals Texas 42 and plays the deals out (28 plays each, dealing included). OpenSpiel plays out bridge from a
dealt state whose auction is over: one MCTS simulation whose evaluator makes 100 random rollouts, all of it in C++.
Every such rollout is exactly 52 plays (counted here by playing some out), neither its deal nor its auction is in the
time, and one state copy a rollout is. Machines drift, so the jobs take turns in short slots and the ratio is taken
within each round; both run pinned to one core where the system allows it.
"""

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from renege.games import texas42
from renege.native import cards as native

Job = Callable[[float], tuple[int, float]]  # seconds wanted -> plays made, seconds taken

RENEGE = "Renege, 42, deal and play"
PORTABLE = "Renege, 42, portable path"
PLAYOUTS = "Renege, 42, from dealt states"
OPENSPIEL = "OpenSpiel, bridge rollouts"
ROLLOUTS = 100
BRIDGE_PLAYS = 52
PASS, ONE_CLUB = 52, 55


def repeat(once: Callable[[int], int]) -> Job:
    """A job that does the same thing, numbered, until its time is up."""
    turn = 0

    def job(seconds: float) -> tuple[int, float]:
        nonlocal turn
        plays, began = 0, time.perf_counter()
        while (taken := time.perf_counter() - began) < seconds:
            plays += once(turn)
            turn += 1
        return plays, taken

    return job


def renege_jobs(deals: int = 20_000) -> dict[str, Job]:
    tables = native.tables(texas42.order("5"))
    hands = native.deals(texas42.DECK.kinds, [7] * 4, deals, seed=1)
    states = native.state([0] * 4, leader=0)[None].repeat(deals, axis=0)
    states[:, :4] = hands

    def from_states(turn: int) -> int:
        native.playouts(tables, states, seed=turn)
        return deals * tables.cards

    jobs = {
        RENEGE: repeat(lambda turn: native.random_deals(tables, deals, seed=turn).plays),
        PLAYOUTS: repeat(from_states),
    }
    if native.features().bmi2:
        jobs[PORTABLE] = repeat(lambda turn: native.random_deals(tables, deals, seed=turn, portable=True).plays)
    return jobs


def dealt_bridge(game: Any, rng: random.Random) -> Any:
    """A bridge state at the opening lead: dealt at random, one club bid and passed out."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    for action in (ONE_CLUB, PASS, PASS, PASS):
        state.apply_action(action)
    return state


def plays_to_the_end(state: Any, rng: random.Random) -> int:
    state, plays = state.clone(), 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        plays += 1
    return plays


def openspiel_jobs() -> dict[str, Job]:
    job = rollouts("bridge(use_double_dummy_result=false)", dealt_bridge, BRIDGE_PLAYS)
    return {} if job is None else {OPENSPIEL: job}


def rollouts(name: str, deal: Callable[[Any, random.Random], Any], plays: int) -> Job | None:
    """OpenSpiel's rollouts of a game from states at the opening lead, each so many plays; None if it is not there."""
    try:
        import pyspiel  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    rng = random.Random(1)
    game = pyspiel.load_game(name)
    states = [deal(game, rng) for _ in range(20)]
    if {plays_to_the_end(state, rng) for state in states} != {plays}:
        raise SystemExit(f"OpenSpiel's {name} no longer takes {plays} plays from here; fix the count")
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)

    def once(turn: int) -> int:
        root = bot.mcts_search(states[turn % len(states)])
        if root.explore_count != 1 or root.children:  # else the rollouts did not start at the root
            raise SystemExit("OpenSpiel's search no longer evaluates the root alone; fix the count")
        return ROLLOUTS * plays

    return repeat(once)


def measure(jobs: dict[str, Job], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Plays a second of each job in each round, the jobs taking turns."""
    for job in jobs.values():
        job(seconds / 3)  # to warm up
    speeds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            plays, taken = job(seconds)
            speeds[name].append(plays / taken)
    return speeds


def ratios(speeds: dict[str, list[float]], name: str, other: str) -> list[float]:
    return [ours / theirs for ours, theirs in zip(speeds[name], speeds[other], strict=True)]


def show(speeds: dict[str, list[float]], other: str, core: int | None, note: str) -> None:
    table = Table(title="random plays a second, one core", caption="median, and the range of the middle half")
    for column in ("", "M plays/s", "middle half", "beside OpenSpiel"):
        table.add_column(column, justify="left" if not column else "right")
    for name, values in speeds.items():
        low, _, high = statistics.quantiles(values, n=4)
        beside = f"{statistics.median(ratios(speeds, name, other)):.1f}x" if other in speeds else "not installed"
        span = f"{low / 1e6:.1f} - {high / 1e6:.1f}"
        table.add_row(name, f"{statistics.median(values) / 1e6:.1f}", span, beside)
    console = Console()
    console.print(table)
    where = "not pinned" if core is None else f"pinned to core {core}"
    console.print(f"{native.features().path} path, {where}; {note}")


def pin() -> int | None:
    """Keeps this process on one core; None where the system cannot."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def run(description: str, jobs: dict[str, Job], other: str, note: str) -> None:
    """Measure the jobs, show them beside the one named `other`, and write the numbers where that is asked for."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15, help="turns of each job (at least 2)")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of a turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round's numbers here")
    asked = parser.parse_args()
    core = pin()
    speeds = measure(jobs, max(2, asked.rounds), asked.seconds)
    show(speeds, other, core, note)
    if asked.json:
        report: dict[str, Any] = {
            "plays_per_second": speeds,
            "median": {name: statistics.median(values) for name, values in speeds.items()},
            "features": {"path": native.features().path, "compiler": native.features().compiler},
            "python": platform.python_version(),
            "pinned": core is not None,
        }
        if other in speeds:
            report["ratio"] = {name: statistics.median(ratios(speeds, name, other)) for name in speeds}
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if other not in speeds:
        print("OpenSpiel is not installed: pip install open_spiel (the [bench] extra)", file=sys.stderr)


def main() -> None:
    note = f"a 42 deal is 28 plays, a bridge rollout {BRIDGE_PLAYS}"
    run(__doc__ or "", renege_jobs() | openspiel_jobs(), OPENSPIEL, note)


if __name__ == "__main__":
    main()

"""How do matches scale with workers, as processes of this machine and on a Ray cluster of it?

The same pairs are played by 1, 2 and 4 workers. Told are the seconds until the first pair is done (processes and Ray
have to start), the pairs and decisions a second after it, and how many cores the agents had meanwhile: on a busy
machine they have fewer than there are, and the pairs for each second of a core say what the way of working costs. Then
pieces of nothing, which cost only the way there and back. The ways take turns, so that all meet the same machine.

    python bench/cluster.py [--pairs 60] [--rounds 2] [--no-ray]
"""

import argparse
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from renege.arena.run import MatchPlan, make_plan, play_pairs
from renege.core.registry import find_game
from renege.jobs import cores, run_pieces

Way = tuple[str | None, int]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--pairs", type=int, default=60)
    asked.add_argument("--rounds", type=int, default=2)
    asked.add_argument("--agent", default="searcher:20w")
    asked.add_argument("--no-ray", action="store_true")
    given = asked.parse_args()
    plan = make_plan(find_game("texas42"), given.agent, "rulebook", seed=1, pairs=given.pairs)
    ways: list[Way] = [(cluster, n) for cluster in (None, *["auto"] * (not given.no_ray)) for n in (1, 2, 4)]
    print(f"{cores()} cores, load {os.getloadavg()[0]:.1f}; {given.agent} against rulebook, {given.pairs} pairs")
    found: dict[Way, list[tuple[float, ...]]] = defaultdict(list)
    results: set[tuple[float, ...]] = set()
    for _ in range(given.rounds):
        for way in ways:
            *told, scores = match(plan, *way)
            found[way].append(tuple(told))
            results.add(scores)
    print("way        workers  first pair s   pairs/s  decisions/s  cores had  pairs a core-second")
    for way, runs in found.items():
        first, pairs, decisions, had = (statistics.median(column) for column in zip(*runs, strict=True))
        name = "processes" if way[0] is None else "Ray"
        print(
            f"{name:<10} {way[1]:>7} {first:>13.2f} {pairs:>9.2f} {decisions:>12,.0f} {had:>10.2f} {pairs / had:>20.2f}"
        )
    print(f"all results the same: {'yes' if len(results) == 1 else 'NO'}")
    print("\nway        workers  pieces of nothing/s")
    for cluster, workers in ways:
        name = "processes" if cluster is None else "Ray"
        print(
            f"{name:<10} {workers:>7} {rate(run_pieces(abs, range(3_000), workers=workers, cluster=cluster)):>20,.0f}"
        )
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")


def match(plan: MatchPlan, cluster: str | None, workers: int) -> tuple[Any, ...]:
    """Seconds to the first pair, pairs, decisions and core-seconds a second after it, and the scores in order."""
    began = time.perf_counter()
    first = last = began
    scores: dict[int, float] = {}
    decisions, had = 0, 0.0
    with closing(play_pairs(plan, range(plan.pairs), workers, cluster)) as played:
        for pair in played:
            last = time.perf_counter()
            if not scores:
                first = last
            else:
                decisions += len(pair.a) + len(pair.b)
                had += sum(pair.cores)
            scores[pair.pair] = pair.score
    spent = last - first
    ordered = tuple(scores[number] for number in sorted(scores))
    return first - began, (len(scores) - 1) / spent, decisions / spent, had / spent, ordered


def rate(pieces: Iterable[object]) -> float:
    """Pieces a second, from the first on."""
    times = [time.perf_counter() for _ in pieces]
    return (len(times) - 1) / (times[-1] - times[0])


if __name__ == "__main__":
    main()

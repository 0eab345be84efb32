"""What does a GPU gain the searcher? Worlds tried in the same time, and points won in the arena.

    python bench/gpu_searcher.py [--games 42,schafkopf,tractor] [--ms 50,1000] [--pairs N] [--workers N]

First, for positions of some deals by the rulebook, how many worlds each engine tries within the time, by the cards in
hand. Then a match over duplicate deals: `searcher:50ms,gpu` against `searcher:50ms`, with the 95 % interval. It needs
numpy, msgspec and what `[gpu]` names. Let no other work run beside it, for both searchers go by the clock.
"""

import argparse
import random
import statistics

from renege.agents import Rulebook
from renege.arena.run import make_plan, play_pairs
from renege.arena.stats import estimate
from renege.core.arbiter import Arbiter
from renege.core.game import Game
from renege.core.position import View
from renege.core.registry import find_game
from renege.search import engine_named, weigh
from renege.search.pimc import search_of


def searched(game: Game, deals: int) -> list[View]:
    """What seats to move see in some deals by the rulebook, where there is a choice."""
    found: list[View] = []
    for seed in range(deals):
        table = Arbiter(game, seed)
        while (seat := table.position.turn) is not None:
            view = table.view(seat)
            if len(search_of(game).options(view)) > 1:
                found.append(view)
            table.act(seat, Rulebook().choose(view, random.Random(0)).what)
    return found


def compare_worlds(game: Game, ms: float, views: list[View]) -> None:
    by_size: dict[str, list[tuple[int, int, float]]] = {}
    engines = engine_named("cpu"), engine_named("gpu")
    weigh(views[0], ms=2000, engine=engines[1])  # programs are built on first use
    for view in views:
        cpu, gpu = (weigh(view, ms=ms, seed=1, engine=engine) for engine in engines)
        where = "the talk" if view.position.talking else f"{len(view.hand)} cards"
        by_size.setdefault(where, []).append((cpu.worlds, gpu.worlds, 1e3 * gpu.seconds))
    for where, rows in by_size.items():
        cpu, gpu, took = (statistics.median(column) for column in zip(*rows, strict=True))
        print(
            f"  {game.name:<10} {ms:>6g} ms, {where:<9} {cpu:>6.0f} worlds on the CPU, {gpu:>6.0f} on the GPU "
            f"(in {took:.0f} ms; {len(rows)} positions)",
            flush=True,
        )


def play(game: Game, ms: float, pairs: int, workers: int) -> None:
    plan = make_plan(game, f"searcher:{ms:g}ms,gpu", f"searcher:{ms:g}ms", seed=8, pairs=pairs, control=False)
    scores: list[float] = []
    for pair in play_pairs(plan, range(pairs), workers):
        scores.append(pair.score)
        if len(scores) % max(1, pairs // 10) == 0 and len(scores) > 1:
            print(f"    {len(scores)} pairs: {statistics.mean(scores):+.3f}", flush=True)
    told = estimate(scores)
    print(f"  {game.name:<10} {plan.a} against {plan.b}, {pairs} pairs: {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="The searcher on a GPU against the searcher on the CPU.")
    parser.add_argument("--games", default="42,schafkopf,tractor")
    parser.add_argument("--ms", default="50,1000")
    parser.add_argument("--deals", type=int, default=2, help="deals of which positions are searched")
    parser.add_argument("--pairs", type=int, default=100, help="deals of a match, each played twice; 0 for none")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    print(engine_named("gpu").name, flush=True)
    for name in asked.games.split(","):
        game = find_game("texas42" if name == "42" else name)
        for ms in map(float, asked.ms.split(",")):
            compare_worlds(game, ms, searched(game, asked.deals))
            if asked.pairs:
                play(game, ms, asked.pairs, asked.workers)


if __name__ == "__main__":
    main()

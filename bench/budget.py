"""Does a searcher keep to its time? Whole deals with a searcher in every seat, those that are hardest to solve first.

Of 200 seeded deals of Texas 42 and of Schafkopf, as the rulebook bids them, the twenty that take longest to solve with
open hands are played; of Tractor the first four, which have a hundred moves each. Needs the machine for itself.
"""

import argparse
import random
import time

from rich.console import Console
from rich.progress import track
from rich.table import Table

from renege.agents import Agent, Rulebook, Searcher
from renege.arena.match import PlayedDeal, play_deal, terms
from renege.arena.stats import percentile
from renege.core.game import Game, Standing
from renege.core.position import Position
from renege.games import schafkopf, texas42, tractor
from renege.games.schafkopf.solve import solve as solve_schafkopf
from renege.games.texas42.solve import solve as solve_42

DEALS, HARDEST, TRACTOR_DEALS = 200, 20, 4


def played(game: Game, agent: Agent, seed: int) -> PlayedDeal:
    streams = [random.Random(f"{seed} {seat}") for seat in range(4)]
    return play_deal(game, [agent] * 4, seed, streams, Standing(seed % 4, terms(game).score))


def seconds_to_solve(game: Game, seed: int) -> float:
    """How long the first lead of a deal takes, as the rulebook bids it; 0 where nobody plays."""
    positions = played(game, Rulebook(), seed).record.positions()
    first: Position | None = next((position for position in positions if position.trick is not None), None)
    if first is None or first.contract is None or first.contract.declarer is None:
        return 0.0
    began = time.process_time()
    (solve_42 if game.name == "texas42" else solve_schafkopf)(first)
    return time.process_time() - began


def hardest(game: Game) -> list[int]:
    if game.name == "tractor":
        return list(range(TRACTOR_DEALS))
    seconds = {seed: seconds_to_solve(game, seed) for seed in track(range(DEALS), f"{game.name}: the hardest deals")}
    return sorted(seconds, key=lambda seed: -seconds[seed])[:HARDEST]


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--ms", type=float, default=50.0)
    budget = reader.parse_args().ms
    table = Table(title=f"a searcher with {budget:g} ms a move")
    for column in ("game", "deals", "moves", "ms, mean", "99 %", "longest", "over by, 99 %"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for game in (texas42.game(), schafkopf.game(), tractor.game()):
        seeds = hardest(game)
        spent: list[float] = []
        for seed in track(seeds, f"{game.name}: searched"):
            spent += [1e3 * taken for seat in played(game, Searcher(ms=budget), seed).seconds for taken in seat]
        high = percentile(spent, 0.99)
        cells = [f"{figure:.1f}" for figure in (sum(spent) / len(spent), high, max(spent), max(0.0, high - budget))]
        table.add_row(game.name, str(len(seeds)), str(len(spent)), *cells)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()

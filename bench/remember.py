"""Does a bidder gain by remembering the survey of 42? Two searchers over the same number of worlds, one remembers.

A pair is a deal played twice with the sides swapped, as in the arena. Each seat has the same stream of chance in both
rounds, so that rounds with the same bids would be played alike to the last tile: they come to nothing, unplayed.
"""

import argparse
import json
import random
from pathlib import Path

from renege.agents import Searcher
from renege.arena.match import PlayedDeal, _Table, lead_of, terms
from renege.arena.stats import estimate
from renege.core.game import SEATS, Standing
from renege.games import texas42

BIDS = 4


def play_pair(worlds: int, seed: int, pair: int) -> tuple[float, bool]:
    """How far the searcher that remembers came out ahead, and whether any bid was another."""
    rounds = [_bid(worlds, seed, pair, side) for side in (0, 1)]
    said = [[act.what for act in table.arbiter.record.acts] for table in rounds]
    if said[0] == said[1]:
        return 0.0, False
    score = 0.0
    for side, table in enumerate(rounds):
        while table.position.turn is not None:
            table.step()
        score += lead_of(PlayedDeal(table.arbiter.record, (), (), ()).gains, side) / 2
    return score, True


def _bid(worlds: int, seed: int, pair: int, side: int) -> _Table:
    """A deal after the bids, with the searcher that remembers at the seats of a side."""
    game = texas42.game()
    agents = [Searcher(worlds=worlds, remember=seat % 2 == side) for seat in SEATS]
    streams = [random.Random(f"{seed}:{pair}:{seat}") for seat in SEATS]
    deal = random.Random(f"deal:{seed}:{pair}").getrandbits(40)
    table = _Table(game, agents, deal, streams, Standing(pair % len(SEATS), terms(game).score))
    while table.position.turn is not None and len(table.arbiter.record.acts) < BIDS:
        table.step()
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="write every pair there, and go on from what is in it")
    asked = parser.parse_args()
    played = (
        [json.loads(line) for line in asked.log.read_text().splitlines()] if asked.log and asked.log.exists() else []
    )
    for pair in range(len(played), asked.pairs):
        played.append(play_pair(asked.worlds, asked.seed, pair))
        if asked.log:
            with open(asked.log, "a") as file:
                file.write(json.dumps(played[-1]) + "\n")
        if (pair + 1) % 50 == 0:
            print(f"{pair + 1} pairs: {estimate([score for score, _ in played])}", flush=True)
    others = sum(other for _, other in played)
    print(f"{asked.worlds} worlds, {len(played)} pairs, {others} with other bids, seed {asked.seed}")
    print(f"with memory over without: {estimate([score for score, _ in played])} marks a hand")


if __name__ == "__main__":
    main()

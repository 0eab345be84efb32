"""Texas 42 in OpenSpiel: a pair that searches over worlds (PIMC) against a pair that plays at random.

python examples/openspiel_agents.py --deals 20 --search searcher:30w
"""

import argparse

import pyspiel

from renege.adapters.openspiel import AgentBot, spiel_name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="texas42")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--search", default="searcher:30w", help="an agent, as `renege arena` spells it")
    given = parser.parse_args()

    game = pyspiel.load_game(spiel_name(given.game))
    seats = [given.search, "random", given.search, "random"]
    won = [0.0] * 4
    for deal in range(given.deals):
        bots = [AgentBot(agent, seat, seed=4 * deal + seat) for seat, agent in enumerate(seats)]
        paid = pyspiel.evaluate_bots(game.new_initial_state(), bots, deal)
        won = [total + more for total, more in zip(won, paid, strict=True)]
    print(f"{game}: {given.deals} deals")
    for seat, agent in enumerate(seats):
        print(f"  seat {seat} {agent:<16}{won[seat] / given.deals:+.2f} a deal")


if __name__ == "__main__":
    main()

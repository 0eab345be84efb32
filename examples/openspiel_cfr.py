"""A shrunk game solved twice: by OpenSpiel's CFR+ and by ours, and how far each is from being nobody's prey.

The game is unfolded into a tree that OpenSpiel holds itself. What all seats together could still gain (NashConv) is
measured by OpenSpiel for its strategy and by us for ours; for the strategy that chooses evenly both must say the same.

    python examples/openspiel_cfr.py --game schafkopf-small --rules suits=EG,ranks=UKZA --iterations 100
"""

import argparse

import pyspiel

from renege.adapters.openspiel import spiel_name, unfolded
from renege.envs import find
from renege.search.regret.cfr import Tables, TreeEngine, averaged, exploitability, uniform
from renege.search.regret.trees import tree_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="schafkopf-small")
    parser.add_argument("--rules", default="suits=EG,ranks=UKZA")
    parser.add_argument("--iterations", type=int, default=100)
    given = parser.parse_args()

    tree = tree_of(find(given.game, dict(rule.split("=") for rule in given.rules.split(","))))
    print(f"{given.game} {given.rules}: {tree}")
    engine, tables = TreeEngine(tree), Tables.blank(tree)
    game = unfolded(pyspiel.load_game(f"{spiel_name(given.game)}({given.rules},deal=whole)"))
    solver = pyspiel.CFRPlusSolver(game)

    print(f"{'iterations':>10}  {'OpenSpiel':>10}  {'Renege':>10}   what all seats could gain together")
    theirs = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), False)
    print(f"{'even':>10}  {theirs:10.6f}  {sum(exploitability(engine, uniform(tree.info)).gains):10.6f}")
    for step in range(1, given.iterations + 1):
        solver.evaluate_and_update_policy()
        engine.plus(tables, 1)
        if step in (1, 10, 100, 1000) or step == given.iterations:
            theirs = pyspiel.nash_conv(game, solver.average_policy(), False)
            ours = sum(exploitability(engine, averaged(tree.info, tables)).gains)
            print(f"{step:>10}  {theirs:10.6f}  {ours:10.6f}")


if __name__ == "__main__":
    main()

"""Texas 42 in Gymnasium: one seat at random, then with a search over worlds (PIMC), rulebooks in the others; and a
thousand tables at once, stepped at random.

    python examples/gymnasium_agents.py --deals 20 --search searcher:30w
"""

import argparse
import time

import gymnasium
import numpy as np

import renege.adapters.gymnasium as adapter
from renege.adapters.seated import Seated


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="texas42")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--search", default="searcher:30w", help="an agent, as `renege arena` spells it")
    parser.add_argument("--tables", type=int, default=1000)
    given = parser.parse_args()

    env = gymnasium.make(adapter.seat_id(given.game))
    seat = env.unwrapped
    assert isinstance(seat, adapter.SeatEnv)
    print(f"{adapter.seat_id(given.game)}: {given.deals} deals from seat 0")
    for agent in ("random", given.search):
        won, rng = 0.0, np.random.default_rng(0)
        for deal in range(given.deals):
            _, info = env.reset(seed=deal)
            searcher, ended, reward = Seated(agent, seed=deal), False, 0.0
            while not ended:
                if agent == "random":
                    action = int(rng.choice(np.flatnonzero(info["action_mask"])))
                else:
                    action = searcher.action(seat.moment)  # which is shown to it as its seat has seen it
                _, reward, ended, _, info = env.step(action)
            won += float(reward)
        print(f"  {agent:<16}{won / given.deals:+.2f} a deal")

    tables = gymnasium.make_vec(adapter.table_id(given.game), num_envs=given.tables)
    _, info = tables.reset(seed=1)
    rng, deals, began, steps = np.random.default_rng(1), 0, time.perf_counter(), 50
    for _ in range(steps):
        chances = rng.random(info["action_mask"].shape) * info["action_mask"]
        _, _, ended, _, info = tables.step(chances.argmax(axis=1))
        deals += int(ended.sum())
    speed = steps * given.tables / (time.perf_counter() - began)
    print(f"{given.tables} tables: {deals} deals ended in {steps} steps, {speed:,.0f} steps/s with numpy choosing")


if __name__ == "__main__":
    main()

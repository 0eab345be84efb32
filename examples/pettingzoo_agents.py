"""Texas 42 in PettingZoo: one agent that searches over worlds (PIMC), the others choose from the action mask.

python examples/pettingzoo_agents.py --deals 20 --search searcher:30w
"""

import argparse

import numpy as np

import renege.adapters.pettingzoo as adapter
from renege.adapters.seated import Seated


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="texas42")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--search", default="searcher:30w", help="an agent, as `renege arena` spells it")
    given = parser.parse_args()

    env = adapter.env(given.game)  # or pettingzoo.make("aec", "renege/texas42-v1")
    rng = np.random.default_rng(0)
    won = dict.fromkeys(env.possible_agents, 0.0)
    for deal in range(given.deals):
        env.reset(seed=deal)
        searcher = Seated(given.search, seed=deal)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                won[agent] += reward
                env.step(None)
            elif agent == "player_0":
                env.step(searcher.action(env.unwrapped.moment))  # which is shown to it as its seat has seen it
            else:
                env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    print(f"{env.unwrapped.metadata['name']}: {given.deals} deals")
    for agent, total in won.items():
        print(f"  {agent} {given.search if agent == 'player_0' else 'random':<16}{total / given.deals:+.2f} a deal")


if __name__ == "__main__":
    main()

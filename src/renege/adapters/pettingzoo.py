"""The games in PettingZoo: one environment of the AEC kind for each, registered when this module is imported.

    import pettingzoo, renege.adapters.pettingzoo
    env = pettingzoo.make("aec", "renege/texas42-v1", reward="difference")

Agents are `player_0`, `player_1` and so on, seats in the order of play. An observation is
`{"observation": uint8[width], "action_mask": int8[actions]}`, the row of `renege.games.encoding`; the mask is empty for
who is not to act. An episode is a deal, and its rewards come at the end: `"score"`, the game's own, or `"difference"`,
less those of the others.
"""

import random
from functools import cached_property, partial
from typing import Any

import numpy as np

from renege.adapters import (
    RENDER_MODES,
    checked_mode,
    dealt,
    encoded_games,
    encoding_for,
    framework,
    least_worth,
    rendered,
)
from renege.core.game import Game
from renege.envs.moments import terms_of
from renege.envs.registry import env_id
from renege.games.encoding import Moment
from renege.games.rows import VERSIONS

zoo: Any = framework("pettingzoo", "PettingZoo")
spaces: Any = framework("gymnasium.spaces", "Gymnasium")
wrappers: Any = framework("pettingzoo.utils.wrappers", "PettingZoo")


class TableEnv(zoo.AECEnv):
    """All seats of a table. `moment` is the table itself, with all its cards: for oracles and agents of ours."""

    moment: Moment

    def __init__(
        self,
        game: Game | str = "texas42",
        rules: dict[str, Any] | None = None,
        render_mode: str | None = None,
        version: int | None = None,
        history: bool = False,
        reward: str = "score",
    ) -> None:
        """`rules` are house rules as text, where the game is given by its name: `{"nello": "off"}`. Rows are of the
        version that an id ends in, or of `version`; `history` adds to those of version 1 all that was done.
        """
        zoo.AECEnv.__init__(self)
        self.encoding = encoding_for(game, rules, version, history=history)
        self.game, self.terms = self.encoding.game, terms_of(self.encoding, None, reward)
        self.metadata = {
            "name": env_id(self.game.name, self.encoding.rows.version),
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = checked_mode(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in self.game.all_seats]
        self._rng = random.Random()

    @cached_property
    def _spaces(self) -> tuple[Any, Any]:
        actions = len(self.encoding.actions)
        row = spaces.Box(0, 255, (self.encoding.width,), np.uint8)
        mask = spaces.Box(0, 1, (actions,), np.int8)
        return spaces.Dict({"observation": row, "action_mask": mask}), spaces.Discrete(actions)

    def observation_space(self, agent: str) -> Any:
        return self._spaces[0]

    def action_space(self, agent: str) -> Any:
        return self._spaces[1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new deal; by `options={"moment": ...}` one that stands as it is given."""
        if seed is not None:
            self._rng = random.Random(seed)
        drawn = dealt(self.encoding, self._rng.getrandbits(62))
        self.moment = (options or {}).get("moment", drawn)
        agents = self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self.agent_selection = agents[self.moment.turn or 0]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(self.encoding.actions), np.int8)
        if seat == self.moment.turn:
            mask[list(self.moment.legal)] = 1
        return {"observation": self.moment.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.moment = self.moment.after(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.moment.turn is None:
            self.rewards = dict(zip(self.possible_agents, self.terms.paid(self.moment), strict=True))
            self.terminations = dict.fromkeys(self.possible_agents, True)
        else:
            self.agent_selection = self.possible_agents[self.moment.turn]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The deal so far as text, all cards shown."""
        return rendered(self.render_mode, str(self.moment.course))

    def close(self) -> None:
        """Nothing is held open."""


def env(game: Game | str = "texas42", **options: Any) -> Any:
    """The environment as PettingZoo wants it to be handed out: an action that is not open ends the deal for all.

    Who took it is paid one less than the least that a deal can bring.
    """
    table = TableEnv(game, **options)
    least = least_worth(table.encoding, table.terms)
    closed = wrappers.TerminateIllegalWrapper(table, illegal_reward=least - 1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(closed))


def register(name: str) -> str:
    """Makes a game known to `pettingzoo.make`, where there is such a thing: from its version 1.27 on.

    The id of version 0.
    """
    for version in VERSIONS if hasattr(zoo, "register") else ():
        if (known := env_id(name, version)) not in zoo.aec_registry:
            zoo.register("aec", known, entry_point=partial(env, known))
    return env_id(name)


IDS = {name: register(name) for name in encoded_games()}
"""The environments of version 0, by the names of the games."""

"""An agent of Renege in an environment: its calls and plays are turned into actions."""

import random

from renege.agents import Agent, parse_agent
from renege.games.encoding import Moment
from renege.games.strategy import Option


class Seated:
    """An agent with its own random numbers, asked for one action at a time.

    A play of several cards is decided at its first card, and the rest of it given out when the agent is asked again.
    """

    def __init__(self, agent: Agent | str, seed: int = 0) -> None:
        self.agent: Agent = parse_agent(agent) if isinstance(agent, str) else agent
        self.rng = random.Random(seed)
        self._rest: list[int] = []

    def choose(self, moment: Moment) -> Option:
        """The call or play of the seat to act."""
        assert moment.turn is not None
        view = moment.view(moment.turn)
        if not moment.position.talking and moment.turn in moment.position.speakers:
            said = self.agent.interject(view, self.rng)  # beside the play, one speaks before one's own card
            if said is not None and moment.numbers(said.what)[0] in moment.legal:
                return said.what
        return self.agent.choose(view, self.rng).what

    def action(self, moment: Moment) -> int:
        """The next action of the seat to act."""
        if not moment.chosen and not moment.begun:
            self._rest = list(moment.numbers(self.choose(moment)))
        if not self._rest:
            raise ValueError(f"the agent has begun no play, and {moment.chosen} is picked already: {moment.position}")
        return self._rest.pop(0)

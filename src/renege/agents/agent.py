"""The interface of agents: an agent is given a `View`, nothing else, and says what it would call or play."""

import random
from typing import Protocol

from renege.core.game import Game
from renege.core.position import View
from renege.games.strategy import Advice, strategy_of


class Agent(Protocol):
    """A player. Its only randomness is the generator that it is given, one for each seat."""

    @property
    def name(self) -> str:
        """The name as `renege arena` spells it: `rulebook`, `searcher:50ms`."""
        ...

    def choose(self, view: View, rng: random.Random) -> Advice:
        """What the seat to move would call or play, and why."""
        ...

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        """What a seat would say out of turn, where the talk lets it break in; mostly nothing."""
        ...


def check_game(game: Game, needs: str) -> None:
    """Refuse a game that lacks what an agent plays by."""
    if getattr(strategy_of(game), needs) is None:
        raise ValueError(f"{game.name} has no {needs}: no such agent plays it")

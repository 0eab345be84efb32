"""The interface of agents, and two simple ones: uniformly random legal play, and the game's rulebook (a heuristic
policy). An agent is given a `View`, nothing else, and says what it would call or play.
"""

import random
from dataclasses import dataclass
from typing import Protocol

from renege.core.cards import Cards
from renege.core.position import Position, View
from renege.core.trick import Play
from renege.games.strategy import Advice, policy_of, strategy_of


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


@dataclass(frozen=True, slots=True)
class Random:
    """Calls and plays anything that is legal, each as likely. It never breaks in.

    A lead of several cards that the other hands might have refused it does not try: it leads one of those cards, or
    the pair if both are among them.
    """

    name: str = "random"

    def choose(self, view: View, rng: random.Random) -> Advice:
        if view.position.talking:
            return Advice(rng.choice(view.legal_calls), "at random")
        play = view.legal_plays.choose(rng)
        if _may_be_refused(view.position, play):
            card = rng.choice(tuple(play.cards))
            play = Play(Cards(view.game.deck, (1 << card,) * play.cards.count(card)))
        return Advice(play, "at random")

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None


def _may_be_refused(position: Position, play: Play) -> bool:
    """Can this lead be refused outright, rather than reduced to a part of it?"""
    if position.judge(play).legal is not None:
        return False
    part = position.game.deck.of(1 << next(iter(play.cards)))
    return position.judge(Play(part, tried=play.cards)).legal is False


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The game's rulebook as a player."""

    name: str = "rulebook"

    def choose(self, view: View, rng: random.Random) -> Advice:
        return policy_of(view.game)(view)

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return strategy_of(view.game).interject(view)

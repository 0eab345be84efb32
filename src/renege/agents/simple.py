"""Two simple players: one that does anything lawful, and one that goes by the game's rules of thumb."""

import random
from dataclasses import dataclass

from renege.agents.agent import check_game
from renege.game import Advice
from renege.view import View


@dataclass(frozen=True, slots=True)
class Random:
    """Calls and plays anything that is legal, each as likely. It never breaks in."""

    name: str = "random"

    def choose(self, view: View, rng: random.Random) -> Advice:
        what = rng.choice(view.legal_calls) if view.position.talking else view.legal_plays.choose(rng)
        return Advice(what, "at random")

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Goes by the game's rules of thumb."""

    name: str = "rulebook"

    def choose(self, view: View, rng: random.Random) -> Advice:
        check_game(view.game, "policy")
        assert view.game.policy is not None
        return view.game.policy(view)

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None if view.game.interject is None else view.game.interject(view)

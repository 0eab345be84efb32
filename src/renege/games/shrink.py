"""How a game is shrunk: played with a part of its deck."""

from dataclasses import replace
from typing import Any

from renege.core.cards import Deck
from renege.core.game import Game
from renege.core.order import Order


def shrink(whole: Game, name: str, deck: Deck, **changes: Any) -> Game:
    """A game played with a part of its deck. What plays the whole game well, strategies and solvers, is left out."""

    def order(rules: Any, contract: Any) -> Order:
        return replace(whole.order(rules, contract), deck=deck)

    left_out = dict.fromkeys(("aside", "leaning", "claim", "policy", "interject", "search", "solver"))
    facets = {"Words": whole.facets["Words"]} if "Words" in whole.facets else {}
    return replace(whole, name=name, deck=deck, order=order, facets=facets, **left_out, **changes)

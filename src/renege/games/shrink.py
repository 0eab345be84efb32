"""How a game is shrunk: played with a part of its deck."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from renege.core.cards import Deck
from renege.core.game import Game
from renege.core.order import Order
from renege.core.position import Evidence, evidence_of


def shrink(whole: Game, name: str, deck: Deck, facets: Mapping[str, object], **changes: Any) -> Game:
    """A game played with a part of its deck. What plays the whole game well, strategies and solvers, is left out."""

    def order(rules: Any, contract: Any) -> Order:
        return replace(whole.order(rules, contract), deck=deck)

    proved = evidence_of(whole)
    kept = {"Words": whole.facets["Words"], "Evidence": Evidence(proved.facts, proved.recall, stands=proved.stands)}
    return replace(
        whole, name=name, deck=deck, order=order, facets={**kept, **facets}, aside=None, claim=None, **changes
    )

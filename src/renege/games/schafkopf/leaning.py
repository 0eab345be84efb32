"""Weights of hands given the game that was named: a heuristic likelihood, not a proof."""

from renege.core.cards import Card
from renege.core.position import Course
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.order import TRUMP, order

# how much rather the declarer holds a card than another seat does, from 3,000 deals that the rulebook bid
_LEANING: dict[str, dict[str, float]] = {
    "rufspiel": {"best": 2.2, "O": 1.5, "U": 1.1, "trump": 1.2, "A": 2.0, "Z": 0.8, "plain": 0.8},
    "solo": {"best": 60.0, "O": 12.0, "U": 2.5, "trump": 3.0, "A": 0.65, "Z": 0.15, "plain": 0.1},
    "wenz": {"best": 20.0, "U": 8.0, "A": 11.0, "Z": 1.2, "plain": 0.25},
    "geier": {"best": 20.0, "O": 8.0, "A": 11.0, "Z": 1.2, "plain": 0.25},
    "farbwenz": {"best": 20.0, "U": 12.0, "trump": 3.0, "A": 2.2, "Z": 0.25, "plain": 0.17},
    "farbgeier": {"best": 40.0, "O": 8.0, "trump": 3.0, "A": 2.5, "Z": 0.3, "plain": 0.15},
}


def leaning(course: Course) -> dict[tuple[int, Card], float]:
    """What the game makes likelier, as a weight for each seat and card; those not named weigh 1."""
    contract, rules = course.position.contract, course.game.rules
    if not isinstance(contract, Bargain) or contract.declarer is None or contract.named.kind not in _LEANING:
        return {}
    weights, table = _LEANING[contract.named.kind], order(contract.declaration, rules.deck)
    best = max(range(len(table.points)), key=lambda card: table.strength[TRUMP][card])
    return {
        (contract.declarer, card): weights[_kind(name, card == best, table.led_suit[card] == TRUMP, weights)]
        for card, name in enumerate(table.deck.names)
    }


def _kind(name: str, best: bool, trump: bool, weights: dict[str, float]) -> str:
    if best:
        return "best"
    if trump:
        return name[1] if name[1] in "OU" and name[1] in weights else "trump"
    return name[1] if name[1] in "AZ" else "plain"

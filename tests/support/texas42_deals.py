"""Deals of 42 of every declaration, with who plays for what: for the tests that solve them."""

from dataclasses import dataclass

import numpy as np

from renege.games import texas42
from renege.native import cards as native
from renege.native.cards import Duty

DECK = (1 << 28) - 1
# every declaration, and every way that doubles may stand
ORDERS = {
    **{name: texas42.order(name) for name in texas42.DECLARATIONS},
    **{f"nello {doubles.value}": texas42.order("nello", doubles) for doubles in texas42.Doubles},
    "follow-me low": texas42.order("follow-me", texas42.Doubles.LOW),
    "follow-me own": texas42.order("follow-me", texas42.Doubles.OWN),
}


@dataclass(frozen=True)
class Deals:
    tables: native.Tables
    states: np.ndarray
    takers: np.ndarray
    maximisers: np.ndarray


def deals_of(name: str, tiles: int, n: int, seed: int) -> Deals:
    """Positions with so many tiles a hand, all leaders in turn; in nello one sits out, with or without its tiles."""
    hands = native.deals(DECK, [tiles] * 4, n, seed).tolist()
    duty = Duty.STRONGEST if name == "sevens" else Duty.FOLLOW_SUIT
    states, takers, maximisers = [], [], []
    for row, hand in enumerate(hands):
        declarer = row % 4
        if name.startswith("nello"):
            idle = (declarer + 2) % 4
            hand[idle] *= row % 3 > 0
            states.append(native.state(hand, (declarer + row // 4 % 2) % 4, seats=15 & ~(1 << idle)))
            takers.append(1 << declarer)
            maximisers.append(15 & ~(1 << idle) & ~(1 << declarer))
        else:
            states.append(native.state(hand, declarer, duty=duty))
            takers.append(5 << (row // 4 % 2))
            maximisers.append(takers[-1])
    return Deals(
        native.tables(ORDERS[name]), np.stack(states), np.array(takers, np.uint8), np.array(maximisers, np.uint8)
    )

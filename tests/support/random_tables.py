"""Random tables of 42 and Schafkopf for the kernel, of every declaration and at any stage of the play."""

import numpy as np

from renege.games import texas42
from renege.native import cards as native
from renege.native.arrays import U32
from renege.native.cards import Duty

DECK_42 = (1 << 28) - 1
# every declaration, and every way that doubles may stand
ORDERS = {
    **{name: texas42.order(name) for name in texas42.DECLARATIONS},
    **{f"nello {doubles.value}": texas42.order("nello", doubles) for doubles in texas42.Doubles},
    "follow-me low": texas42.order("follow-me", texas42.Doubles.LOW),
    "follow-me own": texas42.order("follow-me", texas42.Doubles.OWN),
}
SCHAFKOPF = ["rufspiel E", "rufspiel S", "wenz", "solo H", "geier", "ramsch"]


def stages(tables: native.Tables, states: U32, seed: int) -> U32:
    """The tables after a few random plays, some a whole trick and more, some none."""
    rng = np.random.default_rng(seed)
    for _ in range(11):
        masks = native.legal_masks(tables, states)
        going = (rng.random(len(states)) < 0.7) & (masks != 0)
        cards = [rng.choice([card for card in range(32) if mask >> card & 1]) for mask in masks[going].tolist()]
        states[going] = native.step(tables, states[going], np.array(cards, np.uint8))
    return states


def dealt_42(name: str, n: int) -> U32:
    hands = native.deals(DECK_42, [7] * 4, n, 3)
    if name.startswith("nello"):  # seat 1 sits out
        return np.stack([native.state(row, (0, 2, 3)[i % 3], seats=0b1101) for i, row in enumerate(hands.tolist())])
    duty = Duty.STRONGEST if name == "sevens" else Duty.FOLLOW_SUIT
    return np.stack([native.state(row, i % 4, duty=duty) for i, row in enumerate(hands.tolist())])

"""Random deals steered to the contract that a test needs, and how many of them there are.

`RENEGE_SOAK=100` makes a hundred times as many.
"""

import os
import random
from collections.abc import Callable, Iterator

from renege import texas42
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.game import Game, Standing
from renege.core.position import Position
from renege.core.record import Record
from renege.core.trick import Play
from renege.games.texas42.order import ALL_DOUBLES

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
Choose = Callable[[Position, random.Random], str | Play]

# a bid and a declaration: every declaration, every way that doubles may stand, every kind of contract
CONTRACTS: list[tuple[str, str]] = [
    ("30", "trump 0"),
    ("31", "trump 1"),
    ("36", "trump 2"),
    ("41", "trump 3"),
    ("1 mark", "trump 4"),
    ("2 marks", "trump 5"),
    ("33", "trump 6"),
    ("30", "trump doubles"),
    ("1 mark", "trump doubles"),
    ("30", "follow-me"),
    ("32", "follow-me doubles low"),
    ("30", "follow-me doubles own"),
    ("2 marks", "follow-me"),
    ("1 mark", "nello"),
    ("2 marks", "nello doubles high"),
    ("1 mark", "nello doubles low"),
    ("1 mark", "nello doubles own-inverted"),
    ("1 mark", "sevens"),
    ("plunge", "trump 5"),
    ("plunge", "follow-me"),
    ("splash", "trump doubles"),
    ("splash", "trump 2"),
]
JUMPS = {"plunge": 4, "splash": 3}  # doubles needed


def steer(bid: str, declared: str) -> Choose:
    """Play at random, but to this contract: one seat makes the bid where the rules allow it, the others pass."""

    def choose(position: Position, rng: random.Random) -> str | Play:
        if not position.talking:
            return position.legal_plays.choose(rng)
        calls = position.legal_calls
        if "pass" not in calls and bid not in calls:
            return declared if declared in calls else rng.choice(calls)
        assert position.talk is not None
        assert isinstance(position.hands[3], Cards)
        said = position.talk.said
        bidder = sum(position.hands[3]) % 4  # differs from deal to deal
        eager = bid in JUMPS or len(said) >= bidder
        if bid in calls and eager and set(said) <= {"pass"}:
            return bid
        return "pass"

    return choose


def play_out(game: Game, seed: int, choose: Choose, standing: Standing | None = None) -> Record:
    """A finished deal, played at a strict table."""
    table, rng = Arbiter(game, seed, standing), random.Random(seed)
    while (seat := table.position.turn) is not None:
        verdict = table.act(seat, choose(table.position, rng))
        assert verdict, verdict
    return table.record


def deals_for(bid: str, game: Game | None = None, first: int = 0) -> Iterator[int]:
    """Seeds of deals in which the bid can be made: some seat has the doubles it needs."""
    game = game or texas42.game()
    seed = first
    while True:
        hands, _ = game.deal(seed)
        if any(doubles_in(hand) >= JUMPS.get(bid, 0) for hand in hands):
            yield seed
        seed += 1


def doubles_in(hand: Cards) -> int:
    return len(hand.only(ALL_DOUBLES))

"""Texas 42 in numbers: its bids and declarations, and the tile that is passed where nello has a swap."""

from renege.coding import Coding
from renege.game import SEATS, Game
from renege.games.texas42.declare import format_declaration
from renege.games.texas42.order import DECLARATIONS, doubles_policy
from renege.games.texas42.rules import Doubles, NelloExchange, Rules
from renege.position import Position

MOST_MARKS = 10  # a plunge of four, raised three times by two
_FREE = ("follow-me", "nello")  # how doubles stand is said with these

DECLARED = tuple(
    dict.fromkeys(
        format_declaration(name, doubles)
        for name in DECLARATIONS
        for doubles in ((doubles_policy(name), *Doubles) if name in _FREE else (doubles_policy(name),))
    )
)
BIDS = (
    "pass",
    *(str(points) for points in range(30, 42)),
    *(f"{marks} mark{'s' * (marks > 1)}" for marks in range(1, MOST_MARKS + 1)),
    "splash",
    "plunge",
)


class Coding42(Coding):
    """Bids and declarations are calls; a tile that is passed is an action of its own."""

    def __init__(self, game: Game) -> None:
        rules: Rules = game.rules
        super().__init__(game, (*BIDS, *DECLARED), gives=rules.nello_exchange is not NelloExchange.OFF)

    def asked(self, position: Position) -> tuple[str, int] | None:
        assert position.talk is not None
        return ("give", 1) if len(position.talk.said) > len(SEATS) else None


def small_coding(game: Game) -> Coding:
    """The shrunk game, which has no bids."""
    return Coding(game, DECLARED)

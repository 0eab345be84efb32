"""Texas 42 in numbers: its bids and declarations, and the tile that is passed where nello has a swap."""

from collections.abc import Callable

from renege.coding import Coding, KernelEnv
from renege.game import SEATS, Game
from renege.games.texas42.calls import BIDS, DECLARED
from renege.games.texas42.env import kernel
from renege.games.texas42.rules import NelloExchange, Rules
from renege.position import Position


class Coding42(Coding):
    """Bids and declarations are calls; a tile that is passed is an action of its own."""

    def __init__(self, game: Game) -> None:
        rules: Rules = game.rules
        super().__init__(game, (*BIDS, *DECLARED), gives=rules.nello_exchange is not NelloExchange.OFF)

    def asked(self, position: Position) -> tuple[str, int] | None:
        assert position.talk is not None
        return ("give", 1) if len(position.talk.said) > len(SEATS) else None

    def kernel(self) -> Callable[[int], KernelEnv] | None:
        return kernel(self.game)


def small_coding(game: Game) -> Coding:
    """The shrunk game, which has no bids."""
    return Coding(game, DECLARED)

"""The encoding of Texas 42: its bids and declarations, and the tile that is passed where nello has a swap."""

from collections.abc import Callable

from renege.core.game import SEATS, Game
from renege.core.position import Position
from renege.games.encoding import Encoding, KernelEnv
from renege.games.texas42.calls import BIDS, DECLARED
from renege.games.texas42.contract import LEAST_MARKS
from renege.games.texas42.env import kernel
from renege.games.texas42.rules import MarkRaise, NelloExchange, OpeningLead, Rules, Scoring, UnsaidTrump

ALL_POINTS = 42  # of a deal, and what a mark counts where points are played for


class Encoding42(Encoding):
    """Bids and declarations are calls; a tile that is passed is an action of its own."""

    def __init__(self, game: Game) -> None:
        rules: Rules = game.rules
        if rules.unsaid_trump is not UnsaidTrump.NOT_ALLOWED:
            raise ValueError(
                f"unsaid_trump={rules.unsaid_trump.value} has no actions in an environment, where trumps are named"
            )
        _check_ends(rules)
        super().__init__(game, (*BIDS, *DECLARED), gives=rules.nello_exchange is not NelloExchange.OFF)

    def asked(self, position: Position) -> tuple[str, int] | None:
        assert position.talk is not None
        return ("give", 1) if len(position.talk.said) > len(SEATS) else None

    def kernel(self) -> Callable[[int], KernelEnv] | None:
        return kernel(self.game)

    def longest(self) -> int:
        """Four bids, a declaration and all tiles; a nello with its swap has fewer, since a hand lies face down."""
        return len(SEATS) + 1 + len(SEATS) * self.game.hand_size

    def worth(self) -> tuple[int, int]:
        """The highest bid there is: the first as high as it may be, and three seats raise it as far as they may."""
        rules: Rules = self.game.rules
        first = max(2, LEAST_MARKS.get(rules.plunge.value, 0), LEAST_MARKS.get(rules.splash.value, 0))
        marks = first + 3 * (2 if rules.mark_raise is MarkRaise.ONE_OR_TWO else 1)
        return 0, marks * (ALL_POINTS if rules.scoring is Scoring.POINTS else 1)


class SmallEncoding42(Encoding):
    """The shrunk game, which has no bids."""

    def __init__(self, game: Game) -> None:
        _check_ends(game.rules)
        super().__init__(game, DECLARED)

    def longest(self) -> int:
        return 1 + len(SEATS) * self.game.hand_size

    def worth(self) -> tuple[int, int]:
        """A mark; or all points, and the bid on top where it was set."""
        rules = self.game.rules
        return 0, rules.bids[-1] + rules.bid if rules.scoring is Scoring.POINTS else 1


def _check_ends(rules: Rules) -> None:
    """A tile is one action, and it leads its high end."""
    if rules.opening_lead is OpeningLead.SMALL_END:
        raise ValueError("opening_lead=small-end has no actions in an environment, where a tile leads its high end")

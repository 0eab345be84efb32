"""The expansion of small Texas 42 by the kernel: all its deals."""

import numpy as np
from numpy.typing import NDArray

from renege.core.game import Game
from renege.games.small import CardExpansion, seat_bytes
from renege.games.texas42.contract import Hand42
from renege.native import cards as native
from renege.native.arrays import U32


def expansion(game: Game) -> CardExpansion:
    """The expansion of the small game."""

    def tables(contract: Hand42) -> native.Tables:
        return native.tables(game.order(game.rules, contract))

    return CardExpansion(game, tables, _taken, early=True)


def _taken(contract: Hand42, dealt: U32, states: U32) -> NDArray[np.int64]:
    """What each side has taken, and how many tiles are left: no more counts for the marks, or for the points."""
    points, tricks = seat_bytes(states[:, 6]).astype(np.int64), seat_bytes(states[:, 7]).astype(np.int64)
    left = np.bitwise_count(states[:, 0]).astype(np.int64)
    found = left
    for part in (points[:, 0] + points[:, 2], points[:, 1] + points[:, 3], tricks[:, 0] + tricks[:, 2]):
        found = found << 8 | part
    return found

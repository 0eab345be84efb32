"""Ways the cards may lie: one world, or many of them as an array."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Deck
from renege.core.game import SEATS


@dataclass(frozen=True)
class World:
    """One way the cards may lie: the hands as they are now, and the kitty."""

    hands: tuple[Cards, ...]
    kitty: Cards


class Drawn(Sequence[World]):
    """Many worlds as one array, `piles uint64[n, 5, layer]`: the four hands and the kitty.

    Bit c of layer 0 says that the pile has card c, of layer 1 that it has two. A world is made when it is asked for.
    """

    def __init__(self, deck: Deck, piles: NDArray[np.uint64]) -> None:
        self.deck, self.piles = deck, piles

    def __len__(self) -> int:
        return len(self.piles)

    @overload
    def __getitem__(self, index: int) -> World: ...
    @overload
    def __getitem__(self, index: slice) -> "Drawn": ...
    def __getitem__(self, index: int | slice) -> "World | Drawn":
        if isinstance(index, slice):
            return Drawn(self.deck, self.piles[index])
        rows: list[list[int]] = self.piles[index].tolist()
        *hands, kitty = (Cards(self.deck, tuple(mask for mask in layers if mask)) for layers in rows)
        return World(tuple(hands), kitty)


def piles_of(worlds: Sequence[World]) -> NDArray[np.uint64]:
    """`uint64[n, 5, 2]` of worlds, as `Drawn` has them: the kinds in each pile, and the kinds in it twice."""
    if isinstance(worlds, Drawn):
        return worlds.piles[:, :, :2]
    rows = [[[pile.at_least(1), pile.at_least(2)] for pile in (*world.hands, world.kitty)] for world in worlds]
    return np.array(rows, np.uint64).reshape(len(worlds), len(SEATS) + 1, 2)

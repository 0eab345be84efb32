"""Ways the cards may lie: one world, or many of them as an array."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Deck


@dataclass(frozen=True)
class World:
    """One way the cards may lie: the hands as they are now, and the kitty."""

    hands: tuple[Cards, ...]
    kitty: Cards


class Drawn(Sequence[World]):
    """Many worlds as one array, `piles uint64[n, seats + 1, layer]`: the hands, and the kitty last.

    Bit c of layer 0 says that the pile has card c, of layer 1 that it has two, and so on: there are `Deck.layers`. A
    world is made when it is asked for.
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
    """`uint64[n, seats + 1, layer]` of worlds, as `Drawn` has them: the kinds in each pile, those in it twice, and so
    on."""
    if isinstance(worlds, Drawn):
        return worlds.piles
    if not worlds:
        raise ValueError("of no world nothing tells how many piles it would have")
    layers = range(1, worlds[0].kitty.deck.layers + 1)
    rows = [[[pile.at_least(n) for n in layers] for pile in (*world.hands, world.kitty)] for world in worlds]
    return np.array(rows, np.uint64)

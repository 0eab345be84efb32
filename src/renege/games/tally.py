"""What was done in a deal so far, counted by seat: the part of a row that grows from act to act.

Counted once and carried along, since rows are asked for at every pick. Seats are those of the table, from 0 on; a tally
is never changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from renege.core.cards import Cards
from renege.core.trick import Play
from renege.native.arrays import U8


def counts_of(cards: Cards, kinds: int) -> U8:
    """`uint8[kinds]`: the copies of each kind in a pile."""
    found = np.zeros(kinds, np.uint8)
    for layer in cards.layers:
        found += np.unpackbits(np.frombuffer(layer.to_bytes(8, "little"), np.uint8), bitorder="little")[:kinds]
    return found


@dataclass(frozen=True, slots=True)
class Tally:
    """`laid`, `returned` and `gave` are `[seats, cards]`, `said` is `[seats, calls]`; `marks` are 1 for what a seat has
    shown: a section of the row for each name."""

    laid: U8
    returned: U8
    gave: U8
    said: U8
    marks: dict[str, U8]

    @classmethod
    def none(cls, seats: int, cards: int, calls: int, marks: dict[str, int]) -> "Tally":
        """That of a deal in which nothing was done yet; `marks` are the sections' sizes."""
        piles, said = np.zeros((seats, cards), np.uint8), np.zeros((seats, calls), np.uint8)
        shown = {name: np.zeros((seats, size // seats), np.uint8) for name, size in marks.items()}
        return cls(piles, piles, piles, said, shown)

    def with_call(self, seat: int, number: int) -> "Tally":
        said = self.said.copy()
        said[seat, number] += 1
        return replace(self, said=said)

    def with_gift(self, seat: int, cards: Cards) -> "Tally":
        """With cards that a seat has given away, or buried."""
        return replace(self, gave=_added(self.gave, seat, cards))

    def with_play(self, seat: int, play: Play, marks: Iterable[tuple[str, int]]) -> "Tally":
        """With a play, and what it marks."""
        shown = self.marks
        for name, place in marks:
            if name in shown and not shown[name][seat, place]:
                marked = shown[name].copy()
                marked[seat, place] = 1
                shown = {**shown, name: marked}
        back = self.returned if play.tried is None else _added(self.returned, seat, play.tried - play.cards)
        return replace(self, laid=_added(self.laid, seat, play.cards), returned=back, marks=shown)


def _added(piles: U8, seat: int, cards: Cards) -> U8:
    found = piles.copy()
    found[seat] += counts_of(cards, piles.shape[1])
    return found

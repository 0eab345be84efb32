"""The open-hand solver of the C++ kernel, typed: what is a position worth if all hands lie open?

It solves Texas 42 and Schafkopf, every contract, from the states of `renege.native.cards` and
`renege.native.schafkopf`. A value is the points that the seats in the mask `takers` still win, those of the trick on
the table and the points for tricks included, when the seats in the mask `maximisers` want it large and all others want
it small. Mostly both are one side, and `maximisers` is left out:

    42         takers 0b0101: seats 0 and 2 against 1 and 3
    nello      takers the declarer, maximisers the other two; the declarer can lose every trick if the value is 0
    Schafkopf  takers the declarer and, in a Rufspiel, whoever holds the called ace

Answers are bounds. Without a limit they meet; `most_nodes` (for each row) and `most_seconds` (for the whole call) may
stop a search early, and then the value is still between them: rows that were not begun in time have the bounds that are
known without playing a card. With `targets` the question is only whether the takers get so many more: it is yes where
`lower` has reached the target, no where `upper` has not, and the search stops as soon as it knows.
"""

from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

import numpy as np

from renege import _kernel
from renege._kernel import Tables
from renege.core.solution import NO_LIMIT
from renege.native.arrays import I16, U8, U32, U64
from renege.native.cards import MAX_CARDS, check_fields, check_threads, checked_array

SLOTS = 1 << 18  # trick boundaries that a thread remembers, 8 bytes each
MOST_SLOTS = 1 << 28


@dataclass(frozen=True, slots=True)
class Solved:
    """`lower`, `upper`, `int16[B]`: the value is between them, or both. `nodes uint64[B]`: cards played to find it."""

    lower: I16
    upper: I16
    nodes: U64


@dataclass(frozen=True, slots=True, eq=False)
class SolveQuery:
    """Positions and what is asked of each; masks of seats and targets are one for all rows, or `uint8[B]`.

    Left out, the maximisers are the takers. `most_nodes` is for each row, for all of its plays together.
    """

    tables: Tables
    states: U32  # [B, 8]
    takers: int | U8
    maximisers: int | U8 | None = None
    _: KW_ONLY
    targets: int | U8 | None = None
    most_nodes: int = NO_LIMIT
    most_seconds: float | None = None
    by_row: U8 = field(init=False, repr=False)
    """`uint8[3, B]`: takers, maximisers and targets of each row; a target of 0 asks for the value."""

    def __post_init__(self) -> None:
        check_fields(self, np.uint32, states=(None, 8))
        if not 0 <= self.most_nodes <= NO_LIMIT:
            raise ValueError(f"most_nodes is {self.most_nodes}; it must be 0..2**64-1")
        if self.most_seconds is not None and not self.most_seconds >= 0:
            raise ValueError(f"most_seconds is {self.most_seconds}; it must be 0 or more")
        # A target of 0 is met before the first card, and for the kernel it means that none was given.
        if self.targets is not None and np.any(np.asarray(self.targets) == 0):
            raise ValueError("targets must be 1 or more: no points are always got")
        targets = 0 if self.targets is None else self.targets
        wanting = self.takers if self.maximisers is None else self.maximisers
        asked = (("takers", self.takers, 15), ("maximisers", wanting, 15), ("targets", targets, 255))
        rows = [_by_row(name, value, len(self.states), most) for name, value, most in asked]
        object.__setattr__(self, "by_row", np.stack(rows))

    def some(self, rows: Any) -> "SolveQuery":
        """The same of some rows, as an index of NumPy has them."""
        takers, maximisers, targets = self.by_row[:, rows]
        asked = None if self.targets is None else targets
        return replace(self, states=self.states[rows], takers=takers, maximisers=maximisers, targets=asked)


def solve(query: SolveQuery, *, threads: int = 1, slots: int = SLOTS, merge: bool = True) -> Solved:
    """The value of each position.

    `slots` (a power of two, 0 for none) and `merge` (try one of equivalent cards only) change how long it takes, never
    the value.
    """
    bounds = np.empty((len(query.states), 2), np.int16)
    return Solved(bounds[:, 0], bounds[:, 1], _run(query, bounds, None, threads, slots, merge))


def solve_plays(query: SolveQuery, *, threads: int = 1, slots: int = SLOTS, merge: bool = True) -> Solved:
    """The same for every card, `int16[B, 32]`: the value once the seat to move has played it, -1 where it may not.

    What the card itself wins is in it, so the best play has the position's value. The nodes are for all of them.
    """
    rows = len(query.states)
    plays = np.empty((rows, MAX_CARDS, 2), np.int16)
    nodes = _run(query, np.empty((rows, 2), np.int16), plays, threads, slots, merge)
    return Solved(plays[:, :, 0], plays[:, :, 1], nodes)


def _run(query: SolveQuery, bounds: I16, plays: I16 | None, threads: int, slots: int, merge: bool) -> U64:
    """Fills `bounds [B, 2]` and `plays [B, 32, 2]`; the nodes of each row."""
    check_threads(threads)
    check_slots(slots)
    nodes = np.zeros(len(query.states), np.uint64)
    takers, maximisers, targets = query.by_row
    asked = query.tables, query.states, takers, maximisers, targets
    _kernel.solve(*asked, bounds, plays, nodes, query.most_nodes, query.most_seconds, slots, merge, threads)
    return nodes


def check_slots(slots: int, most: int = MOST_SLOTS) -> None:
    if not 0 <= slots <= most or slots & (slots - 1):
        raise ValueError(f"slots is {slots}; it must be 0 or a power of two up to {most}")


def _by_row(name: str, value: int | U8, rows: int, most: int) -> U8:
    """One number for all rows, or an array of one for each."""
    if isinstance(value, int):
        if not 0 <= value <= most:
            raise ValueError(f"{name} is {value}; it must be 0..{most}")
        return np.full(rows, value, np.uint8)
    array = checked_array(name, value, np.uint8, (rows,))
    if (array > most).any():
        raise ValueError(f"{name} row {int((array > most).argmax())}: it must be 0..{most}")
    return array

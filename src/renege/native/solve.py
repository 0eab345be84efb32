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

from dataclasses import dataclass

import numpy as np

from renege import _kernel
from renege._kernel import Tables
from renege.native.arrays import I16, U8, U32, U64
from renege.native.cards import MAX_CARDS, check_threads, checked_array

SLOTS = 1 << 18
"""Trick boundaries that a thread remembers, 8 bytes each."""
NO_LIMIT = 2**64 - 1
MOST_SLOTS = 1 << 28

__all__ = ["NO_LIMIT", "SLOTS", "Solved", "SolvedPlays", "solve", "solve_plays"]


@dataclass(frozen=True, slots=True)
class Solved:
    """`lower`, `upper`, `int16[B]`: the value is between them, or both. `nodes uint64[B]`: cards played to find it."""

    lower: I16
    upper: I16
    nodes: U64


@dataclass(frozen=True, slots=True)
class SolvedPlays:
    """`lower`, `upper`, `int16[B, 32]`: the value once the seat to move has played a card, -1 where it may not.

    What the card itself wins is in it, so the best play has the position's value. `nodes uint64[B]` is for all of them.
    """

    lower: I16
    upper: I16
    nodes: U64


def solve(
    tables: Tables,
    states: U32,
    takers: int | U8,
    maximisers: int | U8 | None = None,
    *,
    targets: int | U8 | None = None,
    most_nodes: int = NO_LIMIT,
    most_seconds: float | None = None,
    threads: int = 1,
    slots: int = SLOTS,
    merge: bool = True,
) -> Solved:
    """`states [B, 8]`, masks of seats (one, or `uint8[B]`) -> the value of each position.

    `most_nodes` is for each row. `slots` (a power of two, 0 for none) and `merge` (try one of equivalent cards only)
    change how long it takes, never the value.
    """
    bounds, _, nodes = _run(
        tables, states, takers, maximisers, targets, most_nodes, most_seconds, threads, slots, merge, plays=False
    )
    return Solved(bounds[:, 0], bounds[:, 1], nodes)


def solve_plays(
    tables: Tables,
    states: U32,
    takers: int | U8,
    maximisers: int | U8 | None = None,
    *,
    targets: int | U8 | None = None,
    most_nodes: int = NO_LIMIT,
    most_seconds: float | None = None,
    threads: int = 1,
    slots: int = SLOTS,
    merge: bool = True,
) -> SolvedPlays:
    """The same for every legal play of the seat to move; `most_nodes` is for all plays of a row together."""
    _, plays, nodes = _run(
        tables, states, takers, maximisers, targets, most_nodes, most_seconds, threads, slots, merge, plays=True
    )
    return SolvedPlays(plays[:, :, 0], plays[:, :, 1], nodes)


def _run(
    tables: Tables,
    states: U32,
    takers: int | U8,
    maximisers: int | U8 | None,
    targets: int | U8 | None,
    most_nodes: int,
    most_seconds: float | None,
    threads: int,
    slots: int,
    merge: bool,
    *,
    plays: bool,
) -> tuple[I16, I16, U64]:
    check_threads(threads)
    asked = checked_questions(states, takers, maximisers, targets, most_nodes, most_seconds, slots)
    rows = len(asked.states)
    bounds = np.empty((rows, 2), np.int16)
    each = np.empty((rows if plays else 0, MAX_CARDS, 2), np.int16)
    nodes = np.zeros(rows, np.uint64)
    _kernel.solve(
        tables,
        asked.states,
        asked.takers,
        asked.maximisers,
        asked.targets,
        bounds,
        each if plays else None,
        nodes,
        most_nodes,
        most_seconds,
        slots,
        merge,
        threads,
    )
    return bounds, each, nodes


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked of each row: `states uint32[B, 8]`, the others `uint8[B]`; a target of 0 asks for the value."""

    states: U32
    takers: U8
    maximisers: U8
    targets: U8


def checked_questions(
    states: U32,
    takers: int | U8,
    maximisers: int | U8 | None,
    targets: int | U8 | None,
    most_nodes: int,
    most_seconds: float | None,
    slots: int,
) -> Questions:
    """The arguments of a call as arrays; whatever they cannot be raises `ValueError`."""
    states = checked_array("states", states, np.uint32, (None, 8))
    rows = len(states)
    if not 0 <= most_nodes <= NO_LIMIT:
        raise ValueError(f"most_nodes is {most_nodes}; it must be 0..2**64-1")
    if most_seconds is not None and not most_seconds >= 0:
        raise ValueError(f"most_seconds is {most_seconds}; it must be 0 or more")
    if not 0 <= slots <= MOST_SLOTS or slots & (slots - 1):
        raise ValueError(f"slots is {slots}; it must be 0 or a power of two up to {MOST_SLOTS}")
    # A target of 0 is met before the first card, and for the kernel it means that none was given.
    if targets is not None and np.any(np.asarray(targets) == 0):
        raise ValueError("targets must be 1 or more: no points are always got")
    return Questions(
        states,
        by_row("takers", takers, rows, 15),
        by_row("maximisers", takers if maximisers is None else maximisers, rows, 15),
        by_row("targets", 0 if targets is None else targets, rows, 255),
    )


def by_row(name: str, value: int | U8, rows: int, most: int) -> U8:
    """One number for all rows, or an array of one for each."""
    if isinstance(value, int):
        if not 0 <= value <= most:
            raise ValueError(f"{name} is {value}; it must be 0..{most}")
        return np.full(rows, value, np.uint8)
    array = checked_array(name, value, np.uint8, (rows,))
    if (array > most).any():
        raise ValueError(f"{name} row {int((array > most).argmax())}: it must be 0..{most}")
    return array

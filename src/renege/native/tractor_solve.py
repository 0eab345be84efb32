"""The open-hand solver of Tractor in the C++ kernel, typed: what is a round worth if all hands lie open?

A value is the points that the attackers, the side that is not the banker's, still win from here: those of the trick on
the table included, and those of the kitty times its multiplier if the last trick is theirs. Both sides play as well as
possible, with every legal play.

Answers are bounds. Without a limit they meet; `most_nodes` or `most_seconds` may stop a search early, and then the
value is still between them. Hands have at most 12 cards. Bad input raises `ValueError` and names the row.
"""

import math
from dataclasses import dataclass

import numpy as np

from renege import _kernel
from renege._kernel import TractorOrder
from renege.native.arrays import I32, U8, U16, U64
from renege.native.cards import check_threads, checked_array, use_bmi2
from renege.native.tractor import PACKING, USUAL, House

SLOTS = 1 << 15
"""Trick boundaries that a thread remembers, 64 bytes each."""
MOST_SLOTS = 1 << 24
NO_LIMIT = 2**64 - 1
MOST_HELD = 12
MOST_PLAYS = 1 << MOST_HELD

__all__ = [
    "MOST_HELD",
    "NO_LIMIT",
    "SLOTS",
    "Rounds",
    "Solved",
    "SolvedPlays",
    "solve",
    "solve_plays",
]


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds under one order, a row each. Piles are those of `native_tractor`: the kinds held, and those held twice."""

    hands: U64  # [B, 4, 2] by seat, without what lies on the table
    table: U64  # [B, 4, 2] the trick begun, in the order of play; 0 where no play lies
    leaders: U8  # [B] of this trick
    bankers: U8  # [B]
    kitties: U16  # [B] points in the kitty
    attackers: I32 | None = None  # [B] what they have had so far; less than nothing, by fines, is paid from points
    # for throws that must be proved:
    played: U64 | None = None  # [B, 2] all cards played, those on the table included
    voids: U8 | None = None  # [B, 4] by seat, a mask of suits that were shown to be out
    buried: U64 | None = None  # [B, 2] the kitty, which the banker knows


@dataclass(frozen=True, slots=True)
class Solved:
    """`lower`, `upper`, `int32[B]`: the value is between them, or both. `nodes uint64[B]`: plays made to find it."""

    lower: I32
    upper: I32
    nodes: U64


@dataclass(frozen=True, slots=True)
class SolvedPlays:
    """Every legal play of one round and the value once it is made, what the play itself wins included.

    `plays uint64[N, 2]`, `lower` and `upper int32[N]`; a throw that is stopped is worth what it comes to,
    less what it costs.
    """

    plays: U64
    lower: I32
    upper: I32
    nodes: int


def solve(
    order: TractorOrder,
    rounds: Rounds,
    house: House = USUAL,
    *,
    most_nodes: int = NO_LIMIT,
    most_seconds: float = math.inf,
    threads: int = 1,
    slots: int = SLOTS,
    portable: bool = False,
) -> Solved:
    """The value of each round. Limits are for each row; `slots` (a power of two, 0 for none) changes only the time."""
    given = _Given(rounds)
    _check_limits(most_nodes, most_seconds, slots)
    check_threads(threads)
    bounds = np.empty((given.rows, 2), np.int32)
    nodes = np.zeros(given.rows, np.uint64)
    _kernel.tractor_solve(
        order,
        PACKING,
        *given.arrays,
        house.word,
        bounds,
        nodes,
        most_nodes,
        most_seconds,
        slots,
        threads,
        use_bmi2(portable),
    )
    return Solved(bounds[:, 0], bounds[:, 1], nodes)


def solve_plays(
    order: TractorOrder,
    rounds: Rounds,
    house: House = USUAL,
    *,
    most_nodes: int = NO_LIMIT,
    most_seconds: float = math.inf,
    slots: int = SLOTS,
    portable: bool = False,
) -> SolvedPlays:
    """The value of every legal play of the one round given; limits are for all of its plays together."""
    given = _Given(rounds)
    if given.rows != 1:
        raise ValueError(f"the plays of one round are solved at a time, not of {given.rows}")
    _check_limits(most_nodes, most_seconds, slots)
    plays = np.empty((MOST_PLAYS, 2), np.uint64)
    bounds = np.empty((MOST_PLAYS, 2), np.int32)
    nodes = np.zeros(1, np.uint64)
    count = _kernel.tractor_solve_plays(
        order,
        PACKING,
        *given.arrays,
        house.word,
        plays,
        bounds,
        nodes,
        most_nodes,
        most_seconds,
        slots,
        use_bmi2(portable),
    )
    return SolvedPlays(plays[:count], bounds[:count, 0], bounds[:count, 1], int(nodes[0]))


class _Given:
    """Rounds as the kernel takes them."""

    def __init__(self, rounds: Rounds) -> None:
        hands = checked_array("hands", rounds.hands, np.uint64, (None, 4, 2))
        self.rows = rows = len(hands)
        past = np.zeros((rows, 2, 2), np.uint64)
        for place, (name, piles) in enumerate((("played", rounds.played), ("buried", rounds.buried))):
            if piles is not None:
                past[:, place] = checked_array(name, piles, np.uint64, (rows, 2))
        voids = np.zeros((rows, 4), np.uint8) if rounds.voids is None else rounds.voids
        attackers = np.zeros(rows, np.int32) if rounds.attackers is None else rounds.attackers
        self.arrays = (
            hands,
            checked_array("table", rounds.table, np.uint64, (rows, 4, 2)),
            checked_array("leaders", rounds.leaders, np.uint8, (rows,)),
            checked_array("bankers", rounds.bankers, np.uint8, (rows,)),
            checked_array("kitties", rounds.kitties, np.uint16, (rows,)),
            checked_array("attackers", attackers, np.int32, (rows,)),
            past,
            checked_array("voids", voids, np.uint8, (rows, 4)),
        )


def _check_limits(most_nodes: int, most_seconds: float, slots: int) -> None:
    if not 0 <= most_nodes <= NO_LIMIT:
        raise ValueError(f"most_nodes is {most_nodes}; it must be 0..2**64-1")
    if not most_seconds >= 0:
        raise ValueError(f"most_seconds is {most_seconds}; it must be 0 or more")
    if not 0 <= slots <= MOST_SLOTS or slots & (slots - 1):
        raise ValueError(f"slots is {slots}; it must be 0 or a power of two up to {MOST_SLOTS}")

"""The open-hand solver of Tractor in the C++ kernel, typed: what is a round worth if all hands lie open?

A value is the points that the attackers, the side that is not the banker's, still win from here: those of the trick on
the table included, and those of the kitty times its multiplier if the last trick is theirs. Both sides play as well as
possible, with every legal play.

Answers are bounds. Without a limit they meet; `most_nodes` or `most_seconds` may stop a search early, and then the
value is still between them. Hands have at most 12 cards. Bad input raises `ValueError` and names the row.
"""

import math
import time
from dataclasses import dataclass

import numpy as np

from renege import _kernel
from renege._kernel import TractorOrder
from renege.core.solution import NO_LIMIT
from renege.native.arrays import I32, U8, U16, U64
from renege.native.cards import check_fields, check_threads, use_bmi2
from renege.native.rollouts import RolloutQuery
from renege.native.solve import check_slots
from renege.native.tractor import PACKING, USUAL, KernelRules

SLOTS = 1 << 15  # trick boundaries that a thread remembers, 64 bytes each
MOST_SLOTS = 1 << 24
MOST_HELD = 12
MOST_PLAYS = 1 << MOST_HELD


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds under one order, a row each. Piles are those of `native.tractor`: the kinds held, and those held twice."""

    hands: U64  # [B, 4, 2] by seat, without what lies on the table
    table: U64  # [B, 4, 2] the trick begun, in the order of play; 0 where no play lies
    leaders: U8  # [B] of this trick
    bankers: U8  # [B]
    kitties: U16  # [B] points in the kitty
    attackers: I32  # [B] what they have had so far; less than nothing, by fines, is paid from points
    # for throws that must be proved:
    played: U64  # [B, 2] all cards played, those on the table included
    voids: U8  # [B, 4] by seat, a mask of suits that were shown to be out
    buried: U64  # [B, 2] the kitty, which the banker knows

    def __post_init__(self) -> None:
        rows = len(self.hands)
        check_fields(self, np.uint64, hands=(None, 4, 2), table=(rows, 4, 2), played=(rows, 2), buried=(rows, 2))
        check_fields(self, np.uint8, leaders=(rows,), bankers=(rows,), voids=(rows, 4))
        check_fields(self, np.uint16, kitties=(rows,))
        check_fields(self, np.int32, attackers=(rows,))

    def arrays(self) -> tuple[U64, U64, U8, U8, U16, I32, U64, U8]:
        """As the kernel takes them."""
        past = np.stack([self.played, self.buried], axis=1)
        return self.hands, self.table, self.leaders, self.bankers, self.kitties, self.attackers, past, self.voids


@dataclass(frozen=True, slots=True)
class SolvedRounds:
    """`lower`, `upper`, `int32[B]`: the value is between them, or both. `nodes uint64[B]`: plays made to find it."""

    lower: I32
    upper: I32
    nodes: U64


@dataclass(frozen=True, slots=True)
class SolvedRoundPlays:
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
    house: KernelRules = USUAL,
    *,
    most_nodes: int = NO_LIMIT,
    most_seconds: float = math.inf,
    threads: int = 1,
    slots: int = SLOTS,
    portable: bool = False,
) -> SolvedRounds:
    """The value of each round. Limits are for each row; `slots` (a power of two, 0 for none) changes only the time."""
    _check_limits(most_nodes, most_seconds, slots)
    check_threads(threads)
    rows = len(rounds.hands)
    bounds, nodes = np.empty((rows, 2), np.int32), np.zeros(rows, np.uint64)
    asked = order, PACKING, *rounds.arrays(), house.word
    limits = most_nodes, most_seconds, slots, threads, use_bmi2(portable)
    _kernel.tractor_solve(*asked, bounds, nodes, *limits)
    return SolvedRounds(bounds[:, 0], bounds[:, 1], nodes)


def solve_plays(
    order: TractorOrder,
    rounds: Rounds,
    house: KernelRules = USUAL,
    *,
    most_nodes: int = NO_LIMIT,
    most_seconds: float = math.inf,
    slots: int = SLOTS,
    portable: bool = False,
) -> SolvedRoundPlays:
    """The value of every legal play of the one round given; limits are for all of its plays together."""
    if len(rounds.hands) != 1:
        raise ValueError(f"the plays of one round are solved at a time, not of {len(rounds.hands)}")
    _check_limits(most_nodes, most_seconds, slots)
    plays, bounds = np.empty((MOST_PLAYS, 2), np.uint64), np.empty((MOST_PLAYS, 2), np.int32)
    nodes = np.zeros(1, np.uint64)
    asked = order, PACKING, *rounds.arrays(), house.word
    limits = most_nodes, most_seconds, slots, use_bmi2(portable)
    count = _kernel.tractor_solve_plays(*asked, plays, bounds, nodes, *limits)
    return SolvedRoundPlays(plays[:count], bounds[:count, 0], bounds[:count, 1], int(nodes[0]))


def solve_candidates(query: RolloutQuery) -> I32:
    """`int32[W, K]`: the attackers' points if all hands lie open and everybody plays on as well as possible.

    Worlds that there was no time for are -1 throughout.
    """
    until = time.perf_counter() + query.most_seconds
    scene, points = query.scene, np.full(query.shape, -1, np.int32)
    for row in range(len(query.worlds)):
        left = until - time.perf_counter()
        if left <= 0:
            break
        one = query.some(slice(row, row + 1))
        rounds = Rounds(
            one.worlds,
            scene.table[None],
            np.array([scene.leader], np.uint8),
            np.array([scene.banker], np.uint8),
            one.kitties.astype(np.uint16),
            np.array([scene.attackers], np.int32),
            scene.played[None],
            scene.voids[None],
            one.kitty_piles,
        )
        solved = solve_plays(query.order, rounds, query.house, most_seconds=left)
        if (solved.lower == solved.upper).all():
            values = {tuple(pile): value for pile, value in zip(solved.plays.tolist(), solved.lower, strict=True)}
            points[row] = [scene.attackers + values[tuple(pile)] for pile in query.candidates.tolist()]
    return points


def _check_limits(most_nodes: int, most_seconds: float, slots: int) -> None:
    if not 0 <= most_nodes <= NO_LIMIT:
        raise ValueError(f"most_nodes is {most_nodes}; it must be 0..2**64-1")
    if not most_seconds >= 0:
        raise ValueError(f"most_seconds is {most_seconds}; it must be 0 or more")
    check_slots(slots, MOST_SLOTS)

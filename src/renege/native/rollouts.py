"""Whole rounds of Tractor in the C++ kernel, typed: every seat plays by rules of thumb, from many worlds.

The player behind it (`kernel/include/renege/tractor/policy.hpp`) knows what its seat may know: its hand, the trick, the
cards played and the voids shown. It leads what nothing still out can beat, gives its points to its partner's tricks and
wins the opponents' as cheaply as it can. The same view gives the same play; a little `noise` makes it play otherwise
now and then.

Piles are those of `native_tractor`: `uint64[2]`, the kinds in it and the kinds in it twice. The rules of thumb throw
only what they can prove, so that their throws are legal at every table. Bad input raises `ValueError` and names the
row.
"""

import math
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege import _kernel
from renege._kernel import TractorOrder
from renege.native.cards import check_lanes, check_threads, checked_array, use_bmi2
from renege.native.tractor import PACKING, U8, U32, U64, USUAL, House

I32: TypeAlias = NDArray[np.int32]

SEATS = 4
MOST_POINTS = 200
MOST_SOLVED = 8
MOST_STOPPED = 25  # throws of one side that can have been stopped

__all__ = ["Scene", "Scenes", "policy_plays", "rollouts"]


def _nothing(*shape: int) -> U64:
    return np.zeros((*shape, 2), np.uint64)


@dataclass(frozen=True, slots=True)
class Scene:
    """What everybody sees of a round: the trick begun, whose lead it was, and what was played before."""

    leader: int
    banker: int
    attackers: int = 0  # points that they have taken so far, and what stopped throws brought or cost them
    table: U64 = field(default_factory=lambda: _nothing(SEATS))  # [4, 2] in the order of play; 0 where no play lies
    played: U64 = field(default_factory=_nothing)  # [2] all cards played, those on the table included
    voids: U8 = field(default_factory=lambda: np.zeros(SEATS, np.uint8))  # [4] by seat, a mask of suits


@dataclass(frozen=True, slots=True)
class Scenes:
    """Such scenes a row each, with the hand of the seat to move."""

    hands: U64  # [B, 2]
    tables: U64  # [B, 4, 2]
    leaders: U8  # [B]
    bankers: U8  # [B]
    played: U64  # [B, 2]
    voids: U8  # [B, 4]


def rollouts(
    order: TractorOrder,
    scene: Scene,
    worlds: U64,
    kitties: I32,
    candidates: U64,
    house: House = USUAL,
    *,
    buried: U64 | None = None,
    noise: float = 0.0,
    seed: int = 0,
    first_lane: int = 0,
    solve_from: int = 0,
    most_seconds: float = math.inf,
    threads: int = 1,
    portable: bool = False,
) -> I32:
    """`worlds uint64[W, 4, 2]`, `kitties int32[W]`, `candidates uint64[K, 2]` -> `int32[W, K]`: the attackers' points.

    A world is the four hands without what lies on the table, and the points in its kitty. In each the seat to move, who
    has the same hand in all, makes each candidate; then all play by the rules of thumb to the end. The points are those
    of the whole round: `scene.attackers`, the tricks, and the kitty with its multiplier if the last trick is theirs.
    Rows not begun within `most_seconds` are -1 throughout. A candidate of no cards (0, 0) is what the rules of thumb
    play. From `solve_from` cards a hand on what remains is solved with open hands instead, each trick begun being over.

    `buried uint64[W, 2]` is the kitty of each world, which its banker knows: it matters where throws must be proved.
    Where stopped throws are refused, a candidate that would be one in some world is an error.

    `noise` is the chance that a seat plays otherwise. What it then does depends on `seed`, on the lane of the world,
    which is `first_lane` plus its row, and on nothing else; candidates of a row share it.
    """
    worlds = checked_array("worlds", worlds, np.uint64, (None, SEATS, 2))
    kitties = checked_array("kitties", kitties, np.int32, (len(worlds),))
    buried = checked_array("buried", _nothing(len(worlds)) if buried is None else buried, np.uint64, (len(worlds), 2))
    candidates = checked_array("candidates", candidates, np.uint64, (None, 2))
    table = checked_array("table", scene.table, np.uint64, (SEATS, 2))
    played = checked_array("played", scene.played, np.uint64, (2,))
    voids = checked_array("voids", scene.voids, np.uint8, (SEATS,))
    check_lanes(seed, first_lane, len(worlds), threads)
    if scene.leader not in range(SEATS) or scene.banker not in range(SEATS):
        raise ValueError(f"leader is {scene.leader} and banker {scene.banker}; a seat is 0..3")
    if not 0 <= noise < 1:
        raise ValueError(f"noise is {noise}; it is a chance below 1")
    if not 0 <= solve_from <= MOST_SOLVED:
        raise ValueError(f"solve_from is {solve_from}; at most {MOST_SOLVED} cards a hand are solved at the end")
    if not most_seconds >= 0:
        raise ValueError(f"most_seconds is {most_seconds}")
    most = MOST_POINTS + MOST_STOPPED * house.penalty
    if not MOST_POINTS - most <= scene.attackers <= most:
        raise ValueError(f"attackers is {scene.attackers}; they can have {MOST_POINTS - most} to {most} points")
    out = np.full((len(worlds), len(candidates)), -1, np.int32)
    _kernel.tractor_rollouts(
        order,
        PACKING,
        house.word,
        worlds,
        kitties,
        buried,
        table,
        int((table[:, 0] != 0).sum()),
        scene.leader,
        scene.banker,
        scene.attackers,
        played,
        voids,
        candidates,
        out,
        int(noise * 2**32),
        seed,
        first_lane,
        solve_from,
        most_seconds,
        threads,
        use_bmi2(portable),
    )
    return out


def policy_plays(
    order: TractorOrder, scenes: Scenes, house: House = USUAL, threads: int = 1, *, whims: U32 | None = None
) -> U64:
    """What the rules of thumb play, `uint64[B, 2]`: always legal, and no throw is ever stopped.

    `whims uint32[B]`, where not 0, make a seat play otherwise, as `noise` does: bit 0 keeps it from winning, bit 1
    turns about whether it gives its points away, and each five bits in turn speak for a lead.
    """
    hands = checked_array("hands", scenes.hands, np.uint64, (None, 2))
    rows = len(hands)
    tables = checked_array("tables", scenes.tables, np.uint64, (rows, SEATS, 2))
    leaders = checked_array("leaders", scenes.leaders, np.uint8, (rows,))
    bankers = checked_array("bankers", scenes.bankers, np.uint8, (rows,))
    played = checked_array("played", scenes.played, np.uint64, (rows, 2))
    voids = checked_array("voids", scenes.voids, np.uint8, (rows, SEATS))
    whims = checked_array("whims", np.zeros(rows, np.uint32) if whims is None else whims, np.uint32, (rows,))
    check_threads(threads)
    lying = (tables[:, :, 0] != 0).sum(axis=1).astype(np.uint8)
    out = np.empty((rows, 2), np.uint64)
    _kernel.tractor_policy_plays(
        order,
        PACKING,
        house.word,
        hands,
        tables,
        lying,
        leaders,
        bankers,
        played,
        voids,
        whims,
        out,
        threads,
    )
    return out

"""Rollouts of Tractor in the C++ kernel, typed: rounds played to the end by a heuristic policy, in many worlds.

The player behind it (`kernel/include/renege/tractor/policy.hpp`) knows what its seat may know: its hand, the trick, the
cards played and the voids shown. It leads what nothing still out can beat, gives its points to its partner's tricks and
wins the opponents' as cheaply as it can. The same view gives the same play; a little `noise` makes it play otherwise
now and then.

Piles are those of `native.tractor`: `uint64[2]`, the kinds in it and the kinds in it twice. The rules of thumb throw
only what they can prove, so that their throws are legal at every table. Bad input raises `ValueError` and names the
row.
"""

import math
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from renege import _kernel
from renege._kernel import TractorOrder
from renege.native.arrays import I32, U8, U64
from renege.native.cards import check_fields, check_lanes, check_threads, use_bmi2
from renege.native.tractor import PACKING, USUAL, KernelRules

SEATS = 4
MOST_POINTS = 200
MOST_SOLVED = 8
MOST_STOPPED = 25  # throws of one side that can have been stopped


def _nothing(*shape: int) -> U64:
    return np.zeros((*shape, 2), np.uint64)


@dataclass(frozen=True, slots=True)
class PublicState:
    """What everybody sees of a round: the trick begun, whose lead it was, and what was played before."""

    leader: int
    banker: int
    attackers: int = 0  # points that they have taken so far, and what stopped throws brought or cost them
    table: U64 = field(default_factory=lambda: _nothing(SEATS))  # [4, 2] in the order of play; 0 where no play lies
    played: U64 = field(default_factory=_nothing)  # [2] all cards played, those on the table included
    voids: U8 = field(default_factory=lambda: np.zeros(SEATS, np.uint8))  # [4] by seat, a mask of suits

    def __post_init__(self) -> None:
        check_fields(self, np.uint64, table=(SEATS, 2), played=(2,))
        check_fields(self, np.uint8, voids=(SEATS,))
        if self.leader not in range(SEATS) or self.banker not in range(SEATS):
            raise ValueError(f"leader is {self.leader} and banker {self.banker}; a seat is 0..3")

    @property
    def lying(self) -> int:
        """How many plays lie on the table."""
        return int((self.table[:, 0] != 0).sum())


@dataclass(frozen=True, slots=True, eq=False)
class RolloutQuery:
    """Plays to be tried in worlds that look alike to the seat to move, who has the same hand in all.

    A world is the four hands without what lies on the table, and the points in its kitty. `buried` is the kitty of each
    world, which its banker knows: it matters where throws must be proved. Where stopped throws are refused, a candidate
    that would be one in some world is an error.

    `noise` is the chance that a seat plays otherwise. What it then does depends on `seed`, on the lane of the world,
    which is `first_lane` plus its row, and on nothing else; candidates of a row share it.
    """

    order: TractorOrder
    scene: PublicState
    worlds: U64  # [W, 4, 2]
    kitties: I32  # [W]
    candidates: U64  # [K, 2]
    house: KernelRules = USUAL
    _: KW_ONLY
    buried: U64 | None = None  # [W, 2]
    noise: float = 0.0
    seed: int = 0
    first_lane: int = 0
    solve_from: int = 0  # cards a hand from which on the end is solved with open hands, each trick begun being over
    most_seconds: float = math.inf

    def __post_init__(self) -> None:
        worlds = len(self.worlds)
        check_fields(self, np.uint64, worlds=(None, SEATS, 2), candidates=(None, 2))
        check_fields(self, np.int32, kitties=(worlds,))
        if self.buried is not None:
            check_fields(self, np.uint64, buried=(worlds, 2))
        check_lanes(self.seed, self.first_lane, worlds, 1)
        if not 0 <= self.noise < 1:
            raise ValueError(f"noise is {self.noise}; it is a chance below 1")
        if not 0 <= self.solve_from <= MOST_SOLVED:
            raise ValueError(
                f"solve_from is {self.solve_from}; at most {MOST_SOLVED} cards a hand are solved at the end"
            )
        if not self.most_seconds >= 0:
            raise ValueError(f"most_seconds is {self.most_seconds}")
        most, had = MOST_POINTS + MOST_STOPPED * self.house.penalty, self.scene.attackers
        if not MOST_POINTS - most <= had <= most:
            raise ValueError(f"attackers is {had}; they can have {MOST_POINTS - most} to {most} points")

    @property
    def shape(self) -> tuple[int, int]:
        """`W, K`."""
        return len(self.worlds), len(self.candidates)

    @property
    def kitty_piles(self) -> U64:
        """`uint64[W, 2]`, empty where they are not known."""
        return _nothing(len(self.worlds)) if self.buried is None else self.buried

    def some(self, rows: slice) -> "RolloutQuery":
        """The same of some worlds."""
        return replace(
            self,
            worlds=self.worlds[rows],
            kitties=self.kitties[rows],
            buried=None if self.buried is None else self.buried[rows],
            first_lane=self.first_lane + (rows.start or 0),
        )


def rollouts(query: RolloutQuery, *, threads: int = 1, portable: bool = False) -> I32:
    """`int32[W, K]`: the attackers' points when the seat to move makes each candidate and all play on by the rules of
    thumb.

    The points are those of the whole round: `scene.attackers`, the tricks, and the kitty with its multiplier if the
    last trick is theirs. Rows not begun within `most_seconds` are -1 throughout. A candidate of no cards (0, 0) is what
    the rules of thumb play.
    """
    check_threads(threads)
    scene, out = query.scene, np.full(query.shape, -1, np.int32)
    worlds = query.order, PACKING, query.house.word, query.worlds, query.kitties, query.kitty_piles
    seen = scene.table, scene.lying, scene.leader, scene.banker, scene.attackers, scene.played, scene.voids
    whims = int(query.noise * 2**32), query.seed, query.first_lane
    limits = query.solve_from, query.most_seconds, threads, use_bmi2(portable)
    _kernel.tractor_rollouts(*worlds, *seen, query.candidates, out, *whims, *limits)
    return out

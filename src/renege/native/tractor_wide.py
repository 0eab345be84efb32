"""Rounds at larger tables of Tractor in the C++ kernel, typed: four to eight seats, two to six packs, teams or friends.

Python defines the rules (`renege.games.tractor`); the kernel plays on from a position, every seat by rules of thumb
(`kernel/include/renege/tractor/wide_policy.hpp`) that know what the seat may know: its hand, the trick, the cards
played, the voids shown, and who has joined the banker. Piles are those of `native.tractor_packs`, `uint64[packs]`. Bad
input raises `ValueError` and names the row.
"""

import math
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from renege import _kernel
from renege._kernel import TractorPackOrder
from renege.native.arrays import I32, U8, U16, U64
from renege.native.cards import check_fields, check_threads, use_bmi2
from renege.native.tractor import CHOICES
from renege.native.tractor_packs import PackDuty

NOBODY = 255  # has joined by this card
NOT_REACHED = -1


@dataclass(frozen=True, slots=True)
class WideRules:
    """The house rules that decide a round, by their words."""

    seats: int
    packs: int
    friends: int = 0  # that the banker names; none where every other seat plays with it
    duty: PackDuty = field(default_factory=PackDuty)
    throw_comparison: str = "longest-unit"
    kitty_multiplier: str = "two-to-cards"
    double_friend: bool = True

    @property
    def words(self) -> list[int]:
        """The rules as the kernel reads them."""
        ways = (CHOICES[name][1].index(getattr(self, name)) for name in ("throw_comparison", "kitty_multiplier"))
        return [*self.duty.words, *ways, self.seats, self.friends, int(self.double_friend)]


@dataclass(frozen=True, slots=True, eq=False)
class WideScene:
    """What everybody sees of a round: the trick begun, whose lead it was, and what came before."""

    rules: WideRules
    leader: int
    banker: int
    plays: U64  # [seats, packs] in the order of play; 0 where none lies
    units: U8  # [n, 2] the units of the lead of two cards and more, the greatest first: width and length
    seen: U64  # [packs] all cards played, those on the table included
    taken: I32  # [seats] points in tricks
    fines: I32  # [seats] what stopped throws have cost each seat, or the first seat of its side
    voids: U8  # [seats] masks of suits
    friends: U8  # [friends, 3] card, copy, and who joined by it or NOBODY

    def __post_init__(self) -> None:
        seats, packs = self.rules.seats, self.rules.packs
        check_fields(self, np.uint64, plays=(seats, packs), seen=(packs,))
        check_fields(self, np.int32, taken=(seats,), fines=(seats,))
        check_fields(self, np.uint8, units=(None, 2), voids=(seats,), friends=(self.rules.friends, 3))

    @property
    def lying(self) -> int:
        """How many plays lie on the table."""
        return int((self.plays[:, 0] != 0).sum())

    @property
    def shown(self) -> tuple[U64, U8, U64, I32, I32, U8, U8, int, int, int]:
        """All of it, in the order in which the kernel reads it."""
        before = self.plays, self.units, self.seen, self.taken, self.fines, self.voids, self.friends
        return *before, self.lying, self.leader, self.banker


@dataclass(frozen=True, slots=True, eq=False)
class WideQuery:
    """Plays to be tried in worlds: `worlds` are the hands without what lies on the table, and the kitty last.

    Candidates are leads that stand and legal follows, one list for each world since a throw may be stopped in some; one
    of no cards is what the rules of thumb play. `fined` is what a stopped throw costs the seat to move.
    """

    order: TractorPackOrder
    scene: WideScene
    worlds: U64  # [W, seats + 1, packs]
    candidates: U64  # [W, K, packs]
    fined: I32  # [W, K]
    _: KW_ONLY
    most_seconds: float = math.inf

    def __post_init__(self) -> None:
        rules, (rows, many) = self.scene.rules, self.fined.shape
        check_fields(self, np.uint64, worlds=(rows, rules.seats + 1, rules.packs), candidates=(rows, many, rules.packs))
        check_fields(self, np.int32, fined=(rows, many))
        if not self.most_seconds >= 0:
            raise ValueError(f"most_seconds is {self.most_seconds}")

    @property
    def shape(self) -> tuple[int, int]:
        """`W, K`."""
        return self.candidates.shape[0], self.candidates.shape[1]

    def some(self, rows: slice) -> "WideQuery":
        """The same of some worlds."""
        return replace(self, worlds=self.worlds[rows], candidates=self.candidates[rows], fined=self.fined[rows])


@dataclass(frozen=True, slots=True, eq=False)
class WideEnds:
    """How rounds end: the attackers' points with the kitty, and a mask of the banker's team."""

    points: I32  # [W, K], NOT_REACHED where the time was over
    teams: U16  # [W, K]


def wide_rollouts(query: WideQuery, *, threads: int = 1, portable: bool = False) -> WideEnds:
    """The ends when the seat to move makes each candidate and all play on by the rules of thumb."""
    check_threads(threads)
    scene, shape = query.scene, query.shape
    points, teams = np.full(shape, NOT_REACHED, np.int32), np.zeros(shape, np.uint16)
    tried = query.candidates, query.fined, points, teams
    limits = query.most_seconds, threads, use_bmi2(portable)
    _kernel.tractor_wide_rollouts(query.order, scene.rules.words, query.worlds, *scene.shown, *tried, *limits)
    return WideEnds(points, teams)


def wide_choices(order: TractorPackOrder, scene: WideScene, worlds: U64) -> U64:
    """`uint64[W, packs]`: what the seat to move plays by the rules of thumb."""
    out = np.zeros((len(worlds), scene.rules.packs), np.uint64)
    _kernel.tractor_wide_choices(order, scene.rules.words, worlds, *scene.shown, out)
    return out

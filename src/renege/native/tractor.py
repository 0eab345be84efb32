"""Tractor in the C++ kernel, typed: shapes, follows and winners by the million.

Python defines these (`renege.games.tractor`), the kernel repeats them, and the tests hold one against the other. A pile
is two words, `uint64[2]`: the kinds in it and the kinds in it twice, bit c for card c (0..53). An order is built once
for each declaration. Piles have at most 25 cards, as hands have when play begins. Bad input raises `ValueError` and
names the row.

The runs in a hand's pairs, those of two pairs and more, are a shape: one of 77. What a shape can give to a led one is
tabulated here once, at import; `TABLE_BYTES` says what all tables take.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np

from renege import _kernel
from renege._kernel import TractorOrder
from renege.core.order import Order
from renege.native.arrays import U8, U32, U64
from renege.native.cards import check_threads, checked_array, use_bmi2

Runs: TypeAlias = tuple[int, ...]  # lengths of two pairs and more, longest first

KINDS = 54
SUITS = 5
STEPS = 17
MOST_CARDS = 25
MOST_PAIRS = MOST_CARDS // 2
HALF = 9  # the kernel looks a mask of steps up in two halves, the lower of so many
CODES = 256


class FollowBreach(IntEnum):
    """The first duty that a follow breaks."""

    NONE = 0  # the follow is legal
    LENGTH = 1
    SUIT = 2
    PAIR = 3
    RUN = 4
    LONGER_RUN = 5


# By house rule, as `renege.games.tractor.rules` names them: the lowest of its bits in a word, as
# `kernel/include/renege/tractor/house.hpp` reads it, and its choices in the order of their numbers there.
CHOICES = {
    "shorter_runs": (0, ("not-owed", "owed", "all-owed")),
    "follow_duty": (2, ("shape", "tractors-protected", "suit-only")),
    "throw_comparison": (4, ("longest-unit", "highest-card", "all-units")),
    "stopped_throw": (6, ("lead-smallest", "first-found", "refused")),
    "throw_test": (8, ("true-hands", "public-info", "opponents")),
    "kitty_multiplier": (10, ("two-to-cards", "twice-cards", "two-to-pairs-plus-1", "twice-lead", "two-or-four")),
    "trump_throws": (13, ("forbidden", "allowed")),
}
PENALTY = 32  # the lowest of its bits
MOST_PENALTY = (1 << 20) - 1  # points of a stopped throw that the kernel still adds up


@dataclass(frozen=True, slots=True)
class KernelRules:
    """The house rules that the kernel knows."""

    shorter_runs: str = "owed"
    follow_duty: str = "shape"
    throw_comparison: str = "longest-unit"
    stopped_throw: str = "lead-smallest"
    throw_test: str = "true-hands"
    kitty_multiplier: str = "two-to-cards"
    trump_throws: str = "allowed"
    penalty: int = 0  # points that a stopped throw costs

    def __post_init__(self) -> None:
        if not 0 <= self.penalty <= MOST_PENALTY:
            raise ValueError(f"penalty is {self.penalty}; the kernel plays 0 to {MOST_PENALTY}")

    @property
    def word(self) -> int:
        """The rules encoded in one number."""
        chosen = (choices.index(getattr(self, name)) << shift for name, (shift, choices) in CHOICES.items())
        return sum(chosen, self.penalty << PENALTY)


USUAL = KernelRules()


@dataclass(frozen=True, slots=True)
class Shapes:
    """What leads are made of, a row each."""

    suits: U8  # [B]
    lengths: U32  # [B] of the runs of two pairs and more, 4 bits each, the longest lowest
    pairs: U8  # [B] outside runs
    singles: U8  # [B]

    def runs(self, row: int) -> Runs:
        """Run lengths in one row, in pairs, longest first."""
        lengths = int(self.lengths[row])
        return tuple(lengths >> shift & 15 for shift in range(0, lengths.bit_length(), 4))


def order(order: Order, trump: int = 0) -> TractorOrder:
    """An order as the kernel keeps it; `trump` is the suit that beats the others. Cards may share a step of a suit."""
    if len(order.steps) > SUITS or any(len(steps) > STEPS for steps in order.steps):
        raise ValueError(f"the kernel takes at most {SUITS} suits of at most {STEPS} steps")
    if not 0 <= trump < len(order.steps):
        raise ValueError(f"trump is {trump}; there are {len(order.steps)} suits")
    steps = np.zeros((SUITS, STEPS), np.uint64)
    for suit, masks in enumerate(order.steps):
        steps[suit, : len(masks)] = masks
    return TractorOrder(steps, trump)


def pile(cards: Sequence[int]) -> U64:
    """`uint64[2]` of these cards; `np.stack` several to a batch.

    >>> pile([3, 5, 3]).tolist()
    [40, 8]
    """
    once = twice = 0
    for card in cards:
        if not 0 <= card < KINDS:
            raise ValueError(f"card {card} is not in the deck")
        if twice >> card & 1:
            raise ValueError(f"card {card} is there three times")
        twice |= once & 1 << card
        once |= 1 << card
    return np.array([once, twice], np.uint64)


def shapes(order: TractorOrder, piles: U64) -> Shapes:
    """`piles uint64[B, 2]`, each a lead of one suit -> their shapes: longest runs first, then pairs, then singles."""
    piles = checked_array("piles", piles, np.uint64, (None, 2))
    suits, lengths = np.empty(len(piles), np.uint8), np.empty(len(piles), np.uint32)
    rest = np.empty((len(piles), 2), np.uint8)
    _kernel.tractor_shapes(order, PACKING, piles, suits, lengths, rest)
    return Shapes(suits, lengths, rest[:, 0], rest[:, 1])


def judge_follows(
    order: TractorOrder,
    leads: U64,
    hands: U64,
    plays: U64,
    threads: int = 1,
    *,
    house: KernelRules = USUAL,
    portable: bool = False,
) -> U8:
    """`leads`, `hands`, `plays`, `uint64[B, 2]` each -> `uint8[B]`: the `FollowBreach` of each play, 0 if legal.

    A hand still holds what is played from it. The shape of a lead is the greatest that its cards have.
    """
    leads = checked_array("leads", leads, np.uint64, (None, 2))
    hands = checked_array("hands", hands, np.uint64, (len(leads), 2))
    plays = checked_array("plays", plays, np.uint64, (len(leads), 2))
    check_threads(threads)
    out = np.empty(len(leads), np.uint8)
    _kernel.tractor_judge_follows(order, PACKING, leads, hands, plays, out, house.word, threads, use_bmi2(portable))
    return out


def winners(
    order: TractorOrder, plays: U64, threads: int = 1, *, house: KernelRules = USUAL, portable: bool = False
) -> U8:
    """`plays uint64[B, 4, 2]`, the lead first -> `uint8[B]`: which of them wins.

    The highest step among the longest led units decides, or what the house compares; a tie is the earlier's. A play of
    another length, or of several suits, or that cannot be cut into the led shape, cannot win; whether it was legal is
    not asked.
    """
    plays = checked_array("plays", plays, np.uint64, (None, 4, 2))
    check_threads(threads)
    out = np.empty(len(plays), np.uint8)
    _kernel.tractor_winners(order, PACKING, plays, out, house.word, threads, use_bmi2(portable))
    return out


# --- the tables ---------------------------------------------------------------------------------------------


def _partitions(most: int, longest: int) -> Iterator[Runs]:
    """Runs of 2 to `longest` pairs, longest first, of at most `most` pairs in all."""
    yield ()
    for length in range(2, min(most, longest) + 1):
        for rest in _partitions(most - length, length):
            yield (length, *rest)


def _weights() -> list[int]:
    """[length] small weights by which the runs of every shape come to a sum of its own; a pair weighs nothing."""
    weights = [0, 0]
    for longest in range(2, MOST_PAIRS + 1):
        known = [shape for shape in SHAPES if not shape or shape[0] <= longest]
        weight = weights[-1] + 1
        while len({sum([*weights, weight][length] for length in shape) for shape in known}) < len(known):
            weight += 1
        weights.append(weight)
    return weights


def _contained() -> list[int]:
    """[shape] the set of shapes that can be cut out of it, a bit each."""
    within: list[int] = []
    for shape in SHAPES:  # what is cut stands before what it was cut from
        found = 1 << len(within)
        for i, length in enumerate(shape):
            for part in range(1, length // 2 + 1):
                cut = (run for run in (*shape[:i], part, length - part, *shape[i + 1 :]) if run > 1)
                found |= within[_NUMBER[tuple(sorted(cut, reverse=True))]]
        within.append(found)
    return within


def _serves(given: Runs, led: Runs) -> bool:
    """Is each run given to a led one that is no shorter?"""
    return len(given) <= len(led) and all(ours <= theirs for ours, theirs in zip(given, led, strict=False))


def _matches(shorter: str) -> U8:
    """[held, led] the greatest shape that can be cut out of one to serve the other."""
    contained = _contained()
    if shorter == "all-owed":
        return np.array([[_NUMBER[_fullest(held, led)] for led in SHAPES] for held in contained], np.uint8)
    fits: Callable[[Runs, Runs], bool] = (
        _serves if shorter == "owed" else lambda given, led: Counter(given) <= Counter(led)
    )
    allowed = [sum(1 << i for i, given in enumerate(SHAPES) if fits(given, led)) for led in SHAPES]
    table = [[(held & led).bit_length() - 1 for led in allowed] for held in contained]
    return np.array(table, np.uint8)


def _fullest(contained: int, led: Runs) -> Runs:
    """The runs that serve led ones where every further run is owed: each goes to the longest stretch that is left."""
    given: Runs = ()
    left = [0, *reversed(led)]  # the longest last
    while True:
        longest = left.pop()
        fitting = (length for length in range(longest, 1, -1) if contained >> _NUMBER.get((*given, length), 255) & 1)
        if (run := next(fitting, 0)) == 0:
            return given
        given = (*given, run)  # none is longer than the one before it
        left = sorted([*left, longest - run])


def _packing() -> _kernel.TractorPacking:
    weights = _weights()
    code = [sum(weights[len(run)] for run in bin(steps)[2:].split("0")) for steps in range(1 << HALF)]
    seam = np.zeros((HALF + 1, HALF + 1), np.int64)
    for below in range(1, HALF + 1):
        for above in range(1, MOST_PAIRS - below + 1):
            if above <= HALF:
                seam[below, above] = weights[below + above] - weights[below] - weights[above]
    tail = [next((i for i in range(HALF) if not steps >> (HALF - 1 - i) & 1), HALF) for steps in range(1 << HALF)]
    numbers = np.zeros(CODES, np.uint8)
    for number, shape in enumerate(SHAPES):
        numbers[sum(weights[run] for run in shape)] = number
    runs = [sum(length << 4 * i for i, length in enumerate(shape)) for shape in SHAPES]
    return _kernel.TractorPacking(
        np.array(code, np.uint16),
        (seam % CODES).astype(np.uint16),
        np.array(weights, np.uint16),
        np.array(tail, np.uint8),
        numbers,
        np.array(runs, np.uint32),
        np.stack([_matches(shorter) for shorter in CHOICES["shorter_runs"][1]]),
    )


SHAPES: tuple[Runs, ...] = tuple(sorted(_partitions(MOST_PAIRS, MOST_PAIRS)))
_NUMBER = {shape: number for number, shape in enumerate(SHAPES)}
PACKING = _packing()
TABLE_BYTES = len(bytes(PACKING))

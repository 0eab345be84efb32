"""Tractor with two to six packs in the C++ kernel, typed: follows judged by the million under the graded duty.

Python defines the duty (`renege.games.tractor.duties`), the kernel repeats it, and the tests hold one against the
other. A pile is `uint64[packs]`: bit c of layer k says that card c (0..53) is there more than k times. Piles have at
most 80 cards. Bombs and rainbows are not judged here, and are refused by name. Two packs have a quicker way, by tables
(`renege.native.tractor`). Bad input raises `ValueError` and names the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from renege import _kernel
from renege._kernel import TractorPackOrder
from renege.core.order import Order
from renege.native.arrays import U8, U64
from renege.native.cards import check_threads, checked_array, use_bmi2
from renege.native.tractor import CHOICES, KINDS, STEPS, SUITS

DUTIES = {  # by follow_duty: is the suit alone owed, and are wide tuples (1) and tractors (2) kept whole?
    "shape": (0, 0),
    "tuples-protected": (0, 1),
    "tractors-protected": (0, 2),
    "both-protected": (0, 3),
    "suit-only": (1, 0),
}


@dataclass(frozen=True, slots=True)
class PackDuty:
    """What a follower owes, by the words of the house rules."""

    follow_duty: str = "shape"
    shorter_runs: str = "owed"
    tractor_width: int = 2
    tractor_length: int = 2
    bombs: str = "off"
    rainbows: int = 0

    def __post_init__(self) -> None:
        told = {"bombs": self.bombs, "rainbows": self.rainbows}
        for name, value in told.items():
            if value not in ("off", 0):
                raise ValueError(f"{name}={value}: the kernel judges follows without bombs and rainbows")

    @property
    def words(self) -> list[int]:
        """The duty as the kernel reads it."""
        shorter = CHOICES["shorter_runs"][1].index(self.shorter_runs)
        return [shorter, *DUTIES[self.follow_duty], self.tractor_width, self.tractor_length]


USUAL = PackDuty()


def order(order: Order) -> TractorPackOrder:
    """An order as the kernel keeps it for any number of packs. Cards may share a step of a suit."""
    if len(order.steps) > SUITS or any(len(steps) > STEPS for steps in order.steps):
        raise ValueError(f"the kernel takes at most {SUITS} suits of at most {STEPS} steps")
    steps = np.zeros((SUITS, STEPS), np.uint64)
    for suit, masks in enumerate(order.steps):
        steps[suit, : len(masks)] = masks
    return TractorPackOrder(steps)


def pile(cards: Sequence[int], packs: int) -> U64:
    """`uint64[packs]` of these cards; `np.stack` several to a batch.

    >>> pile([3, 5, 3, 3], packs=3).tolist()
    [40, 8, 8]
    """
    layers = [0] * packs
    for card in cards:
        if not 0 <= card < KINDS:
            raise ValueError(f"card {card} is not in the deck")
        depth = sum(layer >> card & 1 for layer in layers)
        if depth == packs:
            raise ValueError(f"card {card} is there {packs + 1} times, and there are {packs} packs")
        layers[depth] |= 1 << card
    return np.array(layers, np.uint64)


def judge_follows(
    order: TractorPackOrder,
    leads: U64,
    hands: U64,
    plays: U64,
    threads: int = 1,
    *,
    duty: PackDuty = USUAL,
    portable: bool = False,
) -> U8:
    """`leads`, `hands`, `plays`, `uint64[B, packs]` each -> `uint8[B]`: the `FollowBreach` of each play, 0 if legal.

    A hand still holds what is played from it. The shape of a lead is the greatest that its cards have. A tuple that is
    not given is `FollowBreach.PAIR`, however wide.
    """
    leads = checked_array("leads", leads, np.uint64, (None, None))
    hands = checked_array("hands", hands, np.uint64, leads.shape)
    plays = checked_array("plays", plays, np.uint64, leads.shape)
    check_threads(threads)
    out = np.empty(len(leads), np.uint8)
    _kernel.tractor_judge_packs(order, leads, hands, plays, out, duty.words, threads, use_bmi2(portable))
    return out

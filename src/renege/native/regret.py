"""Regret minimisation in the C++ kernel, typed: sweeps over a flat tree, tables of regrets, sampled traversals.

A tree is levels of nodes (`renege.search.regret.trees`); tables are `float64[S]`, a number for every slot, which is an
act in an information set. What the calls below add to, they add in place. A tree that does not hang together is refused
when it is handed over, with the row; after that nothing is checked but the length of the tables.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege._kernel import RegretTree
from renege.native.arrays import F64
from renege.native.cards import check_lanes, check_threads, checked_array

SEATS = 4

__all__ = ["RegretTree", "average_more", "match", "open_hands", "regret_more", "sample", "sweep", "tree"]


def tree(
    levels: NDArray[np.int64],
    sets: NDArray[np.int32],
    children: NDArray[np.int32],
    weights: F64,
    payoffs: F64,
    seats: NDArray[np.uint8],
    first_slots: NDArray[np.int32],
    parents: NDArray[np.int32],
) -> RegretTree:
    """A tree for the kernel: `levels [L + 1]`, `sets`, `children [N]`, `weights [D]`, `payoffs [P, 4]`, `seats`,
    `parents [I]`, `first_slots [I + 1]`. The arrays are kept, not copied: leave them alone."""
    given: list[tuple[str, NDArray[Any], Any, tuple[int | None, ...]]] = [
        ("levels", levels, np.int64, (None,)),
        ("sets", sets, np.int32, (None,)),
        ("children", children, np.int32, (None,)),
        ("weights", weights, np.float64, (None,)),
        ("payoffs", payoffs, np.float64, (None, SEATS)),
        ("seats", seats, np.uint8, (None,)),
        ("first_slots", first_slots, np.int32, (None,)),
        ("parents", parents, np.int32, (None,)),
    ]
    return RegretTree(*(checked_array(*array) for array in given))


def sweep(tree: RegretTree, seat: int, strategy: F64, threads: int = 1) -> tuple[F64, float]:
    """One seat's counterfactual gains `[S]`, 0 in slots of others, and what it wins in all.

    A slot's gain is what the seat wins if it gets there and does that, times how likely chance and the others make it,
    all by `strategy [S]`.
    """
    check_threads(threads)
    gains = np.zeros(tree.slots)
    value = tree.sweep(seat, _table(tree, "strategy", strategy), gains, threads)
    return gains, value


def match(tree: RegretTree, seat: int, regrets: F64, strategy: F64) -> None:
    """Sets a seat's part of `strategy [S]` by its regrets: each act as often as it is regretted."""
    tree.match(seat, _table(tree, "regrets", regrets), _table(tree, "strategy", strategy))


def regret_more(tree: RegretTree, seat: int, gains: F64, strategy: F64, regrets: F64) -> None:
    """Adds to a seat's regrets what each act gained more than the strategy did; none falls below zero."""
    tree.regret_more(
        seat, _table(tree, "gains", gains), _table(tree, "strategy", strategy), _table(tree, "regrets", regrets)
    )


def average_more(tree: RegretTree, seat: int, strategy: F64, weight: float, average: F64) -> None:
    """Adds a seat's strategy to its average, each set by the seat's own reach."""
    tree.average_more(seat, _table(tree, "strategy", strategy), weight, _table(tree, "average", average))


def sample(
    tree: RegretTree,
    seat: int,
    strategy: F64,
    weight: float,
    regrets: F64,
    average: F64,
    seed: int,
    lanes: range,
) -> None:
    """External sampling, once a lane: a traversal that adds to a seat's regrets, a walk that adds to its average."""
    check_lanes(seed, lanes.start, len(lanes), 1)
    sums = _table(tree, "regrets", regrets), _table(tree, "average", average)
    tree.sample(seat, _table(tree, "strategy", strategy), weight, *sums, seed, lanes.start, len(lanes))


def open_hands(tree: RegretTree) -> F64:
    """`[S]`: what each act is worth to its seat if all hands lie open after it, added up over the deals of its set."""
    gains = np.zeros(tree.slots)
    tree.open_hands(gains)
    return gains


def _table(tree: RegretTree, name: str, table: F64) -> F64:
    return checked_array(name, table, np.float64, (tree.slots,))

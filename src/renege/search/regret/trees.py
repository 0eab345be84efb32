"""The game tree of a small game in flat arrays, level by level: every deal and every line of play.

A level is an act: its nodes stand side by side, those of one deal together and in the order of the deals, and the
children of a node are neighbours on the next level. A node where a seat has a choice belongs to an information set: all
nodes that look the same to that seat, by its own cards, by what it laid face down and by what all have seen. Sets are
told apart by those things themselves and not by a hash, so nothing collides. A set has a slot for each of its acts, and
a node's children are in the order of its set's slots.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.core.game import Game
from renege.games.small import MOST_MARKS, OVER, Expansion, Options, numbered
from renege.native.arrays import F64, I32, I64, U64
from renege.search.regret.expand import PositionExpansion

LEAF, FORCED = -1, -2
MOST_NODES = 2**31 - 1
MOST_PAYOFFS = 2**16


@dataclass(frozen=True)
class InformationSets:
    """What each seat can tell apart, and what it may do there. Sets stand by level, so a seat's earlier ones first."""

    seats: NDArray[np.uint8]  # [I] who is to act
    first_slots: I32  # [I + 1]
    slot_acts: I32  # [S] an act by its number
    parents: I32  # [I] the slot of the seat's choice before, -1 where this is its first
    histories: I32  # [I] what all have seen
    private: U64  # [I] what the seat alone knows
    history_parents: I32  # [H] a history less its last act; history 0 is the empty one
    history_acts: I32  # [H] that act, as all have seen it
    acts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def slots(self) -> int:
        return len(self.slot_acts)

    @cached_property
    def slot_sets(self) -> I32:
        """[S] the set of a slot."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first_slots))

    @cached_property
    def depths(self) -> I32:
        """[I] the choices that the seat had before on the way here."""
        depths = np.zeros(len(self), np.int32)
        later = np.flatnonzero(self.parents >= 0)
        while len(later):  # sets that stand deeper settle in a later round
            deeper = depths[self.slot_sets[self.parents[later]]] + 1
            later_still = later[deeper != depths[later]]
            depths[later] = deeper
            later = later_still
        return depths


@dataclass(frozen=True)
class Tree:
    """A game to be solved: nodes, information sets, chances and payoffs."""

    levels: I64  # [L + 1] where each level begins
    sets: I32  # [N] the information set of a node, LEAF, or FORCED where one act alone is open
    children: I32  # [N] the first child; the payoff of a leaf
    weights: F64  # [D] how likely each deal is; the deals are the nodes of level 0
    payoffs: F64  # [P, seats]
    info: InformationSets

    @property
    def seats(self) -> range:
        return range(self.payoffs.shape[1])

    @property
    def nodes(self) -> int:
        return len(self.sets)

    @property
    def deals(self) -> int:
        return len(self.weights)

    @property
    def leaves(self) -> int:
        return int((self.sets == LEAF).sum())

    @property
    def payoff_range(self) -> float:
        """The largest payoff that any seat can have less the smallest."""
        return float(self.payoffs.max() - self.payoffs.min())

    @property
    def nbytes(self) -> int:
        return self.levels.nbytes + self.sets.nbytes + self.children.nbytes + self.weights.nbytes + self.payoffs.nbytes

    def __str__(self) -> str:
        return (
            f"{self.deals:,} deals, {self.nodes:,} nodes ({self.leaves:,} leaves) on {len(self.levels) - 1} levels, "
            f"{len(self.info):,} information sets with {self.info.slots:,} slots, {len(self.payoffs)} payoffs from "
            f"{self.payoffs.min():g} to {self.payoffs.max():g}, {self.nbytes / 1e6:,.0f} MB"
        )


def tree_of(game: Game) -> Tree:
    """Expand a small game into its tree."""
    return build_tree(game.facet(Expansion) or PositionExpansion(game))


def build_tree(expansion: Expansion, only: I64 | None = None) -> Tree:
    """Build the tree of an expansion; `only` restricts it to some deals, by number."""
    return _TreeBuilder(expansion, only).tree()


class _TreeBuilder:
    """Builds a tree level by level."""

    def __init__(self, expansion: Expansion, only: I64 | None) -> None:
        self.expansion = expansion
        self.rows, self.weights = expansion.deals()
        if only is not None:
            self.rows, self.weights = expansion.take(self.rows, only), self.weights[only]
        self.histories = np.zeros(len(self.weights), np.int32)
        self.history_parents, self.history_acts = [np.array([-1], np.int32)], [np.array([-1], np.int32)]
        self.known_histories = 1
        self.sets: list[I32] = []
        self.children: list[I32] = []
        self.nodes = self.set_count = self.slot_count = 0
        self.info: list[dict[str, NDArray[Any]]] = []
        self.payoff_ids: dict[tuple[float, ...], int] = {}

    def tree(self) -> Tree:
        levels = [0]
        while len(self.histories):
            self._level()
            levels.append(self.nodes)
        joined = {name: np.concatenate([level[name] for level in self.info]) for name in self.info[0]}
        first_slots = np.zeros(self.set_count + 1, np.int32)
        np.cumsum(joined["counts"], out=first_slots[1:])
        info = InformationSets(
            joined["seats"].astype(np.uint8),
            first_slots,
            joined["acts"],
            np.full(self.set_count, -1, np.int32),
            joined["histories"],
            joined["private"],
            np.concatenate(self.history_parents),
            np.concatenate(self.history_acts),
            tuple(self.expansion.acts),
        )
        weights = self.weights / self.weights.sum()
        payoffs = np.array(list(self.payoff_ids))
        nodes = np.array(levels, np.int64), np.concatenate(self.sets), np.concatenate(self.children)
        tree = Tree(*nodes, weights, payoffs, info)
        _find_parents(tree, joined["examples"])
        return tree

    def _level(self) -> None:
        options, rows = self.expansion.options(self.rows), self.rows
        sets = np.where(options.counts == 1, FORCED, LEAF).astype(np.int32)
        children = np.zeros(len(sets), np.int32)
        over = np.flatnonzero(options.seats == OVER)
        children[over] = self._payoffs(self.expansion.payoffs(self.expansion.take(rows, over))) if len(over) else 0
        self._name_sets(options, sets)
        begin = self.nodes + len(sets)
        starts = begin + np.cumsum(options.counts, dtype=np.int64) - options.counts
        if begin + int(options.counts.sum()) > MOST_NODES:
            raise ValueError(f"the tree has more than {MOST_NODES} nodes: take a smaller game")
        going = options.counts > 0
        children[going] = starts[going]
        self.sets.append(sets)
        self.children.append(children)
        self.nodes = begin
        parents = np.repeat(np.arange(len(sets)), options.counts)
        self.rows, heard = self.expansion.after(rows, parents, options.acts)
        self.histories = self._continued(self.histories[parents], heard)

    def _payoffs(self, payoffs: F64) -> I32:
        known, which = np.unique(payoffs, axis=0, return_inverse=True)
        ids = [self.payoff_ids.setdefault(tuple(row), len(self.payoff_ids)) for row in known.tolist()]
        if len(self.payoff_ids) > MOST_PAYOFFS:
            raise ValueError(f"the game has more than {MOST_PAYOFFS} different payoffs")
        return np.array(ids, np.int32)[which.ravel()]

    def _continued(self, histories: I32, heard: I32) -> I32:
        base, acts = int(histories.min(initial=0)), len(self.expansion.acts)
        pairs, _, which = numbered((histories - base).astype(np.int64) * acts + heard)
        self.history_parents.append((base + pairs // acts).astype(np.int32))
        self.history_acts.append((pairs % acts).astype(np.int32))
        first, self.known_histories = self.known_histories, self.known_histories + len(pairs)
        return (first + which).astype(np.int32)

    def _name_sets(self, options: Options, sets: I32) -> None:
        """Gives the nodes where there is a choice their information sets, and each set its slots."""
        choosing = np.flatnonzero(options.counts > 1)
        seats = options.seats[choosing]
        secrets = self.expansion.private(self.expansion.take(self.rows, choosing), seats)
        codes, code = _distinct(secrets)
        base = int(self.histories.min(initial=0))
        known, first, which = numbered((self.histories[choosing] - base).astype(np.int64) * max(1, len(codes)) + code)
        examples = choosing[first]
        sets[choosing] = self.set_count + which
        offsets = np.cumsum(options.counts, dtype=np.int64) - options.counts
        counts = options.counts[examples]
        acts = options.acts[np.repeat(offsets[examples], counts) + _ranges(counts)]
        self._check_alike(options, choosing, which, offsets, counts, acts)
        self.info.append(
            {
                "seats": options.seats[examples],
                "counts": counts,
                "acts": acts,
                "histories": self.histories[examples],
                "private": codes[known % max(1, len(codes))] if len(known) else np.zeros(0, np.uint64),
                "examples": self.nodes + examples,
            }
        )
        self.set_count += len(known)

    def _check_alike(self, options: Options, choosing: I64, which: I64, offsets: I64, counts: I32, acts: I32) -> None:
        """A seat that cannot tell two nodes apart has the same turn and the same acts in both."""
        mine = options.counts[choosing]
        starts = np.cumsum(counts, dtype=np.int64) - counts
        if (mine != counts[which]).any() or (
            options.acts[np.repeat(offsets[choosing], mine) + _ranges(mine)]
            != acts[np.repeat(starts[which], mine) + _ranges(mine)]
        ).any():
            raise ValueError("two positions that look the same to a seat leave it different acts")


def _distinct(codes: U64) -> tuple[U64, I64]:
    """The codes there are, and which each row has."""
    if int(codes.max(initial=0)) < MOST_MARKS:
        known, _, which = numbered(codes.astype(np.int64))
        return known.astype(np.uint64), which
    return np.unique(codes, return_inverse=True)


def _ranges(counts: I32) -> I64:
    """0, 1, .. for each count, one after the other."""
    total = int(counts.sum())
    return np.arange(total) - np.repeat(np.cumsum(counts, dtype=np.int64) - counts, counts)


def _find_parents(tree: Tree, examples: I64) -> None:
    """Fills in the choice that each set's seat had before, by going up from one of its nodes."""
    info = tree.info
    going = np.flatnonzero(tree.sets != LEAF)
    first = tree.children[going]
    pending, at = np.arange(len(info)), examples.copy()
    while len(pending):
        inside = at >= tree.levels[1]
        pending, at = pending[inside], at[inside]
        place = np.searchsorted(first, at, side="right") - 1
        above = going[place]
        mine = tree.sets[above] >= 0
        mine[mine] = info.seats[tree.sets[above[mine]]] == info.seats[pending[mine]]
        info.parents[pending[mine]] = info.first_slots[tree.sets[above[mine]]] + at[mine] - first[place[mine]]
        pending, at = pending[~mine], above[~mine]

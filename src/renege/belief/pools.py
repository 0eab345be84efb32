"""Pools: deals of many hidden hands, where those of which nothing is known at a kind are one pile and split up later.

Kinds at which something is known of the same hands are dealt one after another, in such an order that each hand
stands apart for a short stretch only (`plan_of`). Before it, its cards lie in the *future* pile, of which any part is
as likely to be its own when it opens; after it, in the *closed* pile. The kernel walks this chain from both ends to
the middle (`kernel/include/renege/worlds/pools.hpp`). Hands of which nothing at all is known are one of the table's.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial, prod

import numpy as np

from renege import _kernel
from renege.belief.problem import DEAD, MOST_COPIES, Group, Problem, Watch
from renege.native.arrays import F64, U32, U64

FUTURE, APART, CLOSED = range(3)
MOST_CLASSES = 8  # of kinds that are put in order by trying all orders
FEW_CLASSES = 5  # the same where an estimate will do
HOPELESS = 6e8  # edges that no table is begun for
GROUP_WEIGHTS = (MOST_COPIES + 1) ** 3
ROUNDED = 1e-13  # a chance below this, found by adding and subtracting, is none


class TooManyPools(ValueError):
    """The table would need more memory than allowed."""


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """The chain: who stands apart where."""

    hands: tuple[tuple[int, ...], ...]  # of the table: the hands of the problem that each stands for
    order: tuple[int, ...]  # places
    segments: tuple[int, ...]  # how many places of the order are dealt between two boundaries
    roles: tuple[tuple[int, ...], ...]
    """Of the hands at the first boundary, in the first segment, at the second boundary, and so on."""
    edges: float  # that the table is likely to have, within a factor of ten or so


@dataclass(frozen=True, slots=True)
class _Class:
    """Places at which the same hands stand apart; those of one segment stay together."""

    hands: int
    segments: tuple[tuple[int, ...], ...]
    cards: int
    work: tuple[tuple[int, int], ...]  # copies of a kind, and how many such kinds, times the states of watches

    @classmethod
    def of(cls, hands: int, segments: Sequence[tuple[int, ...]], problem: Problem) -> "_Class":
        work: Counter[int] = Counter()
        for segment in segments:
            watched = prod(_states(watch) for watch in problem.watches if watch.moves and watch.first in segment)
            for place in segment:
                work[problem.copies[place]] += watched
        return cls(hands, tuple(segments), sum(problem.copies[p] for s in segments for p in s), tuple(work.items()))


def _states(watch: Watch) -> int:
    """The most states that a watch may be in at a place."""
    reached, most = {0}, 1
    for table in watch.moves:
        reached = {to for state in reached for to in table[state]} - {DEAD}
        most = max(most, len(reached))
    return most


def known_at(problem: Problem, weights: F64 | None = None) -> list[int]:
    """By place a mask of the hands that are told apart there: by caps, known cards, groups, watches or weights."""
    found: list[int] = []
    for place, copies in enumerate(problem.copies):
        row = zip(problem.most[place], problem.least[place], strict=True)
        found.append(sum(1 << hand for hand, (most, least) in enumerate(row) if copies and (most < copies or least)))
    for group in problem.groups:
        if _says(group, problem):
            for hands in (group.hands, *group.others):
                found[group.place] |= hands
    for watch in problem.watches:
        for place in range(watch.first, watch.first + len(watch.moves)):
            found[place] |= sum(1 << hand for hand in watch.hands)
    if weights is not None:
        for place, row in enumerate(weights.tolist()):
            usual = max(row, key=row.count)
            if problem.copies[place]:
                found[place] |= sum(1 << hand for hand, weight in enumerate(row) if weight != usual)
    return found


def _known_in(segment: Sequence[int], known: Sequence[int]) -> int:
    hands = 0
    for place in segment:
        hands |= known[place]
    return hands


def _classes(problem: Problem, known: Sequence[int], most: int) -> list[_Class]:
    """The segments, which no watch reads across, by the hands that stand apart in them."""
    end, segments = 0, list[list[int]]()
    for place, copies in enumerate(problem.copies):
        reading = [watch for watch in problem.watches if 0 <= place - watch.first < len(watch.moves)]
        if place >= end and (copies or known[place]):
            segments.append([])
        if copies or known[place]:
            segments[-1].append(place)
        end = max([end, *(watch.first + len(watch.moves) for watch in reading)])
    by_hands: dict[int, list[tuple[int, ...]]] = {}
    for segment in segments:
        by_hands.setdefault(_known_in(segment, known), []).append(tuple(segment))
    found = [_Class.of(hands, parts, problem) for hands, parts in by_hands.items()]
    while len(found) > most:  # put the two together that are most alike
        pairs = ((a, b) for i, a in enumerate(found) for b in found[:i])
        a, b = min(pairs, key=lambda pair: ((pair[0].hands ^ pair[1].hands).bit_count(), pair[0].cards + pair[1].cards))
        found = [one for one in found if one is not a and one is not b]
        found.append(_Class.of(a.hands | b.hands, (*a.segments, *b.segments), problem))
    return found


class _Orders:
    """The order of classes with which the two ends of the chain have few states, by an estimate of their numbers."""

    def __init__(self, classes: Sequence[_Class], sizes: Sequence[int]) -> None:
        self.classes, self.sizes = classes, sizes
        self.all = (1 << len(classes)) - 1
        self.hands = [0] * (self.all + 1)  # by set of classes: who stands apart in one of them
        self.cards = [0] * (self.all + 1)
        for done in range(1, self.all + 1):
            last = done.bit_length() - 1
            self.hands[done] = self.hands[done ^ 1 << last] | classes[last].hands
            self.cards[done] = self.cards[done ^ 1 << last] + classes[last].cards

    def best(self) -> tuple[list[_Class], float]:
        """The order, and the edges that its table is likely to have."""
        cost, before = [0.0] * (self.all + 1), [0] * (self.all + 1)
        for done in range(1, self.all + 1):
            ways = [(cost[done ^ 1 << c] + self._cost(done, c), c) for c in range(done.bit_length()) if done >> c & 1]
            cost[done], before[done] = min(ways)
        near = min(range(self.all + 1), key=lambda done: max(cost[done], cost[self.all ^ done]))
        orders: list[list[_Class]] = []
        for done in (near, self.all ^ near):
            order: list[_Class] = []
            while done:
                order.append(self.classes[before[done]])
                done ^= 1 << before[done]
            orders.append(order)
        return [*reversed(orders[0]), *orders[1]], cost[near] + cost[self.all ^ near]

    def _cost(self, done: int, last: int) -> float:
        """To deal one class after others, from the same end."""
        earlier, later = self.hands[done ^ 1 << last], self.hands[self.all ^ done]
        apart = self.classes[last].hands | (earlier & later)
        rooms = [size for hand, size in enumerate(self.sizes) if apart >> hand & 1]
        closed = sum(size for hand, size in enumerate(self.sizes) if (earlier & ~apart) >> hand & 1)
        future = sum(size for hand, size in enumerate(self.sizes) if not (earlier | apart) >> hand & 1)
        rooms = sorted([*rooms, *(size for size in (closed, future) if size)])[:-1]
        own = self.classes[last]
        middle = self.cards[done] - own.cards / 2
        states = min(prod(min(room, middle) + 1.0 for room in rooms), _ways(middle, len(rooms)))
        return states * (1 + sum(kinds * comb(copies + len(rooms), copies) for copies, kinds in own.work))


def _ways(cards: float, piles: int) -> float:
    """To give at most so many cards to some piles."""
    return prod((cards + i) / i for i in range(1, piles + 1))


def plan_of(problem: Problem, weights: F64 | None = None) -> PoolPlan:
    """The chain for a problem without picks."""
    known = known_at(problem, weights)
    classes = _classes(problem, known, MOST_CLASSES)
    everyone = 0
    for one in classes:
        everyone |= one.hands
    sizes = problem.sizes
    apart = [hand for hand in range(len(sizes)) if everyone >> hand & 1]
    others = tuple(hand for hand in range(len(sizes)) if not everyone >> hand & 1)
    ordered, edges = _Orders(classes, sizes).best() if classes else ([], 0.0)
    segments = [segment for one in ordered for segment in one.segments]
    masks = [_known_in(segment, known) for segment in segments]
    spans = [[i for i, mask in enumerate(masks) if mask >> hand & 1] for hand in apart]
    first, last = [span[0] for span in spans], [span[-1] for span in spans]
    if others:  # they go from one pile to the other when no other hand is left there
        first.append(max(first, default=0))
        last.append(first[-1] - 1)
    roles: list[tuple[int, ...]] = []
    for half in range(2 * len(segments) + 1):
        at, boundary = half // 2, half % 2 == 0
        roles.append(
            tuple(
                FUTURE if a > at or (boundary and a == at) else CLOSED if b < at else APART
                for a, b in zip(first, last, strict=True)
            )
        )
    hands = (*((hand,) for hand in apart), *([others] if others else []))
    return PoolPlan(hands, tuple(p for s in segments for p in s), tuple(map(len, segments)), tuple(roles), edges)


def likely_edges(problem: Problem) -> float:
    """About how large a table would be, quickly and roughly: to compare problems that are much alike."""
    classes = _classes(problem, known_at(problem), FEW_CLASSES)
    return _Orders(classes, problem.sizes).best()[1] if classes else 0.0


class Pools:
    """The deals of a problem in pools; `TooManyPools` if the table would need more memory than allowed."""

    def __init__(self, problem: Problem, most_bytes: int, weights: F64 | None = None) -> None:
        self.problem = problem
        self.plan = plan_of(problem, weights)
        if self.plan.edges > HOPELESS:
            raise TooManyPools
        self._table = self._built(most_bytes, weights)
        if self._table.too_large:
            raise TooManyPools
        self.states: int = self._table.states
        self.edges: int = self._table.edges
        decided = all(watch.accepts[0] for watch in problem.watches if not watch.moves)
        self.possible = decided and self._table.possible

    def _built(self, most_bytes: int, weights: F64 | None) -> _kernel.PoolTable:
        problem, plan = self.problem, self.plan
        watches = [watch for watch in problem.watches if watch.moves]
        heights = [[len(rows) for rows in (*watch.moves, watch.accepts)] for watch in watches]
        new = {old: new for new, members in enumerate(plan.hands) for old in members}
        one_of = [members[0] for members in plan.hands]
        masks = [sum(1 << new[hand] for hand in watch.hands) for watch in watches]
        groups = [group for group in problem.groups if _says(group, problem)]
        columns = np.ones((len(problem.kinds), len(problem.sizes))) if weights is None else weights
        shape = len(problem.kinds), len(plan.hands)
        return _kernel.PoolTable(
            np.array(problem.kinds, np.uint8),
            np.array(problem.copies, np.uint8),
            np.array([sum(problem.sizes[hand] for hand in members) for members in plan.hands], np.uint16),
            np.array([[row[hand] for hand in one_of] for row in problem.least], np.uint8).reshape(shape),
            np.array([[row[hand] for hand in one_of] for row in problem.most], np.uint8).reshape(shape),
            np.array([_group_row(group, new) for group in groups], np.uint16).reshape(-1, 6),
            np.array([_joint_weights(group, problem) for group in groups], np.uint32).reshape(-1, GROUP_WEIGHTS),
            np.array(
                [
                    (mask, watch.first, len(watch.moves), max(states) - 1)
                    for mask, watch, states in zip(masks, watches, heights, strict=True)
                ],
                np.uint16,
            ).reshape(-1, 4),
            np.array([states for of_watch in heights for states in of_watch], np.uint8),
            np.array([to for watch in watches for table in watch.moves for row in table for to in row], np.uint8),
            np.array([accepts for watch in watches for accepts in watch.accepts], np.uint8),
            np.ascontiguousarray(columns[:, one_of], np.float64),
            np.array(plan.order, np.uint8),
            np.array(plan.segments, np.uint8),
            np.array(plan.roles, np.uint8).reshape(len(plan.roles), len(plan.hands)),
            np.array([sum(1 << hand for hand in members) for members in plan.hands], np.uint16),
            np.array(problem.sizes, np.uint16),
            weights is None,
            most_bytes,
        )

    def count(self) -> int:
        """Labelled deals."""
        if not self.possible:
            return 0
        alike = [self.problem.sizes[hand] for members in self.plan.hands if len(members) > 1 for hand in members]
        ways = factorial(sum(alike)) // prod(map(factorial, alike))
        return int.from_bytes(self._table.total(), "little") * ways

    def odds(self) -> F64:
        """`float64[place, hand, MOST_COPIES + 1]`: how likely the hand gets so many copies."""
        found = np.zeros((len(self.problem.kinds), len(self.plan.hands), MOST_COPIES + 1))
        self._table.odds(found)
        out = np.zeros((len(self.problem.kinds), len(self.problem.sizes), MOST_COPIES + 1))
        for i, members in enumerate(self.plan.hands):
            size = sum(self.problem.sizes[hand] for hand in members)
            for hand in members:
                out[:, hand] = self._chances(found[:, i], self.problem.sizes[hand], size)
        out[[n == 0 for n in self.problem.copies]] = np.eye(1, MOST_COPIES + 1)
        return np.minimum(out, 1.0)

    def _chances(self, rows: F64, size: int, together: int) -> F64:
        """The chances of a hand, where need be from the expected numbers of ways to choose r of its copies."""
        piled = rows[:, 0] < 0
        if not piled.any():
            return rows
        shares = [1.0, *((size - r) / (together - r) if r < size else 0.0 for r in range(MOST_COPIES))]
        moments = rows * np.cumprod(shares)
        moments[:, 0] = 1
        chances = moments @ MOMENTS
        chances[np.abs(chances) < ROUNDED] = 0
        return np.where(piled[:, None], chances, rows)

    def draw(self, out: U64, seed: int, first_lane: int, threads: int) -> None:
        self._table.draw(out, seed, first_lane, threads)


MOMENTS = np.array(
    [[(-1) ** (r - c) * comb(r, c) if r >= c else 0 for c in range(MOST_COPIES + 1)] for r in range(MOST_COPIES + 1)],
    np.float64,
)
"""[r, c]: how the chance of c copies comes from the expected numbers of ways to choose r of them."""


def _says(group: Group, problem: Problem) -> bool:
    """Does a group say anything at all?"""
    return bool(group.weights or group.least or group.most < problem.copies[group.place])


def _members(hands: int) -> list[int]:
    return [hand for hand in range(hands.bit_length()) if hands >> hand & 1]


def _group_row(group: Group, new: dict[int, int]) -> tuple[int, ...]:
    """A group with its masks in the table's numbers of hands."""
    own, *others = (sum(1 << new[hand] for hand in _members(hands)) for hands in (group.hands, *group.others))
    return (group.place, own, group.least, group.most, *others, *[0] * (2 - len(others)))


def _joint_weights(group: Group, problem: Problem) -> U32:
    """The weights by the copies of three masks, the first fastest, as the kernel reads them."""
    width, masks = problem.copies[group.place] + 1, 1 + len(group.others)
    out = np.zeros((MOST_COPIES + 1,) * 3, np.uint32)  # [third, second, own]
    weights = np.array(group.weights or (1,) * width**masks, np.uint32).reshape((1,) * (3 - masks) + (width,) * masks)
    out[tuple(map(slice, weights.shape))] = weights
    return out.ravel()


def weights_row(group: Group, copies: int) -> list[int]:
    """How often a deal counts, by the copies that a group of hands gets, filled up to so many."""
    weights = group.weights or (1,) * (copies + 1)
    return [*weights, *[0] * (copies + 1 - len(weights))]

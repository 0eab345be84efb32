"""Deals that can be told apart, counted and listed one after another: for problems with too many hands for the graph.

A state is what every hand still needs and the state of every watch, as in the kernel's graph, and no pile is pooled, so
this is for small problems; larger ones are refused.
"""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from renege.belief.problem import DEAD, Problem, digits, weight_of
from renege.native.arrays import U64

MOST_STATES = 10_000

State = tuple[tuple[int, ...], tuple[int, ...]]
"""What the hands need, and the states of the watches."""
Split = tuple[int, ...]


class TooManyDistinct(ValueError):
    """Deals that can be told apart are more than are counted one by one."""


class Listing:
    """The distinct deals of a problem without picks."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._splits = [list(self._splits_at(place)) for place in range(len(problem.kinds))]
        self._counts: dict[tuple[int, State], int] = {}
        decided = all(watch.accepts[0] for watch in problem.watches if not watch.moves)
        self._start: State = problem.sizes, (0,) * len(problem.watches)
        self.count = self._count(0, self._start) if decided else 0

    def deals(self, first: int, n: int) -> Iterator[tuple[Split, ...]]:
        """From number `first` on: by place what each hand gets."""
        return islice(self._walk(0, self._start, first), n)

    def rows(self, first: int, n: int, layers: int) -> U64:
        """The same as `uint64[n, hand, layer]`."""
        out = np.zeros((n, len(self.problem.sizes), layers), np.uint64)
        for row, deal in zip(out, self.deals(first, n), strict=True):
            for kind, split in zip(self.problem.kinds, deal, strict=True):
                for hand, copies in enumerate(split):
                    row[hand, :copies] |= np.uint64(1 << kind)
        return out

    def _splits_at(self, place: int) -> Iterator[Split]:
        problem = self.problem
        groups = [group for group in problem.groups if group.place == place]

        def give(hand: int, left: int, given: Split) -> Iterator[Split]:
            if hand == len(problem.sizes):
                if not left:
                    yield given
                return
            for n in range(min(left, problem.most[place][hand]), problem.least[place][hand] - 1, -1):
                yield from give(hand + 1, left - n, (*given, n))

        for split in give(0, problem.copies[place], ()):
            if all(weight_of(group, split) for group in groups):
                yield split

    def _after(self, place: int, state: State, split: Split) -> State | None:
        needs = tuple(need - n for need, n in zip(state[0], split, strict=True))
        if min(needs) < 0:
            return None
        states = list(state[1])
        for i, watch in enumerate(self.problem.watches):
            k = place - watch.first
            if not 0 <= k < len(watch.moves):
                continue
            read = digits([split[hand] for hand in watch.hands], self.problem.copies[place])
            states[i] = watch.moves[k][states[i]][read]
            if states[i] == DEAD or (k + 1 == len(watch.moves) and not watch.accepts[states[i]]):
                return None
            if k + 1 == len(watch.moves):
                states[i] = 0
        return needs, tuple(states)

    def _count(self, place: int, state: State) -> int:
        if place == len(self.problem.kinds):
            return int(not any(state[0]))
        if (known := self._counts.get((place, state))) is None:
            if len(self._counts) >= MOST_STATES:
                raise TooManyDistinct("deals that can be told apart are too many here: ask for the labelled count")
            after = (self._after(place, state, split) for split in self._splits[place])
            known = sum(self._count(place + 1, one) for one in after if one is not None)
            self._counts[place, state] = known
        return known

    def _walk(self, place: int, state: State, skip: int) -> Iterator[tuple[Split, ...]]:
        if place == len(self.problem.kinds):
            yield ()
            return
        for split in self._splits[place]:
            if (after := self._after(place, state, split)) is None:
                continue
            if skip >= (here := self._count(place + 1, after)):
                skip -= here
                continue
            for rest in self._walk(place + 1, after, skip):
                yield (split, *rest)
            skip = 0

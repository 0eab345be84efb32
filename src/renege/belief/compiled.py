"""A view compiled into a counting problem, with what the problem does not hold, and the same with less in its table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from renege.belief.checks import Check, WatchCheck
from renege.belief.picks import with_picks
from renege.belief.pools import likely_edges
from renege.belief.problem import DEAD, Problem, Watch
from renege.core.cards import Card
from renege.core.facts import Fact


@dataclass(frozen=True)
class Compiled:
    """A problem, the pile that each of its hands is (a seat, or KITTY), and the facts that it does not hold."""

    problem: Problem
    piles: tuple[int, ...]
    loose: tuple[Fact, ...]
    used: tuple[tuple[Fact, tuple[Card, ...]], ...]  # facts that bar kinds from a hand, for explanations
    checks: tuple[Check, ...] = ()
    no_pairs: tuple[Watch, ...] = ()  # what caps say of pairs, as watches that are no part of the problem
    uncapped: tuple[tuple[int, ...], ...] = ()  # the caps without these

    @cached_property
    def unchecked(self) -> tuple[Fact, ...]:
        """Facts that neither the problem nor a check holds."""
        asked = {fact for check in self.checks for fact in check.facts}
        return tuple(fact for fact in self.loose if fact not in asked)

    def loosened(self) -> "Compiled | None":
        """The same with one condition less in the table, of which deals are asked instead: a watch, or that a hand has
        no pair, whichever leaves the smallest table. None where nothing more can be left out.
        """
        watches = (self._without(watch) for watch in (*self.problem.watches, *self.no_pairs))
        return min(watches, key=lambda fewer: likely_edges(with_picks(fewer.problem)), default=None)

    def within(self, edges: float) -> "Compiled":
        """The same with as many conditions in the table as leave it about so small; of the others deals are asked.

        Those that are caps, one for each kind, come first: they exclude most and cost least.
        """
        if likely_edges(with_picks(self.problem)) <= edges:
            return self
        watches, no_pairs, left = tuple[Watch, ...](), tuple[Watch, ...](), list[Watch]()
        for watch in sorted(
            (*self.no_pairs, *self.problem.watches), key=lambda one: max(map(len, one.moves), default=0)
        ):
            caps = any(watch is one for one in self.no_pairs)
            more = (watches, (*no_pairs, watch)) if caps else ((*watches, watch), no_pairs)
            if likely_edges(with_picks(self._with_conditions(*more))) <= edges:
                watches, no_pairs = more
            else:
                left.append(watch)
        checks = (WatchCheck(watch.facts, watch, self.problem.kinds, self.problem.copies) for watch in left)
        return replace(
            self,
            problem=self._with_conditions(watches, no_pairs),
            no_pairs=no_pairs,
            loose=(*self.loose, *(fact for watch in left for fact in watch.facts)),
            checks=(*checks, *self.checks),
        )

    def _with_conditions(self, watches: tuple[Watch, ...], no_pairs: tuple[Watch, ...]) -> Problem:
        return replace(self.problem, watches=watches, most=capped(self.uncapped, no_pairs))

    def _without(self, watch: Watch) -> "Compiled":
        problem = self.problem
        no_pairs = tuple(one for one in self.no_pairs if one is not watch)
        watches = tuple(one for one in problem.watches if one is not watch)
        fewer = replace(problem, watches=watches, most=capped(self.uncapped, no_pairs))
        check = WatchCheck(watch.facts, watch, problem.kinds, problem.copies)
        told = {"loose": (*self.loose, *watch.facts), "checks": (*self.checks, check)}
        return replace(self, problem=fewer, no_pairs=no_pairs, **told)


def capped(most: Sequence[Sequence[int]], no_pairs: Sequence[Watch]) -> tuple[tuple[int, ...], ...]:
    """Caps with what watches of one state say of single kinds."""
    rows = [list(row) for row in most]
    for watch in no_pairs:
        for place, table in enumerate(watch.moves, watch.first):
            rows[place][watch.hand] = min(rows[place][watch.hand], sum(to != DEAD for to in table[0]) - 1)
    return tuple(map(tuple, rows))

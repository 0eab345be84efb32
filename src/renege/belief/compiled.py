"""A compiled view: the counting problem, and the facts that it does not hold."""

from dataclasses import dataclass, replace

from renege.belief.checks import Check, WatchCheck
from renege.belief.problem import Problem, Watch
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

    @property
    def unchecked(self) -> tuple[Fact, ...]:
        """Facts that neither the problem nor a check holds."""
        asked = {fact for check in self.checks for fact in check.facts}
        return tuple(fact for fact in self.loose if fact not in asked)

    def without(self, watch: Watch) -> "Compiled":
        """The same with a watch that is no part of the table: deals are asked about it instead."""
        kept = tuple(one for one in self.problem.watches if one is not watch)
        return replace(
            self,
            problem=replace(self.problem, watches=kept),
            loose=(*self.loose, *watch.facts),
            checks=(*self.checks, WatchCheck(watch.facts, watch, self.problem.kinds, self.problem.copies)),
        )

"""What plays are worth if all hands lie open: the answer, with bounds where a search was cut off."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from renege.core.notation import NotationError
from renege.core.trick import Play

NO_LIMIT = (1 << 64) - 1
Value: TypeAlias = int | bool | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number that is known to lie between two, or exactly where they meet."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search is cut off: after so many plays tried, or so much time."""

    nodes: int = NO_LIMIT
    seconds: float | None = None


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class Solution:
    """What every legal play is worth: the points that some seats still win, those on the table included.

    With a `target` only whether they get so many is asked. Where a declarer plays to lose every trick (`loses`), the
    tricks that he still takes are counted, and the value is whether there are none.
    """

    takers: tuple[int, ...]
    plays: tuple[tuple[Play, Bounds], ...]
    wants_more: bool  # does the seat to move want the number large?
    nodes: int = 0
    target: int | None = None
    loses: bool = False

    @property
    def bounds(self) -> Bounds:
        """The number if everybody plays as well as possible."""
        if not self.plays:
            return Bounds(0, 0)
        best = max if self.wants_more else min
        return Bounds(best(found.low for _, found in self.plays), best(found.high for _, found in self.plays))

    @property
    def value(self) -> Value:
        return self.say(self.bounds)

    def say(self, found: Bounds) -> Value:
        """A number as the answer to what was asked; None where the bounds leave it open."""
        if self.loses:
            return True if found.high == 0 else False if found.low > 0 else None
        if self.target is not None:
            return True if found.low >= self.target else False if found.high < self.target else None
        return found.low if found.low == found.high else None

    @property
    def best(self) -> tuple[Play, ...]:
        """The plays that are known to be as good as any other."""
        return tuple(play for play, found in self.plays if self.cost(found) == 0)

    def cost(self, found: Bounds) -> int | None:
        """What a play gives away: points, or 1 where it throws away what was to be had; None where that is open."""
        best, value = self.value, self.say(found)
        if best is None or value is None:
            return None
        return abs(int(best) - int(value))

    def answer(self, spell: Callable[[Play], str]) -> dict[str, Any]:
        """The answer on the wire, where everything is worked out."""
        if self.value is None or any(self.say(found) is None for _, found in self.plays):
            raise NotationError(f"'hands': {self.nodes:,} plays were tried and it is still open; try fewer cards")
        spelled = {spell(play): self.say(found) for play, found in self.plays}
        return {"value": self.value, "plays": spelled}


class Solver(Protocol):
    """A game's way to work out what each play of a position is worth if all hands lie open."""

    def __call__(self, position: Any, target: int | None = None, limits: Limits = ..., /) -> Solution: ...


@dataclass(frozen=True, slots=True)
class OpenHands:
    """The facet of a game whose open hands can be solved."""

    solve: Solver
